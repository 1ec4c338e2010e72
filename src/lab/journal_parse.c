// SPDX-License-Identifier: GPL-3.0-or-later
// Reading journals, which anybody may have written: every line is taken for itself, what is wrong with it is
// told with its number, and it is skipped. What is kept is bounded by the size of the file.
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_parse.h"
#include "base/text.h"
#include "base/utf8.h"
#include "lab/journal.h"

enum {
    RUNS_AHEAD = 1024, // repetitions end out of order, but no further apart than there can be threads
    GAMES_AHEAD = 8192 // two of the largest blocks: lines that are damaged leave gaps, which are played again
};

typedef struct Reader {
    JournalContents *contents;
    const char *name;
    uint64_t line;
    bool out_of_memory;
    int first_entry; // entries before it come from other journals, where the same id means nothing
    void (*complain)(void *context, const char *sentence);
    void *context;
} Reader;

static void complain(const Reader *reader, const char *sentence) {
    char text[800];
    if (!reader->complain)
        return;
    snprintf(text, sizeof text, "%.200s:%" PRIu64 ": %s This line is skipped.", reader->name, reader->line,
             sentence);
    reader->complain(reader->context, text);
}

// ---------------------------------------------------------------------------------------------------
// Members of a line

static bool read_text(const json_t *line, const char *key, const char **text, Error *error) {
    *text = json_string_value(json_object_get(line, key));
    return *text || error_set(error, "The member \"%s\" must be a text.", key);
}

// Whole numbers are numbers up to 2^53 or texts of digits.
static bool whole_value(const json_t *value, uint64_t most, uint64_t *number) {
    if (json_is_string(value)) {
        const char *text = json_string_value(value);
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 20 || text[digits] ||
            (digits == 20 && strcmp(text, "18446744073709551615") > 0))
            return false;
        *number = strtoull(text, NULL, 10);
    } else {
        double real = json_is_number(value) ? json_number_value(value) : -1;
        if (!(real >= 0 && real <= 0x1p53) || real != floor(real))
            return false;
        *number = (uint64_t)real;
    }
    return *number <= most;
}

static bool read_whole(const json_t *line, const char *key, uint64_t most, uint64_t *number, Error *error) {
    return whole_value(json_object_get(line, key), most, number) ||
           error_set(error, "The member \"%s\" must be a whole number from 0 to %" PRIu64 ".", key, most);
}

// null: `otherwise`
static bool real_value(const json_t *value, double least, double otherwise, double *number) {
    *number = json_is_number(value) ? json_number_value(value) : otherwise;
    return json_is_null(value) || (json_is_number(value) && *number >= least);
}

static bool read_real(const json_t *line, const char *key, double least, double otherwise, double *number,
                      Error *error) {
    return real_value(json_object_get(line, key), least, otherwise, number) ||
           error_set(error, "The member \"%s\" must be a number from %g on.", key, least);
}

static bool set_method(MeasureMethod *method, const char *text, Error *error) {
    char list[FIELD_WORDS_TEXT];
    int word = field_word(measure_method_words, text);
    *method = word < 0 ? MEASURE_AUTO : (MeasureMethod)word;
    return word >= 0 || error_set(error, "The method \"%.40s\" is unknown: give %s.", text,
                                  field_words(measure_method_words, "", list));
}

static bool read_method(const json_t *line, MeasureMethod *method, Error *error) {
    const char *text;
    return read_text(line, "method", &text, error) && set_method(method, text, error);
}

// ---------------------------------------------------------------------------------------------------
// plan

static bool read_recorded(Rules *rules, const char *name, const char *letters, Error *error) {
    size_t length = strlen(letters);
    uint8_t *pieces = malloc(length + 1);
    bool good = pieces != NULL || error_set(error, "There is no memory for %zu recorded pieces.", length);
    for (size_t i = 0; good && i < length; i++) {
        int piece = piece_from_letter(letters[i]);
        good = piece >= 0 || error_set(error, "Recorded piece %zu is none of OISZLJT.", i + 1);
        pieces[i] = (uint8_t)piece;
    }
    piece_source_free(&rules->pieces);
    good = good && piece_source_recorded(&rules->pieces, name, pieces, length, error);
    free(pieces);
    return good;
}

