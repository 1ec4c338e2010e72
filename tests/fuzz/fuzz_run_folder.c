// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for the files of run folders: the first byte chooses between run.json, a checkpoint and a line
// of the history. What is accepted can be used, and comes back equal when it is written and read again.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_lines.h"
#include "learn/run_files.h"

enum { RUNS = 3, SIZE = 2 };

static void require(bool fact) {
    if (!fact)
        abort();
}

static void try_plan(const char *text, size_t length) {
    LearningPlan plan, again;
    Error error = {""};
    if (run_plan_parse(&plan, "input", text, length, &error)) {
        char *copy = run_plan_text(&plan, "1", &error);
        require(plan.runs >= 1 && plan.optimiser.dimension >= 1 && copy);
        require(run_plan_parse(&again, "copy", copy, strlen(copy), &error));
        json_t *a = learning_plan_save(&plan), *b = learning_plan_save(&again);
        require(json_equal(a, b));
        json_decref(a);
        json_decref(b);
        free(copy);
        learning_plan_free(&again);
    } else {
        require(strncmp(error.text, "input", 5) == 0);
    }
    learning_plan_free(&plan);
}

static void try_checkpoint(const char *text, size_t length) {
    Generation newest, again;
    json_t *state, *same;
    Error error = {""};
    if (run_checkpoint_parse(&newest, &state, 1, SIZE, "input", text, length, &error)) {
        char *copy = run_checkpoint_text(&newest, state, &error);
        require(copy && isfinite(newest.answer[0]) && json_is_object(state));
        require(run_checkpoint_parse(&again, &same, 1, SIZE, "copy", copy, strlen(copy), &error));
        require(again.generation == newest.generation && json_equal(same, state));
        run_line_free(&again);
        json_decref(same);
        free(copy);
    } else {
        require(strncmp(error.text, "input", 5) == 0);
    }
    run_line_free(&newest);
    json_decref(state);
}

static JsonLineFate take_line(void *context, const JsonLine *line, Error *error) {
    Generation generation, again;
    (void)context;
    if (!run_line_parse(&generation, RUNS, SIZE, line->object, error)) {
        require(error->text[0] != 0);
        return JSON_LINE_REFUSED;
    }
    json_t *copy = run_line_json(&generation, error);
    require(copy && generation.run >= 0 && generation.run < RUNS && generation.size == SIZE);
    require(run_line_parse(&again, RUNS, SIZE, copy, error));
    require(again.pieces == generation.pieces && again.answer[1] == generation.answer[1]);
    run_line_free(&again);
    run_line_free(&generation);
    json_decref(copy);
    return JSON_LINE_TAKEN;
}

static void try_line(const char *text, size_t length) {
    Error error = {""};
    require(json_lines_parse("input", text, length, &(JsonLinesReader){take_line, NULL, NULL, NULL}, &error));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const tries[])(const char *, size_t) = {try_plan, try_checkpoint, try_line};
    if (size < 1)
        return 0;
    char *text = malloc(size); // its own block: reading past the end is seen
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    char *exact = realloc(text, size > 1 ? size - 1 : 1);
    require(exact != NULL);
    tries[data[0] % 3](exact, size - 1);
    free(exact);
    return 0;
}
