// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the files of a run folder; run_files.h explains them. Scores may be infinite or not a number,
// which JSON does not have: they are written as "inf", "-inf" and null.
#include "learn/run_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json_parse.h"
#include "base/utf8.h"

enum { SENTENCE = 200 }; // bytes of a reason why a run stopped

static const int compact = JSON_COMPACT | JSON_REAL_PRECISION(17);

// ---------------------------------------------------------------------------------------------------
// Values

// Readers may take numbers for doubles: what one cannot hold is written as text.
json_t *run_whole_json(uint64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return value <= (uint64_t)1 << 53 ? json_integer((json_int_t)value) : json_string(text);
}

static json_t *score_json(double value) {
    return isfinite(value) ? json_real(value)
           : isnan(value)  ? json_null()
                           : json_string(value > 0 ? "inf" : "-inf");
}

// -> value  NULL: there is no list. <- false: a number is not finite, or no memory
static bool set_list(json_t *into, const char *key, const double *value, int size) {
    if (!value)
        return true;
    json_t *list = json_array();
    bool good = list != NULL;
    for (int k = 0; good && k < size; k++)
        good = isfinite(value[k]) && !json_array_append_new(list, json_real(value[k]));
    if (!good) {
        json_decref(list);
        return false;
    }
    return !json_object_set_new(into, key, list);
}

bool run_whole_parse(const json_t *value, uint64_t *number) {
    if (json_is_string(value)) {
        const char *text = json_string_value(value);
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 20 || text[digits] ||
            (digits == 20 && strcmp(text, "18446744073709551615") > 0))
            return false;
        *number = strtoull(text, NULL, 10);
        return true;
    }
    double real = json_is_number(value) ? json_number_value(value) : -1;
    if (!(real >= 0 && real <= 0x1p53) || real != floor(real))
        return false;
    *number = (uint64_t)real;
    return true;
}

static bool read_whole(const json_t *from, const char *key, uint64_t least, uint64_t most, uint64_t *number,
                       Error *error) {
    return (run_whole_parse(json_object_get(from, key), number) && *number >= least && *number <= most) ||
           error_set(error, "\"%s\" must be a whole number from %" PRIu64 " to %" PRIu64 ".", key, least,
                     most);
}

static bool read_seconds(const json_t *from, double *seconds, Error *error) {
    const json_t *value = json_object_get(from, "seconds");
    *seconds = json_is_number(value) ? json_number_value(value) : -1;
    return *seconds >= 0 || error_set(error, "\"seconds\" must be a number from 0 on.");
}

static bool read_score(const json_t *from, const char *key, double *score, Error *error) {
    const json_t *value = json_object_get(from, key);
    const char *text = json_string_value(value);
    *score = json_is_number(value) ? json_number_value(value) : NAN;
    if (text && (!strcmp(text, "inf") || !strcmp(text, "-inf")))
        *score = text[0] == '-' ? -INFINITY : INFINITY;
    return json_is_null(value) || !isnan(*score) ||
           error_set(error, "\"%s\" must be a number, \"inf\", \"-inf\" or null.", key);
}

// <- *present: there is such a list
static bool read_list(const json_t *from, const char *key, int size, double *out, bool *present,
                      Error *error) {
    const json_t *list = json_object_get(from, key);
    *present = list != NULL;
    if (!list)
        return true;
    bool good = json_is_array(list) && json_array_size(list) == (size_t)size;
    for (int k = 0; good && k < size; k++) {
        const json_t *value = json_array_get(list, (size_t)k);
        out[k] = json_number_value(value);
        good = json_is_number(value) && isfinite(out[k]);
    }
    return good || error_set(error, "\"%s\" must be a list of %d numbers.", key, size);
}

// Whole numbers stay whole numbers, unlike in json_parse, so that a state is given back equal; json_parse has
// the better words for what is wrong.
static json_t *parse_object(const char *name, const char *text, size_t length, Error *error) {
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    json_t *other = root ? NULL : json_parse(name, text, length, error);
    if (other)
        error_set(error, "%.200s: it holds a whole number that is too large.", name);
    json_decref(other);
    if (root && !json_is_object(root)) {
        error_set(error, "%.200s:1:1: expected an object, {...}.", name);
        json_decref(root);
        root = NULL;
    }
    return root;
}

static bool check_format(const json_t *root, const char *name, Error *error) {
    uint64_t format = 0;
    if (run_whole_parse(json_object_get(root, "format"), &format) && format == RUN_FILE_FORMAT)
        return true;
    if (format > RUN_FILE_FORMAT)
        return error_set(error,
                         "%.200s: its format is %" PRIu64 ", and this program knows format %d: use the "
                         "version that wrote it, or a newer one.",
                         name, format, RUN_FILE_FORMAT);
    return error_set(error, "%.200s: \"format\" must be %d.", name, RUN_FILE_FORMAT);
}

