// SPDX-License-Identifier: GPL-3.0-or-later
// What is read back is bit for bit what was measured, so that a resumed measurement cannot differ from one in
// one go. Journals may come from anybody: what is kept of one is bounded by the size of the file.
#include "tasks/journal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fields_json.h"
#include "base/json_memory.h"
#include "base/list.h"
#include "game/rules_json.h"

enum {
    RUNS_AHEAD = 1024,      // repetitions end out of order, but no further apart than there can be threads
    GAMES_AHEAD = 2 * 16384 // two of the largest blocks, those of shards: damaged lines leave gaps
};

// ---------------------------------------------------------------------------------------------------
// The members of each kind of line

typedef enum LineKind { PLAN, START, REPETITION, GAMES, RESULT } LineKind;
static const char *const kind_words[] = {"plan", "start", "repetition", "games", "result", NULL};

typedef struct Head {
    LineKind kind;
    char id[JOURNAL_ID];
} Head;

static const Field head_field[] = {
    {"kind", FIELD_WORD, FIELD_AT(Head, kind), .words = kind_words},
    {"id", FIELD_TEXT, FIELD_TEXT_AT(Head, id)},
};
static const Fields head_fields = FIELDS(head_field);

static const Field plan_field[] = {
    {"version", FIELD_TEXT, FIELD_TEXT_AT(JournalEntry, version)},
    {"date", FIELD_TEXT, FIELD_TEXT_AT(JournalEntry, date)},
    {"seed", FIELD_WHOLE, FIELD_AT(JournalEntry, plan.seed)},
    {"method", FIELD_WORD, FIELD_AT(JournalEntry, plan.method), .words = measure_method_words},
    {"precision", FIELD_REAL, FIELD_AT(JournalEntry, plan.precision), .least = 1e-6, .most = 1e6},
    {"budget", FIELD_WHOLE, FIELD_AT(JournalEntry, plan.budget)},
    {"base", FIELD_INT, FIELD_AT(JournalEntry, plan.base), .most = BOARD_MAX_HEIGHT},
    {"trials", FIELD_WHOLE, FIELD_AT(JournalEntry, plan.trials), .most = SPLITTING_MAX_TRIALS},
    {"strands", FIELD_INT, FIELD_AT(JournalEntry, plan.strands), .least = 1, .most = SPLITTING_MAX_STRANDS,
     .zero_is_unset = true},
};
static const Fields plan_fields = FIELDS(plan_field);

static const Field start_field[] = {
    {"method", FIELD_WORD, FIELD_AT(MeasureKnown, method), .words = measure_method_words},
    {"base", FIELD_INT, FIELD_AT(MeasureKnown, base), .most = BOARD_MAX_HEIGHT},
    {"trials", FIELD_WHOLE, FIELD_AT(MeasureKnown, trials), .most = SPLITTING_MAX_TRIALS},
    {"pilot_pieces", FIELD_WHOLE, FIELD_AT(MeasureKnown, pilot_pieces)},
};
static const Fields start_fields = FIELDS(start_field);

// Of splitting, which early versions did without.
static const Field importance_field[] = {
    {"importance", FIELD_LIST, FIELD_AT(MeasureKnown, importance), .size = IMPORTANCE_TERMS},
};
static const Fields importance_fields = FIELDS(importance_field);

typedef struct Repetition {
    uint64_t number;
    SplittingRun run;
} Repetition;

static const Field repetition_field[] = {
    {"number", FIELD_WHOLE, FIELD_AT(Repetition, number), .most = SPLITTING_MAX_REPETITIONS - 1},
    {"lambda", FIELD_REAL, FIELD_AT(Repetition, run.lambda), .most = 1},
    {"cells", FIELD_SCORE, FIELD_AT(Repetition, run.cells), .most = 1e100},
    {"pieces", FIELD_WHOLE, FIELD_AT(Repetition, run.pieces), .most = 0x1p53},
    {"extinct", FIELD_INT, FIELD_AT(Repetition, run.extinct), .most = BOARD_MAX_HEIGHT + 1},
};
static const Fields repetition_fields = FIELDS(repetition_field);

// One element for each game, null for one that was not played.
typedef struct Games {
    uint64_t first;
    json_t *lines, *pieces, *censored; // the last one: which games the budget stopped, counted from 0
} Games;

