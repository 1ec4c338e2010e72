// SPDX-License-Identifier: GPL-3.0-or-later
// Writing journals; journal_parse.c reads them. Numbers are written with 17 digits: what is read back is bit
// for bit what was measured, so that a resumed measurement cannot differ from one in one go.
#include "lab/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct Journal {
    int file;
    bool torn; // the file ends within a line
    char path[256];
};

Journal *journal_open(const char *path, Error *error) {
    Journal *journal = calloc(1, sizeof *journal);
    if (!journal) {
        error_set(error, "There is no memory to open %.200s.", path);
        return NULL;
    }
    snprintf(journal->path, sizeof journal->path, "%s", path);
    journal->file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    struct stat about;
    if (journal->file < 0 || fstat(journal->file, &about)) {
        error_set(error, "cannot write %.200s: %s.", path, strerror(errno));
        journal_close(journal);
        return NULL;
    }
    char last = '\n';
    if (S_ISREG(about.st_mode) && about.st_size > 0 && pread(journal->file, &last, 1, about.st_size - 1) == 1)
        journal->torn = last != '\n';
    return journal;
}

void journal_close(Journal *journal) {
    if (journal && journal->file >= 0)
        close(journal->file);
    free(journal);
}

// One write per line. Takes the reference. -> line  NULL: memory ran out while it was built
static bool append(Journal *journal, json_t *line, Error *error) {
    char *dump = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(line);
    size_t length = dump ? strlen(dump) : 0;
    char *text = malloc(length + 2), *end = text;
    if (!dump || !text) {
        free(dump);
        free(text);
        return error_set(error, "There is no memory for a line of %.200s.", journal->path);
    }
    if (journal->torn)
        *end++ = '\n';
    memcpy(end, dump, length);
    end[length] = '\n';
    size_t size = (size_t)(end - text) + length + 1;
    ssize_t written = write(journal->file, text, size);
    free(dump);
    free(text);
    if (written == (ssize_t)size) {
        journal->torn = false;
        return true;
    }
    journal->torn = journal->torn || written > 0;
    return error_set(error, "cannot write %.200s: %s.", journal->path,
                     written < 0 ? strerror(errno) : "there is no room left for a whole line");
}

// ---------------------------------------------------------------------------------------------------
// Lines

static json_t *line_of(const char *kind, const char *id) {
    json_t *line = json_object();
    json_object_set_new(line, "kind", json_string(kind));
    json_object_set_new(line, "id", json_string(id));
    return line;
}