static bool read_rules(Rules *rules, const json_t *line, Error *error) {
    const char *board, *overflow, *gameover, *kind, *pieces;
    const json_t *recorded = json_object_get(line, "recorded");
    rules_default(rules);
    if (!read_text(line, "board", &board, error) || !read_text(line, "overflow", &overflow, error) ||
        !read_text(line, "gameover", &gameover, error) || !read_text(line, "rules", &kind, error) ||
        !read_text(line, "piece_source", &pieces, error) || !rules_set(rules, "board", board, error) ||
        !rules_set(rules, "overflow", overflow, error) || !rules_set(rules, "gameover", gameover, error) ||
        !rules_set(rules, "rules", kind, error))
        return false;
    if (json_is_string(recorded))
        return read_recorded(rules, pieces, json_string_value(recorded), error) && rules_check(rules, error);
    piece_source_free(&rules->pieces);
    return piece_source_parse_law(&rules->pieces, pieces, error) && rules_check(rules, error);
}

static bool read_strategy(JournalEntry *entry, const json_t *line, Error *error) {
    Strategy strategy;
    const json_t *json = json_object_get(line, "strategy");
    entry->strategy = json_is_object(json) ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    if (!entry->strategy)
        return error_set(error, "The member \"strategy\" must be an object.");
    if (!strategy_parse_json(&strategy, "strategy", entry->strategy, strlen(entry->strategy), error))
        return false;
    memcpy(entry->name, strategy.name, sizeof entry->name);
    return true;
}

static void copy_clean(char *out, size_t room, const char *text) {
    utf8_clean(out, room, text, strlen(text));
}

static bool fill_plan(JournalEntry *entry, const json_t *line, const char *id, Error *error) {
    const char *version, *date;
    uint64_t format, base;
    if (!read_whole(line, "format", UINT64_MAX, &format, error))
        return false;
    if (format != JOURNAL_FORMAT)
        return error_set(error, "Its format is %" PRIu64 ", this program knows %d.", format, JOURNAL_FORMAT);
    if (!read_text(line, "version", &version, error) || !read_text(line, "date", &date, error) ||
        !read_strategy(entry, line, error) || !read_rules(&entry->rules, line, error) ||
        !read_whole(line, "seed", UINT64_MAX, &entry->seed, error) ||
        !read_method(line, &entry->method, error) ||
        !read_real(line, "precision", 1e-6, 0.05, &entry->precision, error) ||
        !read_whole(line, "budget", UINT64_MAX, &entry->budget, error) ||
        !read_whole(line, "base", BOARD_MAX_HEIGHT, &base, error) ||
        !read_whole(line, "trials", SPLITTING_MAX_TRIALS, &entry->trials, error))
        return false;
    entry->base = (int)base;
    snprintf(entry->id, sizeof entry->id, "%s", id);
    copy_clean(entry->version, sizeof entry->version, version);
    copy_clean(entry->date, sizeof entry->date, date);
    return true;
}

static void free_entry(JournalEntry *entry) {
    free(entry->strategy);
    rules_free(&entry->rules);
    free((void *)entry->known.run);
    free((void *)entry->known.score);
}

