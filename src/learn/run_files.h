// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a run folder as texts: run.json, checkpoint-N.json and the lines of the history,
// journal.jsonl. Texts may come from anywhere; every number in them is checked. Numbers are written with 17
// digits: what is read back is bit for bit what was written. Runs count from 1 in the files, from 0 in the
// program.
#ifndef TETRALAB_LEARN_RUN_FILES_H
#define TETRALAB_LEARN_RUN_FILES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "learn/learning.h"

enum { RUN_FILE_FORMAT = 2 };

// ---- run.json. <- the text; free() it. NULL: the error says why
char *run_plan_text(const LearningPlan *plan, const char *version, Error *error);
// Free with learning_plan_free, also after an error.
bool run_plan_parse(LearningPlan *plan, const char *name, const char *text, size_t length, Error *error);

// ---- checkpoint-N.json
char *run_checkpoint_text(const Generation *generation, const json_t *state, Error *error);
// -> size  numbers in the answer
// <- newest  the generation that was the newest: run, generation, seconds and answer; free with run_line_free
// <- state   equal to what was written; decref it. Both also after an error
bool run_checkpoint_parse(Generation *newest, json_t **state, int run, int size, const char *name,
                          const char *text, size_t length, Error *error);

// ---- a line of journal.jsonl, as an object. NULL: the error says why
json_t *run_line_json(const Generation *generation, Error *error);
// -> size  numbers in its vectors
// <- generation  its arrays and texts are owned; free with run_line_free if true was returned
bool run_line_parse(Generation *generation, int runs, int size, const json_t *line, Error *error);
void run_line_free(Generation *generation);

// Replaces journal.jsonl by its good lines up to generation newest[run] of each run; the file stays untouched
// if that is all of it, or if there is none. What is left out may be worth a look: the file as it was is then
// journal.jsonl.before.
// <- left_out  lines
bool run_history_sift(const char *path, int runs, int size, const uint64_t *newest, uint64_t *left_out,
                      Error *error);

#endif