// <- the text of an object that was built; takes the reference. -> built  false: it is not complete
static char *object_text(json_t *object, bool built, int flags, const char *what, Error *error) {
    char *text = built ? json_dumps(object, (size_t)flags) : NULL;
    json_decref(object);
    if (!text)
        error_set(error, "%s cannot be written: there is no memory, or a number in it is not finite.", what);
    return text;
}

// The same as the text of a whole file: its last line has an end.
static char *file_text(json_t *object, bool built, int flags, const char *what, Error *error) {
    char *text = object_text(object, built, flags, what, error);
    char *longer = text ? realloc(text, strlen(text) + 2) : NULL;
    if (longer)
        return strcat(longer, "\n");
    if (text)
        error_set(error, "%s cannot be written: there is no memory.", what);
    free(text);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// run.json

char *run_plan_text(const LearningPlan *plan, const char *version, Error *error) {
    json_t *root = json_object();
    time_t now = time(NULL);
    struct tm utc;
    char date[24];
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    bool good = !json_object_set_new(root, "format", json_integer(RUN_FILE_FORMAT)) &&
                !json_object_set_new(root, "version", json_string(version)) &&
                !json_object_set_new(root, "date", json_string(date)) &&
                !json_object_set_new(root, "plan", learning_plan_save(plan));
    return file_text(root, good, JSON_INDENT(2) | JSON_REAL_PRECISION(17), "The plan", error);
}

bool run_plan_parse(LearningPlan *plan, const char *name, const char *text, size_t length, Error *error) {
    *plan = (LearningPlan){0};
    json_t *root = parse_object(name, text, length, error);
    bool good = root && check_format(root, name, error);
    Error detail = {""};
    if (good && !learning_plan_restore(plan, json_object_get(root, "plan"), &detail))
        good = error_set(error, "%.200s: %.300s", name, detail.text);
    json_decref(root);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// checkpoint-N.json

char *run_checkpoint_text(const Generation *generation, const json_t *state, Error *error) {
    json_t *root = json_object();
    bool good = !json_object_set_new(root, "format", json_integer(RUN_FILE_FORMAT)) &&
                !json_object_set_new(root, "run", json_integer(generation->run + 1)) &&
                !json_object_set_new(root, "generation", run_whole_json(generation->generation)) &&
                !json_object_set_new(root, "seconds", json_real(generation->seconds)) &&
                set_list(root, "answer", generation->answer, generation->size) &&
                !json_object_set(root, "state", (json_t *)state);
    return file_text(root, good, compact, "The checkpoint", error);
}

bool run_checkpoint_parse(Checkpoint *checkpoint, int run, int size, const char *name, const char *text,
                          size_t length, Error *error) {
    *checkpoint = (Checkpoint){0};
    json_t *root = parse_object(name, text, length, error);
    uint64_t number;
    bool present;
    if (!root || !check_format(root, name, error)) {
        json_decref(root);
        return false;
    }
    Error detail = {""};
    checkpoint->answer = malloc((size_t)size * sizeof *checkpoint->answer);
    bool good = checkpoint->answer || error_set(&detail, "There is no memory to read it.");
    good = good && read_whole(root, "run", (uint64_t)run + 1, (uint64_t)run + 1, &number, &detail) &&
           read_whole(root, "generation", 1, UINT64_MAX, &checkpoint->generation, &detail) &&
           read_seconds(root, &checkpoint->seconds, &detail) &&
           read_list(root, "answer", size, checkpoint->answer, &present, &detail) &&
           (present || error_set(&detail, "\"answer\" is missing."));
    checkpoint->run = run;
    checkpoint->state = json_incref(json_object_get(root, "state"));
    good = good &&
           (json_is_object(checkpoint->state) || error_set(&detail, "\"state\" must be an object, {...}."));
    json_decref(root);
    return good || error_set(error, "%.200s: %.300s", name, detail.text);
}

void run_checkpoint_free(Checkpoint *checkpoint) {
    free(checkpoint->answer);
    json_decref(checkpoint->state);
    *checkpoint = (Checkpoint){0};
}

// ---------------------------------------------------------------------------------------------------
// Lines of the journal

// The members that are alike, each once.
typedef struct Member {
    const char *key;
    size_t offset;
} Member;

static const Member whole_member[] = {
    {"generation", offsetof(Generation, generation)}, {"evaluations", offsetof(Generation, evaluations)},
    {"samples", offsetof(Generation, samples)},       {"full", offsetof(Generation, full)},
    {"pieces", offsetof(Generation, pieces)},
};
static const Member score_member[] = {
    {"best", offsetof(Generation, best)},   {"mean", offsetof(Generation, mean)},
    {"worst", offsetof(Generation, worst)}, {"curve", offsetof(Generation, curve)},
    {"sigma", offsetof(Generation, sigma)}, {"limit", offsetof(Generation, limit)},
};
static const Member list_member[] = {
    {"answer", offsetof(Generation, answer)}, // the first one is always there, and owns the memory of all
    {"best_vector", offsetof(Generation, best_vector)},
    {"deviation", offsetof(Generation, deviation)},
    {"axes", offsetof(Generation, axes)},
};
enum {
    WHOLE_MEMBERS = sizeof whole_member / sizeof *whole_member,
    SCORE_MEMBERS = sizeof score_member / sizeof *score_member,
    LIST_MEMBERS = sizeof list_member / sizeof *list_member
};

char *run_line_text(const Generation *generation, Error *error) {
    const char *base = (const char *)generation;
    json_t *line = json_object();
    bool good = !json_object_set_new(line, "run", json_integer(generation->run + 1));
    for (int k = 0; good && k < WHOLE_MEMBERS; k++)
        good = !json_object_set_new(line, whole_member[k].key,
                                    run_whole_json(*(const uint64_t *)(base + whole_member[k].offset)));
    good = good && !json_object_set_new(line, "seconds", json_real(generation->seconds));
    for (int k = 0; good && k < SCORE_MEMBERS; k++)
        good = !json_object_set_new(line, score_member[k].key,
                                    score_json(*(const double *)(base + score_member[k].offset)));
    for (int k = 0; good && k < LIST_MEMBERS; k++)
        good = set_list(line, list_member[k].key, *(const double *const *)(base + list_member[k].offset),
                        generation->size);
    if (good && generation->stopped) {
        char sentence[SENTENCE];
        utf8_clean(sentence, sizeof sentence, generation->stopped, strlen(generation->stopped));
        good = !json_object_set_new(line, "stopped", json_string(sentence));
    }
    return object_text(line, good, compact, "The generation", error);
}

static bool read_numbers(Generation *generation, const json_t *line, int runs, Error *error) {
    uint64_t run;
    char *base = (char *)generation;
    bool good = read_whole(line, "run", 1, (uint64_t)runs, &run, error);
    for (int k = 0; good && k < WHOLE_MEMBERS; k++)
        good = read_whole(line, whole_member[k].key, k == 0, UINT64_MAX,
                          (uint64_t *)(base + whole_member[k].offset), error);
    good = good && read_seconds(line, &generation->seconds, error);
    for (int k = 0; good && k < SCORE_MEMBERS; k++)
        good = read_score(line, score_member[k].key, (double *)(base + score_member[k].offset), error);
    generation->run = good ? (int)run - 1 : 0;
    return good;
}

static bool read_lists(Generation *generation, const json_t *line, int size, double *memory, Error *error) {
    bool present[LIST_MEMBERS];
    for (int k = 0; k < LIST_MEMBERS; k++) {
        double *list = memory + (size_t)k * (size_t)size;
        if (!read_list(line, list_member[k].key, size, list, &present[k], error))
            return false;
        *(const double **)((char *)generation + list_member[k].offset) = present[k] ? list : NULL;
    }
    generation->size = size;
    return present[0] || error_set(error, "\"answer\" is missing.");
}

static bool read_stopped(Generation *generation, const json_t *line, Error *error) {
    const json_t *value = json_object_get(line, "stopped");
    char sentence[SENTENCE];
    if (!value)
        return true;
    if (!json_is_string(value))
        return error_set(error, "\"stopped\" must be a text.");
    utf8_clean(sentence, sizeof sentence, json_string_value(value), json_string_length(value));
    generation->stopped = strdup(sentence);
    return generation->stopped || error_set(error, "There is no memory to read it.");
}

bool run_line_parse(Generation *generation, int runs, int size, const char *text, size_t length,
                    Error *error) {
    *generation = (Generation){0};
    json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(line)) {
        json_decref(line);
        return error_set(error, "It is no whole JSON object, {...}.");
    }
    double *memory = malloc((size_t)size * LIST_MEMBERS * sizeof *memory);
    bool good = memory || error_set(error, "There is no memory to read it.");
    good = good && read_numbers(generation, line, runs, error) &&
           read_lists(generation, line, size, memory, error) && read_stopped(generation, line, error);
    json_decref(line);
    if (!good) {
        free(memory);
        *generation = (Generation){0};
    }
    return good;
}

void run_line_free(Generation *generation) {
    free((double *)generation->answer);
    free((char *)generation->stopped);
    *generation = (Generation){0};
}