// Readers take numbers for doubles: what one cannot hold is written as text.
static void set_whole(json_t *line, const char *key, uint64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    json_object_set_new(line, key,
                        value <= (uint64_t)1 << 53 ? json_integer((json_int_t)value) : json_string(text));
}

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text_or_ascii(const char *text) {
    json_t *json = json_string(text);
    char plain[PIECE_SOURCE_NAME];
    if (json)
        return json;
    snprintf(plain, sizeof plain, "%s", text);
    for (char *c = plain; *c; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    return json_string(plain);
}

static void set_rules(json_t *line, const Rules *rules) {
    char board[24];
    snprintf(board, sizeof board, "%dx%d", rules->width, rules->height);
    json_object_set_new(line, "board", json_string(board));
    json_object_set_new(line, "overflow", json_string(rules_overflow_name(rules->overflow)));
    json_object_set_new(line, "gameover", json_string(rules_gameover_name(rules->gameover)));
    json_object_set_new(line, "rules", json_string(rules->original ? "original" : "simplified"));
    json_object_set_new(line, "piece_source", text_or_ascii(rules->pieces.name));
    const PieceSource *pieces = &rules->pieces;
    char *letters = pieces->law == PIECES_RECORDED ? malloc(pieces->recorded_length) : NULL;
    for (size_t i = 0; letters && i < pieces->recorded_length; i++)
        letters[i] = piece_letter[pieces->recorded[i]];
    if (letters && pieces->recorded_length < JOURNAL_LINE_LIMIT / 2)
        json_object_set_new(line, "recorded", json_stringn(letters, pieces->recorded_length));
    free(letters);
}

static void make_id(char id[JOURNAL_ID], char date[24]) {
    static unsigned serial;
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(date, 24, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(id, JOURNAL_ID, "%" PRIx64 "-%x-%x",
             (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000, (unsigned)getpid(),
             __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED));
}

bool journal_plan(Journal *journal, const MeasurePlan *plan, const char *version, char id[JOURNAL_ID],
                  Error *error) {
    char date[24], *strategy = strategy_to_json(player_strategy(plan->player));
    make_id(id, date);
    json_t *line = line_of("plan", id);
    json_object_set_new(line, "format", json_integer(JOURNAL_FORMAT));
    json_object_set_new(line, "version", json_string(version));
    json_object_set_new(line, "date", json_string(date));
    json_t *parsed = strategy ? json_loads(strategy, 0, NULL) : NULL;
    free(strategy);
    if (!parsed) {
        json_decref(line);
        return error_set(error, "The strategy %.60s cannot be written to %.200s: its name is no UTF-8.",
                         player_strategy(plan->player)->name, journal->path);
    }
    json_object_set_new(line, "strategy", parsed);
    set_rules(line, player_rules(plan->player));
    set_whole(line, "seed", plan->seed);
    json_object_set_new(line, "method", json_string(measure_method_words[plan->method]));
    json_object_set_new(line, "precision", json_real(plan->precision));
    set_whole(line, "budget", plan->budget);
    json_object_set_new(line, "base", json_integer(plan->base));
    set_whole(line, "trials", plan->trials);
    return append(journal, line, error);
}

static json_t *start_line(const char *id, const MeasureEvent *event) {
    json_t *line = line_of("start", id);
    json_object_set_new(line, "method", json_string(measure_method_words[event->method]));
    json_object_set_new(line, "base", json_integer(event->base));
    set_whole(line, "trials", event->trials);
    set_whole(line, "pilot_pieces", event->pilot_pieces);
    return line;
}

static json_t *repetition_line(const char *id, const MeasureEvent *event) {
    json_t *line = line_of("repetition", id);
    set_whole(line, "number", event->first);
    json_object_set_new(line, "lambda", json_real(event->run->lambda));
    json_object_set_new(line, "cells", number(event->run->cells));
    set_whole(line, "pieces", event->run->pieces);
    json_object_set_new(line, "extinct", json_integer(event->run->extinct));
    return line;
}

static json_t *games_line(const char *id, const MeasureEvent *event) {
    json_t *line = line_of("games", id), *lines = json_array(), *pieces = json_array(),
           *censored = json_array();
    set_whole(line, "first", event->first);
    for (uint64_t k = 0; k < event->count; k++) {
        const Score *score = &event->score[k];
        json_array_append_new(lines, score->played ? json_integer((json_int_t)score->lines) : json_null());
        json_array_append_new(pieces, score->played ? json_integer((json_int_t)score->pieces) : json_null());
        if (score->played && score->censored)
            json_array_append_new(censored, json_integer((json_int_t)k));
    }
    json_object_set_new(line, "lines", lines);
    json_object_set_new(line, "pieces", pieces);
    json_object_set_new(line, "censored", censored);
    return line;
}

bool journal_event(Journal *journal, const char *id, const MeasureEvent *event, Error *error) {
    json_t *(*const make[])(const char *, const MeasureEvent *) = {[MEASURE_STARTED] = start_line,
                                                                   [MEASURE_REPETITION] = repetition_line,
                                                                   [MEASURE_GAMES_PLAYED] = games_line};
    return append(journal, make[event->kind](id, event), error);
}

bool journal_result(Journal *journal, const char *id, const Measurement *m, Error *error) {
    json_t *line = line_of("result", id);
    json_object_set_new(line, "method", json_string(measure_method_words[m->method]));
    json_object_set_new(line, "mean_lines", number(m->mean_lines));
    json_t *interval = json_array();
    json_array_append_new(interval, number(m->interval.low));
    json_array_append_new(interval, number(m->interval.high));
    json_object_set_new(line, "ci95", interval);
    set_whole(line, "count", m->method == MEASURE_GAMES ? m->games.games : m->splitting.runs);
    set_whole(line, "pieces", m->pieces);
    json_object_set_new(line, "seconds", json_real(m->seconds));
    json_object_set_new(line, "precise", json_boolean(m->precise));
    json_object_set_new(line, "interrupted", json_boolean(m->interrupted));
    json_object_set_new(line, "note", json_string(m->note));
    return append(journal, line, error);
}
