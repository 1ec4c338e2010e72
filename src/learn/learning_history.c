// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the journal of a run folder, line by line, so that its size does not matter. A line is good if it
// is whole, its numbers are right, and it is newer than those of its run before it; the others are told and
// left out.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "learn/run_files.h"
#include "learn/run_folder.h"
#include "learn/run_players.h"

// ---------------------------------------------------------------------------------------------------
// Lines

typedef struct Reader {
    FILE *file;
    char *text; // owned; the line, without its end
    size_t length;
    uint64_t number; // of the line, from 1
    bool ended;      // it had an end
    bool too_long;   // only its beginning is in `text`
    bool failed;     // the file could not be read on
    int runs, size;
    uint64_t *newest;     // owned; generation of each run
    const uint64_t *most; // lines of later generations are not good; NULL: all are
} Reader;

static void reader_close(Reader *reader) {
    if (reader->file)
        fclose(reader->file);
    free(reader->text);
    free(reader->newest);
}

// Close with reader_close, also after an error. <- file NULL: there is no such file
static bool reader_open(Reader *reader, const char *path, int runs, int size, Error *error) {
    *reader = (Reader){.runs = runs, .size = size};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe would be waited for
    struct stat status;
    if (file < 0 && errno == ENOENT)
        return true;
    if (file >= 0 && !fstat(file, &status) && !S_ISREG(status.st_mode)) { // a device may have no end
        close(file);
        return error_set(error, "%.300s is not a file that can be read line by line.", path);
    }
    reader->file = file < 0 ? NULL : fdopen(file, "rb");
    if (!reader->file) {
        error_set(error, "cannot read %.300s: %s.", path, strerror(errno));
        if (file >= 0)
            close(file);
        return false;
    }
    reader->text = malloc(RUN_LINE_LIMIT);
    reader->newest = calloc((size_t)runs, sizeof *reader->newest);
    return (reader->text && reader->newest) || error_set(error, "There is no memory to read %.300s.", path);
}

// <- false: there is no further line
static bool next_line(Reader *reader) {
    int c = EOF;
    reader->length = 0;
    reader->too_long = false;
    while ((c = getc_unlocked(reader->file)) != EOF && c != '\n') {
        if (reader->length < RUN_LINE_LIMIT)
            reader->text[reader->length++] = (char)c;
        else
            reader->too_long = true;
    }
    reader->ended = c == '\n';
    reader->failed = ferror(reader->file) != 0;
    reader->number++;
    return reader->ended || reader->length > 0;
}