static bool read_plan(Reader *reader, JournalEntry *known, const json_t *line, const char *id, Error *error) {
    JournalContents *contents = reader->contents;
    if (known)
        return error_set(error, "There is a plan with the same id before.");
    if (contents->entries == JOURNAL_MAX_ENTRIES)
        return error_set(error, "There are more than %d measurements before.", JOURNAL_MAX_ENTRIES);
    if ((contents->entries & (contents->entries - 1)) == 0) {
        size_t room = contents->entries ? 2 * (size_t)contents->entries : 1;
        JournalEntry *grown = realloc(contents->entry, room * sizeof *grown);
        if (!grown)
            return reader->out_of_memory = true, false;
        contents->entry = grown;
    }
    JournalEntry *entry = &contents->entry[contents->entries];
    *entry = (JournalEntry){.mean_lines = NAN, .interval = {NAN, NAN}};
    bool good = fill_plan(entry, line, id, error);
    if (good)
        contents->entries++;
    else
        free_entry(entry);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// start, repetition, games, result

static bool read_start(Reader *reader, JournalEntry *entry, const json_t *line, const char *id,
                       Error *error) {
    (void)reader, (void)id;
    MeasureKnown known = entry->known;
    uint64_t base;
    if (!read_method(line, &known.method, error) ||
        !read_whole(line, "base", BOARD_MAX_HEIGHT, &base, error) ||
        !read_whole(line, "trials", SPLITTING_MAX_TRIALS, &known.trials, error) ||
        !read_whole(line, "pilot_pieces", UINT64_MAX, &known.pilot_pieces, error))
        return false;
    if (known.method == MEASURE_AUTO)
        return error_set(error, "The method auto is no decision.");
    if (entry->known.started)
        return true; // from a measurement that was resumed: the same
    // Repetitions without a start before them: nobody knows with which base and trials they were made.
    free((void *)known.run);
    known.run = NULL;
    known.runs = 0;
    known.base = (int)base;
    known.started = true;
    entry->known = known;
    return true;
}

// Room for elements 0 ... index, those that are new all zero.
static void *grown(const void *array, uint64_t count, uint64_t index, size_t size) {
    uint64_t room = index + 1;
    char *larger = realloc((void *)array, room * size);
    if (larger)
        memset(larger + count * size, 0, (room - count) * size);
    return larger;
}

static bool read_repetition(Reader *reader, JournalEntry *entry, const json_t *line, const char *id,
                            Error *error) {
    (void)id;
    MeasureKnown *known = &entry->known;
    SplittingRun run = {.done = true};
    uint64_t number = 0, extinct = 0;
    if (!read_whole(line, "number", SPLITTING_MAX_REPETITIONS - 1, &number, error) ||
        !read_real(line, "lambda", 0, -1, &run.lambda, error) ||
        !read_real(line, "cells", 0, NAN, &run.cells, error) ||
        !read_whole(line, "pieces", (uint64_t)1 << 53, &run.pieces, error) ||
        !read_whole(line, "extinct", BOARD_MAX_HEIGHT + 1, &extinct, error))
        return false;
    if (!(run.lambda >= 0 && run.lambda <= 1) || (run.lambda > 0 && isnan(run.cells)))
        return error_set(error, "A repetition has a lambda from 0 to 1, and cells if it is above 0.");
    if (number > known->runs + RUNS_AHEAD)
        return error_set(error, "Repetition %" PRIu64 " is too far from those before it.", number);
    run.extinct = (int)extinct;
    if (number >= known->runs) {
        SplittingRun *runs = grown(known->run, known->runs, number, sizeof *runs);
        if (!runs)
            return reader->out_of_memory = true, false;
        known->run = runs;
        known->runs = number + 1;
    }
    SplittingRun *place = (SplittingRun *)&known->run[number];
    if (!place->done)
        *place = run;
    return true;
}

static bool read_score(Score *score, const json_t *lines, const json_t *pieces) {
    if (json_is_null(lines) && json_is_null(pieces))
        return true;
    uint64_t most = (uint64_t)1 << 53;
    score->played = true;
    return whole_value(lines, most, &score->lines) && whole_value(pieces, most, &score->pieces);
}

static bool read_scores(Score *score, size_t count, const json_t *line, Error *error) {
    const json_t *lines = json_object_get(line, "lines"), *pieces = json_object_get(line, "pieces"),
                 *censored = json_object_get(line, "censored");
    for (size_t k = 0; k < count; k++)
        if (!read_score(&score[k], json_array_get(lines, k), json_array_get(pieces, k)))
            return error_set(error, "Game %zu of this line has no right score.", k + 1);
    for (size_t i = 0; i < json_array_size(censored); i++) {
        uint64_t k;
        if (!whole_value(json_array_get(censored, i), count - 1, &k))
            return error_set(error, "The member \"censored\" must list games of this line.");
        score[k].censored = true;
    }
    return true;
}

// A game that one budget stopped may have been played again, and further, with another.
static bool says_more(const Score *new, const Score *old) {
    return new->played && (!old->played || (old->censored && (!new->censored || new->pieces > old->pieces)));
}

static bool read_games(Reader *reader, JournalEntry *entry, const json_t *line, const char *id,
                       Error *error) {
    (void)id;
    MeasureKnown *known = &entry->known;
    uint64_t first;
    size_t count = json_array_size(json_object_get(line, "lines"));
    if (!read_whole(line, "first", PLAYING_MAX_GAMES - 1, &first, error))
        return false;
    if (count == 0 || count != json_array_size(json_object_get(line, "pieces")) ||
        first + count > PLAYING_MAX_GAMES)
        return error_set(error, "\"lines\" and \"pieces\" must be lists of one length.");
    if (first > known->scores + GAMES_AHEAD)
        return error_set(error, "Game %" PRIu64 " is too far from those before it.", first);
    Score *score = calloc(count, sizeof *score);
    if (!score)
        return reader->out_of_memory = true, false;
    bool good = read_scores(score, count, line, error);
    if (good && first + count > known->scores) {
        Score *scores = grown(known->score, known->scores, first + count - 1, sizeof *scores);
        if (scores) {
            known->score = scores;
            known->scores = first + count;
        }
        good = scores != NULL;
        reader->out_of_memory = !good;
    }
    for (size_t k = 0; good && k < count; k++)
        if (says_more(&score[k], &known->score[first + k]))
            ((Score *)known->score)[first + k] = score[k];
    free(score);
    return good;
}

static bool read_result(Reader *reader, JournalEntry *entry, const json_t *line, const char *id,
                        Error *error) {
    (void)reader, (void)id;
    JournalEntry new = *entry;
    const json_t *interval = json_object_get(line, "ci95");
    const char *note;
    if (!read_method(line, &new.used, error) ||
        !read_real(line, "mean_lines", 0, NAN, &new.mean_lines, error) ||
        !read_whole(line, "pieces", UINT64_MAX, &new.pieces, error) ||
        !read_whole(line, "count", PLAYING_MAX_GAMES, &new.count, error) ||
        !read_real(line, "seconds", 0, 0, &new.seconds, error) || !read_text(line, "note", &note, error))
        return false;
    if (json_array_size(interval) != 2 || new.used == MEASURE_AUTO ||
        !real_value(json_array_get(interval, 0), 0, NAN, &new.interval.low) ||
        !real_value(json_array_get(interval, 1), 0, INFINITY, &new.interval.high))
        return error_set(error, "A result has a method and a \"ci95\" of two numbers.");
    if (isnan(new.interval.low))
        new.interval.high = NAN;
    else if (isnan(new.mean_lines))
        new.mean_lines = INFINITY;
    new.precise = json_is_true(json_object_get(line, "precise"));
    new.interrupted = json_is_true(json_object_get(line, "interrupted"));
    copy_clean(new.note, sizeof new.note, note);
    new.finished = true;
    *entry = new;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Lines

typedef bool ReadKind(Reader *reader, JournalEntry *entry, const json_t *line, const char *id, Error *error);
static const struct Kind {
    const char *name;
    ReadKind *read;
} kinds[] = {{"plan", read_plan},
             {"start", read_start},
             {"repetition", read_repetition},
             {"games", read_games},
             {"result", read_result}};

static JournalEntry *find_entry(const Reader *reader, const char *id) {
    for (int i = reader->contents->entries - 1; i >= reader->first_entry; i--)
        if (!strcmp(reader->contents->entry[i].id, id))
            return &reader->contents->entry[i];
    return NULL;
}

static bool read_object(Reader *reader, const json_t *line, Error *error) {
    const char *kind, *id;
    char excerpt[40];
    if (!json_is_object(line))
        return error_set(error, "A line of a journal is a JSON object.");
    if (!read_text(line, "kind", &kind, error) || !read_text(line, "id", &id, error))
        return false;
    if (!*id || strlen(id) >= JOURNAL_ID)
        return error_set(error, "The member \"id\" must have 1 to %d characters.", JOURNAL_ID - 1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kind, kinds[i].name))
            continue;
        JournalEntry *entry = find_entry(reader, id);
        if (!entry && kinds[i].read != read_plan)
            return error_set(error, "There is no plan with its id before.");
        return kinds[i].read(reader, entry, line, id, error);
    }
    return error_set(error, "Lines of the kind \"%s\" are unknown to this program.",
                     utf8_clean(excerpt, sizeof excerpt, kind, strlen(kind)));
}

