// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the files of a run folder; run_files.h explains them.
#include "learn/run_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fields_json.h"
#include "base/json_memory.h"
#include "base/json_parse.h"
#include "base/utf8.h"

enum { SENTENCE = 200 }; // bytes of a reason why a run stopped

static const int compact = JSON_COMPACT | JSON_REAL_PRECISION(17);

static bool check_format(const json_t *root, const char *name, Error *error) {
    uint64_t format = 0;
    bool known = json_whole_value(json_object_get(root, "format"), &format);
    if (known && format == RUN_FILE_FORMAT)
        return true;
    if (known)
        return error_set(error,
                         "%.200s: its format is %" PRIu64 ", and this program knows format %d: use the "
                         "version that wrote it.",
                         name, format, RUN_FILE_FORMAT);
    return error_set(error, "%.200s: \"format\" must be %d.", name, RUN_FILE_FORMAT);
}

static json_t *parse_object(const char *name, const char *text, size_t length, Error *error) {
    json_t *root = json_parse_exact(name, text, length, error);
    if (!root || check_format(root, name, error))
        return root;
    json_decref(root);
    return NULL;
}

// <- the text of a file that holds the object; takes the reference. -> built  false: it is not complete
static char *file_text(json_t *object, bool built, int flags, const char *what, Error *error) {
    char *text = built ? json_text(object, (size_t)flags) : NULL;
    char *longer = text ? realloc(text, strlen(text) + 2) : NULL;
    json_decref(object);
    if (longer)
        return strcat(longer, "\n");
    error_set(error, "%s cannot be written: out of memory, or a number in it is not finite.", what);
    free(text);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// run.json

char *run_plan_text(const LearningPlan *plan, const char *version, Error *error) {
    json_t *root = json_object();
    char date[CLOCK_DATE];
    clock_date(date);
    bool good = !json_object_set_new(root, "format", json_integer(RUN_FILE_FORMAT)) &&
                !json_object_set_new(root, "version", json_string(version)) &&
                !json_object_set_new(root, "date", json_string(date)) &&
                !json_object_set_new(root, "plan", learning_plan_save(plan));
    return file_text(root, good, JSON_INDENT(2) | JSON_REAL_PRECISION(17), "The plan", error);
}

bool run_plan_parse(LearningPlan *plan, const char *name, const char *text, size_t length, Error *error) {
    *plan = (LearningPlan){0};
    json_t *root = parse_object(name, text, length, error);
    bool good = root;
    Error detail = {""};
    if (good && !learning_plan_restore(plan, json_object_get(root, "plan"), &detail))
        good = error_set(error, "%.200s: %.300s", name, detail.text);
    json_decref(root);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// checkpoint-N.json

static const Field checkpoint_field[] = {
    {"run", FIELD_INT, FIELD_AT(Generation, run), .least = 1, .most = LEARNING_MAX_RUNS},
    {"generation", FIELD_WHOLE, FIELD_AT(Generation, generation), .least = 1, .most = 0x1p64},
    {"seconds", FIELD_REAL, FIELD_AT(Generation, seconds), .least = 0, .most = 1e100},
    {"answer", FIELD_VECTOR, FIELD_AT(Generation, answer), .size_at = FIELD_AT(Generation, size)},
};
static const Fields checkpoint_fields = FIELDS(checkpoint_field);

char *run_checkpoint_text(const Generation *generation, const json_t *state, Error *error) {
    Generation in_file = *generation;
    in_file.run++;
    json_t *root = json_object();
    bool good = !json_object_set_new(root, "format", json_integer(RUN_FILE_FORMAT)) &&
                fields_save(checkpoint_fields, &in_file, root) &&
                !json_object_set(root, "state", (json_t *)state);
    return file_text(root, good, compact, "The checkpoint", error);
}

bool run_checkpoint_parse(Generation *newest, json_t **state, int run, int size, const char *name,
                          const char *text, size_t length, Error *error) {
    *newest = (Generation){.size = size};
    *state = NULL;
    json_t *root = parse_object(name, text, length, error);
    if (!root)
        return false;
    Error detail = {""};
    bool good =
        fields_restore(checkpoint_fields, newest, root, FIELDS_ALL, NULL, NULL, &detail) &&
        (newest->run == run + 1 || error_set(&detail, "\"run\" is %d; it must be %d.", newest->run, run + 1));
    newest->run = run;
    *state = json_incref(json_object_get(root, "state"));
    good = good && (json_is_object(*state) || error_set(&detail, "\"state\" must be an object, {...}."));
    json_decref(root);
    return good || error_set(error, "%.200s: %.300s", name, detail.text);
}

// ---------------------------------------------------------------------------------------------------
// Lines of the history

// Older lines have no quartiles, limit_share and selection_pieces; only cmaes has axes.
static const Field generation_field[] = {
    {"run", FIELD_INT, FIELD_AT(Generation, run), .least = 1, .most = LEARNING_MAX_RUNS},
    {"generation", FIELD_WHOLE, FIELD_AT(Generation, generation), .least = 1, .most = 0x1p64},
    {"evaluations", FIELD_WHOLE, FIELD_AT(Generation, evaluations)},
    {"samples", FIELD_WHOLE, FIELD_AT(Generation, samples)},
    {"full", FIELD_WHOLE, FIELD_AT(Generation, full)},
    {"pieces", FIELD_WHOLE, FIELD_AT(Generation, pieces)},
    {"selection_pieces", FIELD_REAL, FIELD_AT(Generation, selection_pieces), .preset = NAN, .most = 0x1p64},
    {"seconds", FIELD_REAL, FIELD_AT(Generation, seconds), .least = 0, .most = 1e100},
    {"best", FIELD_SCORE, FIELD_AT(Generation, best)},
    {"mean", FIELD_SCORE, FIELD_AT(Generation, mean)},
    {"worst", FIELD_SCORE, FIELD_AT(Generation, worst)},
    {"curve", FIELD_SCORE, FIELD_AT(Generation, curve)},
    {"sigma", FIELD_SCORE, FIELD_AT(Generation, sigma)},
    {"limit", FIELD_SCORE, FIELD_AT(Generation, limit)},
    {"lower", FIELD_SCORE, FIELD_AT(Generation, lower), .preset = NAN},
    {"upper", FIELD_SCORE, FIELD_AT(Generation, upper), .preset = NAN},
    {"limit_share", FIELD_REAL, FIELD_AT(Generation, limit_share), .preset = NAN, .most = 1},
    {"answer", FIELD_VECTOR, FIELD_AT(Generation, answer), .size_at = FIELD_AT(Generation, size)},
    {"best_vector", FIELD_VECTOR, FIELD_AT(Generation, best_vector), .size_at = FIELD_AT(Generation, size),
     .preset = NAN},
    {"deviation", FIELD_VECTOR, FIELD_AT(Generation, deviation), .size_at = FIELD_AT(Generation, size),
     .preset = NAN},
    {"axes", FIELD_VECTOR, FIELD_AT(Generation, axes), .size_at = FIELD_AT(Generation, size), .preset = NAN},
    {"stopped", FIELD_STRING, FIELD_AT(Generation, stopped), .preset = NAN},
};
static const Fields generation_fields = FIELDS(generation_field);

// Older lines have none of these.
static const Field score_field[] = {
    {"candidates", FIELD_INT, FIELD_AT(Generation, candidates), .most = OPTIMISER_MAX_POPULATION},
    {"scores", FIELD_VECTOR, FIELD_AT(Generation, scores), .size_at = FIELD_AT(Generation, candidates)},
    {"score_samples", FIELD_VECTOR, FIELD_AT(Generation, score_samples),
     .size_at = FIELD_AT(Generation, candidates)},
    {"score_pieces", FIELD_VECTOR, FIELD_AT(Generation, score_pieces),
     .size_at = FIELD_AT(Generation, candidates)},
};
static const Fields score_fields = FIELDS(score_field);

json_t *run_line_json(const Generation *generation, Error *error) {
    json_t *line = json_object();
    Generation in_file = *generation;
    in_file.run++;
    bool good = (line && fields_save(generation_fields, &in_file, line) &&
                 (!generation->candidates || fields_save(score_fields, &in_file, line))) ||
                error_set(error, "The generation cannot be written: out of memory, or a number in it is not "
                                 "finite.");
    return json_if(good, line);
}

bool run_line_parse(Generation *generation, int runs, int size, const json_t *line, Error *error) {
    char sentence[SENTENCE];
    *generation = (Generation){.size = size};
    fields_preset(generation_fields, generation);
    bool good = fields_restore(generation_fields, generation, line, FIELDS_ALL, NULL, NULL, error) &&
                fields_restore(score_fields, generation, line, FIELDS_MAY_MISS, NULL, NULL, error);
    if (good && generation->candidates &&
        !(generation->scores && generation->score_samples && generation->score_pieces))
        good = error_set(error, "\"candidates\" is there without their \"scores\", \"score_samples\" and "
                                "\"score_pieces\".");
    if (good && generation->run > runs)
        good = error_set(error, "\"run\" is %d; there are %d.", generation->run, runs);
    if (good && generation->stopped) { // it is the line's
        utf8_clean(sentence, sizeof sentence, generation->stopped, strlen(generation->stopped));
        generation->stopped = strdup(sentence);
        good = generation->stopped || error_set(error, "Out of memory: cannot read it.");
    } else {
        generation->stopped = NULL;
    }
    generation->run--;
    if (!good)
        run_line_free(generation);
    return good;
}

void run_line_free(Generation *generation) {
    free((double *)generation->answer);
    free((double *)generation->best_vector);
    free((double *)generation->deviation);
    free((double *)generation->axes);
    free((double *)generation->scores);
    free((double *)generation->score_samples);
    free((double *)generation->score_pieces);
    free((char *)generation->stopped);
    *generation = (Generation){0};
}
