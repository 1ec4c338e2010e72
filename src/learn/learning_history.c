// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the history of a run folder, line by line, so that its size does not matter. A line is good if it
// is whole, its numbers are right, and it is newer than those of its run before it; the others are told and
// left out.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_lines.h"
#include "base/list.h"
#include "base/text.h"
#include "learn/run_files.h"
#include "learn/run_folder.h"
#include "learn/run_players.h"

// ---------------------------------------------------------------------------------------------------
// Lines

typedef struct Lines {
    int runs, size;
    uint64_t *newest;         // owned; generation of each run so far
    const uint64_t *most;     // lines of later generations are not good; NULL: all are
    LearningHistory *history; // NULL: the good lines go to `out`, if there is one
    FILE *out;
    uint64_t left_out; // lines that are not good
    bool torn;         // the last line has no end
} Lines;

static bool add(LearningHistory *history, const Generation *generation) {
    if (!list_room(&history->generation, (size_t)history->count, sizeof *generation))
        return false;
    history->generation[history->count++] = *generation;
    return true;
}

static bool is_in_order(Lines *lines, const Generation *generation, Error *error) {
    uint64_t number = generation->generation, *newest = &lines->newest[generation->run];
    if (lines->most && number > lines->most[generation->run])
        return error_set(error, "Generation %" PRIu64 " of run %d is beyond the checkpoint.", number,
                         generation->run + 1);
    if (number <= *newest)
        return error_set(error, "Generation %" PRIu64 " of run %d comes after generation %" PRIu64 ".",
                         number, generation->run + 1, *newest);
    *newest = number;
    return true;
}

static JsonLineFate take_line(void *context, const JsonLine *line, Error *error) {
    Lines *lines = context;
    Generation generation;
    lines->torn = lines->torn || !line->ended;
    if (!run_line_parse(&generation, lines->runs, lines->size, line->object, error))
        return JSON_LINE_REFUSED;
    bool good = is_in_order(lines, &generation, error);
    JsonLineFate fate = good ? JSON_LINE_TAKEN : JSON_LINE_REFUSED;
    if (good && lines->history && !add(lines->history, &generation)) {
        error_set(error, "Out of memory for the generations of this run.");
        fate = JSON_LINE_STOP;
    } else if (good && lines->history) {
        return fate; // the history owns it
    } else if (good && lines->out &&
               (fwrite(line->text, 1, line->length, lines->out) != line->length ||
                putc('\n', lines->out) == EOF)) {
        error_set(error, "The good lines of a run cannot be written: %s.", strerror(errno));
        fate = JSON_LINE_STOP;
    }
    run_line_free(&generation);
    return fate;
}