static const Field games_field[] = {
    {"first", FIELD_WHOLE, FIELD_AT(Games, first), .most = PLAYING_MAX_GAMES - 1},
    {"lines", FIELD_JSON, FIELD_AT(Games, lines), .type = &field_list},
    {"pieces", FIELD_JSON, FIELD_AT(Games, pieces), .type = &field_list},
    {"censored", FIELD_JSON, FIELD_AT(Games, censored), .type = &field_list},
};
static const Fields games_fields = FIELDS(games_field);

static const Field result_field[] = {
    {"method", FIELD_WORD, FIELD_AT(JournalEntry, used), .words = measure_method_words},
    {"mean_lines", FIELD_SCORE, FIELD_AT(JournalEntry, mean_lines), .most = INFINITY},
    {"count", FIELD_WHOLE, FIELD_AT(JournalEntry, count), .most = PLAYING_MAX_GAMES},
    {"pieces", FIELD_WHOLE, FIELD_AT(JournalEntry, pieces)},
    {"seconds", FIELD_REAL, FIELD_AT(JournalEntry, seconds), .most = 1e100},
    {"precise", FIELD_FLAG, FIELD_AT(JournalEntry, precise)},
    {"interrupted", FIELD_FLAG, FIELD_AT(JournalEntry, interrupted)},
    {"note", FIELD_TEXT, FIELD_TEXT_AT(JournalEntry, note), .preset = NAN},
    {"ci95", FIELD_LIST, FIELD_AT(JournalEntry, interval), .size = 2, .preset = NAN, .most = INFINITY},
};
static const Fields result_fields = FIELDS(result_field);

// ---------------------------------------------------------------------------------------------------
// Writing

// <- a line with these members; NULL: out of memory
static json_t *line_of(LineKind kind, const char *id, Fields fields, const void *base) {
    Head head = {.kind = kind};
    json_t *line = json_object();
    snprintf(head.id, sizeof head.id, "%s", id);
    if (fields_save(head_fields, &head, line) && fields_save(fields, base, line))
        return line;
    json_decref(line);
    return NULL;
}

static void make_id(char id[JOURNAL_ID]) {
    static unsigned serial;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(id, JOURNAL_ID, "%" PRIx64 "-%x-%x",
             (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000, (unsigned)getpid(),
             __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED));
}

bool journal_plan(JsonLines *journal, const MeasurePlan *plan, const char *version, char id[JOURNAL_ID],
                  Error *error) {
    char *text = strategy_to_json(player_strategy(plan->player));
    json_t *strategy = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (!strategy)
        return error_set(error, "The strategy %.60s cannot be written to a journal: its name is no UTF-8.",
                         player_strategy(plan->player)->name);
    JournalEntry entry = {.plan = *plan};
    entry.plan.strands = measurement_strands(plan);
    snprintf(entry.version, sizeof entry.version, "%s", version);
    clock_date(entry.date);
    make_id(id);
    json_t *line = line_of(PLAN, id, plan_fields, &entry);
    bool good = !json_object_set_new(line, "strategy", strategy) &&
                !json_object_set_new(line, "format", json_integer(JOURNAL_FORMAT)) &&
                rules_json_add(line, player_rules(plan->player));
    if (!good) {
        json_decref(line);
        line = NULL;
    }
    return json_lines_append(journal, line, error);
}

static json_t *start_line(const char *id, const MeasureEvent *event) {
    MeasureKnown start = {.method = event->method,
                          .base = event->base,
                          .trials = event->trials,
                          .importance = event->importance,
                          .pilot_pieces = event->pilot_pieces};
    json_t *line = line_of(START, id, start_fields, &start);
    if (start.method != MEASURE_SPLITTING || (line && fields_save(importance_fields, &start, line)))
        return line;
    json_decref(line);
    return NULL;
}

static json_t *repetition_line(const char *id, const MeasureEvent *event) {
    return line_of(REPETITION, id, repetition_fields, &(Repetition){event->first, *event->run});
}

static json_t *games_line(const char *id, const MeasureEvent *event) {
    Games games = {event->first, json_array(), json_array(), json_array()};
    for (uint64_t k = 0; k < event->count; k++) {
        const Score *score = &event->score[k];
        json_array_append_new(games.lines, score->played ? json_whole(score->lines) : json_null());
        json_array_append_new(games.pieces, score->played ? json_whole(score->pieces) : json_null());
        if (score->played && score->censored)
            json_array_append_new(games.censored, json_whole(k));
    }
    json_t *line = line_of(GAMES, id, games_fields, &games);
    json_decref(games.lines);
    json_decref(games.pieces);
    json_decref(games.censored);
    return line;
}