// json_parse names its place as :1:COLUMN:, which of a single line is half the truth.
static const char *without_place(const char *sentence) {
    const char *rest = sentence;
    for (int colons = 0; colons < 3 && rest; colons++)
        rest = strchr(rest, ':') ? strchr(rest, ':') + 1 : NULL;
    return rest && *rest == ' ' ? rest + 1 : sentence;
}

static void read_line(Reader *reader, const char *text, size_t length, bool whole) {
    Error error = {""};
    char sentence[600];
    if (strspn(text, " \t\r\n") >= length)
        return;
    json_t *line = NULL;
    bool good = false;
    if (length > JOURNAL_LINE_LIMIT) {
        error_set(&error, "It is longer than %d bytes.", JOURNAL_LINE_LIMIT);
    } else if ((line = json_parse("", text, length, &error))) {
        good = read_object(reader, line, &error);
    } else {
        snprintf(sentence, sizeof sentence, "%s", without_place(error.text));
        error_set(&error, whole ? "The line is damaged: %s" : "The file ends within this line (%s)",
                  sentence);
    }
    json_decref(line);
    if (!good && !reader->out_of_memory)
        complain(reader, error.text);
}

bool journal_parse(JournalContents *contents, const char *name, const char *text, size_t length,
                   void (*complain_to)(void *context, const char *sentence), void *context, Error *error) {
    Reader reader = {.contents = contents,
                     .name = name,
                     .first_entry = contents->entries,
                     .complain = complain_to,
                     .context = context};
    // strspn in read_line needs an end.
    char *copy = malloc(length + 1);
    if (!copy)
        return error_set(error, "%.200s: there is no memory to read it.", name);
    memcpy(copy, text, length);
    copy[length] = 0;
    for (size_t start = 0; start < length && !reader.out_of_memory;) {
        const char *end = memchr(copy + start, '\n', length - start);
        size_t size = end ? (size_t)(end - copy) - start : length - start;
        reader.line++;
        read_line(&reader, copy + start, size, end != NULL);
        start += size + 1;
    }
    free(copy);
    return !reader.out_of_memory || error_set(error, "%.200s: there is no memory to read it.", name);
}

bool journal_read(JournalContents *contents, const char *path,
                  void (*complain_to)(void *context, const char *sentence), void *context, Error *error) {
    size_t length;
    char *text = text_read_file(path, &length, error);
    bool good = text && journal_parse(contents, path, text, length, complain_to, context, error);
    free(text);
    return good;
}

void journal_free(JournalContents *contents) {
    for (int i = 0; i < contents->entries; i++)
        free_entry(&contents->entry[i]);
    free(contents->entry);
    *contents = (JournalContents){0};
}