// A folder without such a file has no generation yet.
static bool read_lines(Lines *lines, const char *path, void (*complain)(void *context, const char *sentence),
                       void *context, Error *error) {
    if (access(path, F_OK) && errno == ENOENT)
        return true;
    lines->newest = calloc((size_t)lines->runs, sizeof *lines->newest);
    bool good = (lines->newest || error_set(error, "Out of memory: cannot read %.300s.", path)) &&
                json_lines_read(path, &(JsonLinesReader){take_line, lines, complain, context}, error);
    free(lines->newest);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Keeping the good lines

static void note_change(void *context, const char *sentence) {
    (void)sentence;
    ((Lines *)context)->left_out++;
}

static bool copy_file(const char *from, const char *to, Error *error) {
    size_t length;
    char *text = text_read_file(from, &length, error);
    bool good = text && text_write_file(to, text, length, error);
    free(text);
    return good;
}

bool run_history_sift(const char *path, int runs, int size, const uint64_t *newest, uint64_t *left_out,
                      Error *error) {
    char before[RUN_PATH + 8], *text = NULL;
    size_t length = 0;
    Lines lines = {.runs = runs, .size = size, .most = newest, .out = open_memstream(&text, &length)};
    bool good = lines.out && read_lines(&lines, path, note_change, &lines, error);
    if (!lines.out || (fclose(lines.out) && good))
        good = error_set(error, "Out of memory: cannot repair %.300s.", path);
    *left_out = lines.left_out;
    snprintf(before, sizeof before, "%.*s.before", RUN_PATH, path);
    if (good && lines.left_out) {
        unlink(before);
        good = !link(path, before) || copy_file(path, before, error); // not all disks know links
    }
    if (good && (lines.left_out || lines.torn))
        good = text_write_file(path, text, length, error);
    free(text);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// The history

static int by_run(const void *a, const void *b) {
    const Generation *x = a, *y = b;
    return x->run != y->run ? (x->run > y->run) - (x->run < y->run)
                            : (x->generation > y->generation) - (x->generation < y->generation);
}

static bool describe(LearningHistory *history, const LearningPlan *plan, Error *error) {
    const Objective *objective = &plan->objective;
    char features[RUN_FEATURES], rules[64];
    run_features_text(&objective->encoding, features);
    run_rules_name(&objective->rules, rules);
    snprintf(history->title, sizeof history->title, "%s, %s, board %s, objective %s, seed %" PRIu64 "%s",
             optimiser_words[plan->optimiser.method], features, rules, objective_words[objective->kind],
             plan->seed, plan->race.bound == RACE_NONE ? "" : ", with racing");
    history->runs = plan->runs;
    history->size = encoding_size(&objective->encoding);
    history->kind = objective->kind;
    history->directions = encoding_directions(&objective->encoding);
    history->label = calloc((size_t)history->size, sizeof *history->label);
    if (!history->label)
        return error_set(error, "Out of memory for the names of %d numbers.", history->size);
    for (int k = 0; k < history->size; k++) {
        encoding_label(&objective->encoding, k, history->label[k]);
        history->switches += encoding_is_switch(&objective->encoding, k);
    }
    return true;
}

bool learning_history_lines(LearningHistory *history, const char *path,
                            void (*complaint)(void *context, const char *sentence), void *context,
                            Error *error) {
    Lines lines = {.runs = history->runs, .size = history->size, .history = history};
    bool good = read_lines(&lines, path, complaint, context, error);
    if (history->count)
        qsort(history->generation, (size_t)history->count, sizeof *history->generation, by_run);
    return good;
}

bool learning_history_read(LearningHistory *history, const char *path,
                           void (*complaint)(void *context, const char *sentence), void *context,
                           Error *error) {
    *history = (LearningHistory){0};
    LearningPlan plan;
    char lines[RUN_PATH];
    bool good =
        run_folder_plan(path, &plan, error) && describe(history, &plan, error) &&
        learning_history_lines(history, run_path(path, "journal.jsonl", lines), complaint, context, error);
    learning_plan_free(&plan);
    return good;
}

bool run_players_read(RunPlayers *players, const char *path, uint64_t generation,
                      void (*complain)(void *context, const char *sentence), void *context, Error *error) {
    LearningPlan plan;
    LearningHistory history = {0};
    uint64_t newest = 0;
    *players = (RunPlayers){0};
    bool good = run_folder_plan(path, &plan, error) && run_players_make(players, &plan, path, error) &&
                learning_history_read(&history, path, complain, context, error);
    for (int k = 0; good && k < history.count;
         k++) { // ordered: later ones of a run take the place of earlier
        const Generation *g = &history.generation[k];
        newest = g->generation > newest ? g->generation : newest;
        if (!generation || g->generation <= generation)
            run_players_set(players, g->run, g->generation, g->answer);
    }
    if (good && !history.count)
        good = error_set(error, "%.300s holds no generation yet.", path);
    else if (good && generation > newest)
        good = error_set(error, "There is no generation %" PRIu64 " in %.300s: the newest is %" PRIu64 ".",
                         generation, path, newest);
    learning_history_free(&history);
    learning_plan_free(&plan);
    return good;
}

void learning_history_free(LearningHistory *history) {
    for (int k = 0; k < history->count; k++)
        run_line_free(&history->generation[k]);
    free(history->generation);
    free(history->label);
    *history = (LearningHistory){0};
}