bool journal_event(JsonLines *journal, const char *id, const MeasureEvent *event, Error *error) {
    json_t *(*const make[])(const char *, const MeasureEvent *) = {[MEASURE_STARTED] = start_line,
                                                                   [MEASURE_REPETITION] = repetition_line,
                                                                   [MEASURE_GAMES_PLAYED] = games_line};
    return json_lines_append(journal, make[event->kind](id, event), error);
}

void journal_finish(JournalEntry *entry, const Measurement *m) {
    entry->finished = true;
    entry->used = m->method;
    entry->mean_lines = m->mean_lines;
    entry->count = m->method == MEASURE_GAMES ? m->games.games : m->splitting.runs;
    entry->pieces = m->pieces;
    entry->seconds = m->seconds;
    entry->precise = m->precise;
    entry->interrupted = m->interrupted;
    entry->interval = m->interval;
    snprintf(entry->note, sizeof entry->note, "%s", m->note);
}

static bool append_result(JsonLines *journal, const char *id, JournalEntry entry, Error *error) {
    entry.mean_lines = isfinite(entry.mean_lines) ? entry.mean_lines : NAN;
    return json_lines_append(journal, line_of(RESULT, id, result_fields, &entry), error);
}

bool journal_result(JsonLines *journal, const char *id, const Measurement *m, Error *error) {
    JournalEntry entry = {.finished = false};
    journal_finish(&entry, m);
    return append_result(journal, id, entry, error);
}

// ---------------------------------------------------------------------------------------------------
// Reading: plan

typedef struct JournalReader {
    JournalContents *contents;
    int first_entry; // entries before it come from other journals, where the same id means nothing
    bool out_of_memory;
} JournalReader;