// <- true: the line is good; free the generation with run_line_free
static bool take_line(Reader *reader, Generation *generation, Error *error) {
    if (reader->too_long)
        return error_set(error, "It is longer than %d bytes.", RUN_LINE_LIMIT);
    if (!run_line_parse(generation, reader->runs, reader->size, reader->text, reader->length, error))
        return false;
    uint64_t number = generation->generation;
    uint64_t *newest = &reader->newest[generation->run];
    if (reader->most && number > reader->most[generation->run]) {
        error_set(error, "Generation %" PRIu64 " of run %d is beyond the checkpoint.", number,
                  generation->run + 1);
        run_line_free(generation);
        return false;
    }
    if (number <= *newest) {
        error_set(error, "Generation %" PRIu64 " of run %d comes after generation %" PRIu64 ".", number,
                  generation->run + 1, *newest);
        run_line_free(generation);
        return false;
    }
    *newest = number;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Keeping the good lines

// -> out  NULL: nothing is written. <- *changed: what is kept is not all of the file
static bool sift(const char *path, int runs, int size, const uint64_t *newest, FILE *out, bool *changed,
                 Error *error) {
    Reader reader;
    *changed = false;
    bool good = reader_open(&reader, path, runs, size, error);
    reader.most = newest;
    while (good && reader.file && next_line(&reader)) {
        Generation generation;
        bool keep = take_line(&reader, &generation, NULL);
        if (keep)
            run_line_free(&generation);
        *changed = *changed || !keep || !reader.ended;
        if (keep && out)
            good = (fwrite(reader.text, 1, reader.length, out) == reader.length && putc('\n', out) != EOF) ||
                   error_set(error, "cannot write %.300s: %s.", path, strerror(errno));
    }
    if (good && reader.failed)
        good = error_set(error, "cannot read %.300s: %s.", path, strerror(errno));
    reader_close(&reader);
    return good;
}

// What is dropped may be worth a look: the journal as it was stays beside the new one.
static bool keep_copy(const char *path, Error *error) {
    size_t room = strlen(path) + sizeof ".before";
    char *copy = malloc(room);
    if (!copy)
        return error_set(error, "There is no memory to repair %.300s.", path);
    snprintf(copy, room, "%s.before", path);
    unlink(copy);
    bool good = !link(path, copy) || errno == EPERM || errno == ENOTSUP ||
                error_set(error, "cannot write %.300s: %s.", copy, strerror(errno));
    free(copy);
    return good;
}

bool run_journal_sift(const char *path, int runs, int size, const uint64_t *newest, Error *error) {
    bool changed, ignored;
    if (!sift(path, runs, size, newest, NULL, &changed, error))
        return false;
    if (!changed)
        return true;
    size_t room = strlen(path) + sizeof ".tmp";
    char *beside = malloc(room);
    if (!beside)
        return error_set(error, "There is no memory to repair %.300s.", path);
    snprintf(beside, room, "%s.tmp", path); // the folder is locked: nobody else writes this one
    FILE *out = fopen(beside, "wbe");
    bool good = out || error_set(error, "cannot write %.300s: %s.", beside, strerror(errno));
    good = good && sift(path, runs, size, newest, out, &ignored, error);
    bool written = out && !fflush(out) && !fsync(fileno(out));
    written = out && !fclose(out) && written;
    good = good && keep_copy(path, error);
    if (good && (!written || rename(beside, path)))
        good = error_set(error, "cannot write %.300s: %s.", path, strerror(errno));
    if (!good && out)
        unlink(beside);
    free(beside);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// The history

typedef struct Complaints {
    void (*tell)(void *context, const char *sentence); // may be NULL
    void *context;
    const char *path;
} Complaints;

static void complain(const Complaints *complaints, uint64_t line, const char *sentence) {
    char text[800];
    snprintf(text, sizeof text, "%.250s:%" PRIu64 ": %s This line is left out.", complaints->path, line,
             sentence);
    if (complaints->tell)
        complaints->tell(complaints->context, text);
}

static bool add(LearningHistory *history, int *room, const Generation *generation) {
    if (history->count == *room) {
        int larger = *room ? 2 * *room : 256;
        Generation *list =
            larger < 1 << 28 ? realloc(history->generation, (size_t)larger * sizeof *list) : NULL;
        if (!list)
            return false;
        history->generation = list;
        *room = larger;
    }
    history->generation[history->count++] = *generation;
    return true;
}

static int by_run(const void *a, const void *b) {
    const Generation *x = a, *y = b;
    return x->run != y->run ? (x->run > y->run) - (x->run < y->run)
                            : (x->generation > y->generation) - (x->generation < y->generation);
}

static bool read_journal(LearningHistory *history, const Complaints *complaints, Error *error) {
    Reader reader;
    int room = 0;
    bool good = reader_open(&reader, complaints->path, history->runs, history->size, error);
    while (good && reader.file && next_line(&reader)) {
        Generation generation;
        Error why = {""};
        if (!take_line(&reader, &generation, &why)) {
            complain(complaints, reader.number, why.text);
        } else if (!add(history, &room, &generation)) {
            run_line_free(&generation);
            good = error_set(error, "There is no memory for the %d generations in %.300s.", history->count,
                             complaints->path);
        }
    }
    if (good && reader.failed)
        good = error_set(error, "cannot read %.300s: %s.", complaints->path, strerror(errno));
    reader_close(&reader);
    if (history->count)
        qsort(history->generation, (size_t)history->count, sizeof *history->generation, by_run);
    return good;
}

static bool describe(LearningHistory *history, const LearningPlan *plan, Error *error) {
    const Objective *objective = &plan->objective;
    char features[32], rules[64];
    run_features_name(&objective->encoding, features);
    run_rules_name(&objective->rules, rules);
    snprintf(
        history->title, sizeof history->title, "%s, features %s, board %s, objective %s, seed %" PRIu64 "%s",
        optimiser_method_name(plan->optimiser.method), features, rules, objective_kind_name(objective->kind),
        plan->seed, plan->race.bound == RACE_NONE ? "" : ", with racing");
    history->runs = plan->runs;
    history->size = encoding_size(&objective->encoding);
    history->kind = objective->kind;
    history->directions = encoding_directions(&objective->encoding);
    history->label = calloc((size_t)history->size, sizeof *history->label);
    if (!history->label)
        return error_set(error, "There is no memory for the names of %d numbers.", history->size);
    for (int k = 0; k < history->size; k++) {
        encoding_label(&objective->encoding, k, history->label[k]);
        history->switches += encoding_is_switch(&objective->encoding, k);
    }
    return true;
}

bool learning_history_read(LearningHistory *history, const char *path,
                           void (*complaint)(void *context, const char *sentence), void *context,
                           Error *error) {
    *history = (LearningHistory){0};
    LearningPlan plan = {0};
    size_t length = 0;
    char *run = run_path(path, "run.json", error), *journal = run_path(path, "journal.jsonl", error);
    char *text = run && journal ? text_read_file(run, &length, error) : NULL;
    bool good = text && run_plan_parse(&plan, run, text, length, error) && describe(history, &plan, error) &&
                read_journal(history, &(Complaints){complaint, context, journal}, error);
    learning_plan_free(&plan);
    free(text);
    free(run);
    free(journal);
    return good;
}

void learning_history_free(LearningHistory *history) {
    for (int k = 0; k < history->count; k++)
        run_line_free(&history->generation[k]);
    free(history->generation);
    free(history->label);
    *history = (LearningHistory){0};
}