static bool read_strategy(JournalEntry *entry, const json_t *line, Error *error) {
    Strategy strategy;
    const json_t *json = json_object_get(line, "strategy");
    entry->strategy = json_is_object(json) ? json_text(json, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    if (!entry->strategy)
        return error_set(error, "\"strategy\" must be an object.");
    if (!strategy_parse_json(&strategy, "strategy", entry->strategy, strlen(entry->strategy), error))
        return false;
    memcpy(entry->name, strategy.name, sizeof entry->name);
    return true;
}

static bool fill_plan(JournalEntry *entry, const json_t *line, Error *error) {
    uint64_t format = 0;
    if (!json_whole_value(json_object_get(line, "format"), &format) || format != JOURNAL_FORMAT)
        return error_set(error,
                         "\"format\" is not %d, which this program knows: use the version that wrote it.",
                         JOURNAL_FORMAT);
    entry->plan.strands = 1; // early versions had no others
    return fields_restore(plan_fields, entry, line, FIELDS_ALL, NULL, NULL, error) &&
           read_strategy(entry, line, error) && rules_json_restore(&entry->rules, line, error);
}

static void free_entry(JournalEntry *entry) {
    free(entry->strategy);
    rules_free(&entry->rules);
    free((void *)entry->known.run);
    free((void *)entry->known.score);
}

static bool read_plan(JournalReader *reader, const char *id, const json_t *line, Error *error) {
    JournalContents *contents = reader->contents;
    if (contents->entries == JOURNAL_MAX_ENTRIES)
        return error_set(error, "There are more than %d measurements before.", JOURNAL_MAX_ENTRIES);
    if (!list_room(&contents->entry, (size_t)contents->entries, sizeof *contents->entry))
        return !(reader->out_of_memory = true);
    JournalEntry *entry = &contents->entry[contents->entries];
    *entry = (JournalEntry){.mean_lines = NAN, .interval = {NAN, NAN}};
    memcpy(entry->id, id, sizeof entry->id);
    bool good = fill_plan(entry, line, error);
    if (good)
        contents->entries++;
    else
        free_entry(entry);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Reading: start, repetition, games, result

static bool read_start(JournalReader *reader, JournalEntry *entry, const json_t *line, Error *error) {
    (void)reader;
    MeasureKnown known = entry->known;
    if (!fields_restore(start_fields, &known, line, FIELDS_ALL, NULL, NULL, error))
        return false;
    if (known.method == MEASURE_AUTO)
        return error_set(error, "The method auto is no decision.");
    if (known.method == MEASURE_SPLITTING &&
        !fields_restore(importance_fields, &known, line, FIELDS_ALL, NULL, NULL, error))
        return false;
    if (entry->known.started)
        return true; // from a measurement that was resumed: the same
    // Repetitions without a start before them: nobody knows with which base and trials they were made.
    free((void *)known.run);
    known.run = NULL;
    known.runs = 0;
    known.started = true;
    entry->known = known;
    return true;
}

// Room for so many elements, those that are new all zero. NULL: out of memory
static void *grow(JournalReader *reader, const void *array, uint64_t *count, uint64_t wanted, size_t size) {
    if (wanted <= *count)
        return (void *)array;
    char *larger = realloc((void *)array, wanted * size);
    reader->out_of_memory = !larger;
    if (!larger)
        return NULL;
    memset(larger + *count * size, 0, (wanted - *count) * size);
    *count = wanted;
    return larger;
}

static bool read_repetition(JournalReader *reader, JournalEntry *entry, const json_t *line, Error *error) {
    MeasureKnown *known = &entry->known;
    Repetition new = {.run.done = true};
    if (!fields_restore(repetition_fields, &new, line, FIELDS_ALL, NULL, NULL, error))
        return false;
    if (new.run.lambda > 0 && isnan(new.run.cells))
        return error_set(error, "A repetition whose lambda is above 0 has cells.");
    if (new.number > known->runs + RUNS_AHEAD)
        return error_set(error, "Repetition %" PRIu64 " is too far from those before it.", new.number);
    SplittingRun *run = grow(reader, known->run, &known->runs, new.number + 1, sizeof *run);
    if (!run)
        return false;
    known->run = run;
    if (!run[new.number].done)
        run[new.number] = new.run;
    return true;
}

static bool read_count(const json_t *list, size_t place, uint64_t most, uint64_t *count) {
    return json_whole_value(json_array_get(list, place), count) && *count <= most;
}

static bool read_scores(Score *score, size_t count, const Games *games, Error *error) {
    uint64_t most = (uint64_t)1 << 53, place;
    for (size_t k = 0; k < count; k++) {
        score[k].played =
            !json_is_null(json_array_get(games->lines, k)) || !json_is_null(json_array_get(games->pieces, k));
        if (score[k].played && (!read_count(games->lines, k, most, &score[k].lines) ||
                                !read_count(games->pieces, k, most, &score[k].pieces)))
            return error_set(error, "Game %zu of this line has no right score.", k + 1);
    }
    for (size_t i = 0; i < json_array_size(games->censored); i++) {
        if (!read_count(games->censored, i, count - 1, &place))
            return error_set(error, "\"censored\" must list games of this line.");
        score[place].censored = true;
    }
    return true;
}

// A game that one budget stopped may have been played again, and further, with another.
static bool says_more(const Score *new, const Score *old) {
    return new->played && (!old->played || (old->censored && (!new->censored || new->pieces > old->pieces)));
}

static bool read_games(JournalReader *reader, JournalEntry *entry, const json_t *line, Error *error) {
    MeasureKnown *known = &entry->known;
    Games games;
    if (!fields_restore(games_fields, &games, line, FIELDS_ALL, NULL, NULL, error))
        return false;
    size_t count = json_array_size(games.lines);
    uint64_t first = games.first;
    if (count == 0 || count != json_array_size(games.pieces) || first + count > PLAYING_MAX_GAMES)
        return error_set(error, "\"lines\" and \"pieces\" must be lists of one length.");
    if (first > known->scores + GAMES_AHEAD)
        return error_set(error, "Game %" PRIu64 " is too far from those before it.", first);
    Score *score = calloc(count, sizeof *score), *all = NULL;
    reader->out_of_memory = !score;
    if (score && read_scores(score, count, &games, error))
        all = grow(reader, known->score, &known->scores, first + count, sizeof *all);
    if (all)
        known->score = all;
    for (size_t k = 0; all && k < count; k++)
        if (says_more(&score[k], &all[first + k]))
            all[first + k] = score[k];
    free(score);
    return all;
}

static bool read_result(JournalReader *reader, JournalEntry *entry, const json_t *line, Error *error) {
    (void)reader;
    JournalEntry new = *entry;
    new.note[0] = 0;
    Interval *interval = &new.interval;
    if (!fields_restore(result_fields, &new, line, FIELDS_ALL, NULL, NULL, error))
        return false;
    if (new.used == MEASURE_AUTO)
        return error_set(error, "The method auto measures nothing.");
    // An end that is not finite is written as null.
    if (isnan(interval->low))
        interval->high = NAN;
    else if (isnan(interval->high))
        interval->high = INFINITY;
    if (!isnan(interval->low) && isnan(new.mean_lines))
        new.mean_lines = INFINITY;
    new.finished = true;
    *entry = new;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Reading: lines

static JournalEntry *find_entry(const JournalReader *reader, const char *id) {
    for (int i = reader->contents->entries - 1; i >= reader->first_entry; i--)
        if (!strcmp(reader->contents->entry[i].id, id))
            return &reader->contents->entry[i];
    return NULL;
}

static bool read_line(JournalReader *reader, const json_t *line, Error *error) {
    bool (*const read[])(JournalReader *, JournalEntry *, const json_t *, Error *) = {
        [START] = read_start, [REPETITION] = read_repetition, [GAMES] = read_games, [RESULT] = read_result};
    Head head = {0};
    if (!fields_restore(head_fields, &head, line, FIELDS_ALL, NULL, NULL, error))
        return false;
    JournalEntry *entry = find_entry(reader, head.id);
    if (!*head.id)
        return error_set(error, "\"id\" is empty.");
    if (head.kind == PLAN && entry)
        return error_set(error, "There is a plan with the same id before.");
    if (head.kind == PLAN)
        return read_plan(reader, head.id, line, error);
    if (!entry)
        return error_set(error, "There is no plan with its id before.");
    return read[head.kind](reader, entry, line, error);
}

static JsonLineFate take_line(void *context, const JsonLine *line, Error *error) {
    JournalReader *reader = context;
    if (read_line(reader, line->object, error))
        return JSON_LINE_TAKEN;
    if (!reader->out_of_memory)
        return JSON_LINE_REFUSED;
    error_set(error, "Out of memory for the measurements of this journal.");
    return JSON_LINE_STOP;
}

bool journal_parse(JournalContents *contents, const char *name, const char *text, size_t length,
                   void (*complain)(void *context, const char *sentence), void *context, Error *error) {
    JournalReader reader = {.contents = contents, .first_entry = contents->entries};
    return json_lines_parse(name, text, length, &(JsonLinesReader){take_line, &reader, complain, context},
                            error);
}

// What a file is, by its first line that is of a known kind.
typedef enum FileKind { OTHER_FILE, JOURNAL, LEARNING_HISTORY } FileKind;

static JsonLineFate recognise(void *context, const JsonLine *line, Error *error) {
    FileKind *kind = context;
    Head head;
    if (fields_restore(head_fields, &head, line->object, FIELDS_ALL, NULL, NULL, error))
        *kind = JOURNAL;
    else if (json_object_get(line->object, "generation") && json_object_get(line->object, "answer"))
        *kind = LEARNING_HISTORY;
    return *kind == OTHER_FILE ? JSON_LINE_TAKEN : JSON_LINE_STOP;
}

static bool check_kind(const char *path, Error *error) {
    FileKind kind = OTHER_FILE;
    Error inner = {""};
    if (!json_lines_read(path, &(JsonLinesReader){recognise, &kind, NULL, NULL}, &inner) &&
        kind == OTHER_FILE)
        return error_set(error, "%s", inner.text);
    if (kind == LEARNING_HISTORY)
        return error_set(error,
                         "%.200s is the history of a learning run, not a journal of measurements: 'tetralab "
                         "plot' draws its folder; measure the player that was learned, best.json.",
                         path);
    return kind == JOURNAL ||
           error_set(error,
                     "%.200s is no journal of measurements: it has no line that 'tetralab measure --journal "
                     "FILE' writes.",
                     path);
}

bool journal_read(JournalContents *contents, const char *path,
                  void (*complain)(void *context, const char *sentence), void *context, Error *error) {
    JournalReader reader = {.contents = contents, .first_entry = contents->entries};
    return check_kind(path, error) &&
           json_lines_read(path, &(JsonLinesReader){take_line, &reader, complain, context}, error) &&
           (contents->entries > reader.first_entry ||
            error_set(error, "%.200s: there is no measurement in this journal.", path));
}

// ---------------------------------------------------------------------------------------------------
// Merging

static bool is_same_plan(const JournalEntry *a, const JournalEntry *b) {
    const MeasurePlan *p = &a->plan, *q = &b->plan;
    return !strcmp(a->strategy, b->strategy) && !rules_difference(&a->rules, &b->rules) &&
           p->seed == q->seed && p->method == q->method && p->precision == q->precision &&
           p->budget == q->budget && p->base == q->base && p->trials == q->trials && p->strands == q->strands;
}

static bool is_same_start(const MeasureKnown *a, const MeasureKnown *b) {
    return a->method == b->method && a->base == b->base && a->trials == b->trials &&
           a->pilot_pieces == b->pilot_pieces &&
           !memcmp(&a->importance, &b->importance, sizeof a->importance);
}

static bool add_known(JournalReader *reader, MeasureKnown *to, const MeasureKnown *from, Error *error) {
    if (!from->started)
        return true;
    if (!to->started) {
        to->started = true;
        to->method = from->method;
        to->base = from->base;
        to->trials = from->trials;
        to->pilot_pieces = from->pilot_pieces;
        to->importance = from->importance;
    }
    if (!is_same_start(to, from))
        return error_set(error, "they began in different ways, as different versions of the program do");
    SplittingRun *run = grow(reader, to->run, &to->runs, from->runs, sizeof *run);
    to->run = run ? run : to->run;
    Score *score = grow(reader, to->score, &to->scores, from->scores, sizeof *score);
    to->score = score ? score : to->score;
    if (reader->out_of_memory)
        return error_set(error, "out of memory");
    for (uint64_t k = 0; k < from->runs; k++)
        if (!run[k].done)
            run[k] = from->run[k];
    for (uint64_t k = 0; k < from->scores; k++)
        if (says_more(&from->score[k], &score[k]))
            score[k] = from->score[k];
    return true;
}

bool journal_merge(JournalContents *contents, Error *error) {
    JournalReader reader = {.contents = contents};
    Error why;
    bool good = true;
    int kept = 0;
    for (int i = 0; good && i < contents->entries; i++) {
        JournalEntry *entry = &contents->entry[i];
        int k = 0;
        while (k < kept && !is_same_plan(&contents->entry[k], entry))
            k++;
        if (k < kept) {
            JournalEntry first = contents->entry[k];
            if (entry->finished && (!first.finished || (first.interrupted && !entry->interrupted))) {
                contents->entry[k] = *entry;
                *entry = first;
            }
            good = add_known(&reader, &contents->entry[k].known, &entry->known, &why);
            if (!good)
                error_set(error, "%s cannot be merged: %s.", entry->name, why.text);
            free_entry(entry);
        } else if (kept++ < i) {
            contents->entry[k] = *entry;
        }
        if (k < i)
            *entry = (JournalEntry){.finished = false};
    }
    contents->entries = good ? kept : contents->entries;
    return good;
}

bool journal_copy(JsonLines *journal, const JournalEntry *entry, const Player *player, Error *error) {
    const MeasureKnown *known = &entry->known;
    MeasurePlan plan = entry->plan;
    plan.player = player;
    char id[JOURNAL_ID];
    MeasureEvent start = {.kind = MEASURE_STARTED,
                          .method = known->method,
                          .base = known->base,
                          .trials = known->trials,
                          .importance = known->importance,
                          .pilot_pieces = known->pilot_pieces};
    bool good = journal_plan(journal, &plan, entry->version, id, error) &&
                (!known->started || journal_event(journal, id, &start, error));
    for (uint64_t k = 0; good && k < known->runs; k++)
        if (known->run[k].done)
            good = journal_event(
                journal, id, &(MeasureEvent){.kind = MEASURE_REPETITION, .first = k, .run = &known->run[k]},
                error);
    for (uint64_t k = 0, count; good && k < known->scores; k += count) {
        count = known->scores - k < GAMES_AHEAD / 2 ? known->scores - k : GAMES_AHEAD / 2;
        good = journal_event(
            journal, id,
            &(MeasureEvent){
                .kind = MEASURE_GAMES_PLAYED, .first = k, .score = known->score + k, .count = count},
            error);
    }
    return good && (!entry->finished || append_result(journal, id, *entry, error));
}

void journal_free(JournalContents *contents) {
    for (int i = 0; i < contents->entries; i++)
        free_entry(&contents->entry[i]);
    free(contents->entry);
    *contents = (JournalContents){0};
}
