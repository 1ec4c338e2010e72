// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for numbers out of outputs, as reproductions ask for them: the first line is a path, the rest
// JSON. What is found can be reduced, or it is said why not; taken as lines of results, it is read or left
// out.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_parse.h"
#include "reproduce/json_numbers.h"
#include "reproduce/results.h"

static void require(bool fact) {
    if (!fact)
        abort();
}

static const Definition *definition(void) {
    static const char text[] =
        "{\"title\": \"t\", \"paper\": \"p\", \"place\": \"1\", \"text\": \"t\","
        "\"scales\": {\"quick\": {}, \"full\": {}},"
        "\"rows\": [{\"row\": \"a\", \"run\": \"play bcts\", \"unit\": \"lines\", \"published\": [0, 9]},"
        "{\"row\": \"b\", \"run\": \"play bcts\", \"published\": [0, 9]},"
        "{\"row\": \"c\", \"ratio\": [\"a\", \"b\"], \"published\": [0, 9]}]}";
    static Definition *made;
    Error error = {""};
    if (!made)
        made = definition_read("some/folder/input.json", text, sizeof text - 1, &error);
    require(made != NULL);
    return made;
}

static void try_results(const json_t *json) {
    Result result;
    char text[RESULTS_TEXT];
    const Definition *known = definition();
    json_t *list = json_is_array(json) ? json_copy((json_t *)json) : json_pack("[O]", json);
    require(list != NULL);
    for (int i = 0; i < known->rows; i++)
        if (results_find(list, known, "quick", &known->row[i], &result)) {
            require(strlen(results_show(&result, "lines", text)) < RESULTS_TEXT);
        }
    json_decref(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    if (!end)
        return 0;
    size_t length = (size_t)(end - data);
    char *path = malloc(length + 1);
    require(path != NULL);
    memcpy(path, data, length);
    path[length] = 0;
    Error error = {""};
    json_t *json = json_parse("input", (const char *)end + 1, size - length - 1, &error);
    require(json || error.text[0]);
    Numbers numbers = {0};
    for (int nulls = 0; json && nulls < 2; nulls++) {
        if (json_numbers(json, path, nulls, &numbers, &error)) {
            require(numbers.count > 0 && numbers.value);
            for (int r = 0; r < REDUCTIONS && !nulls; r++) {
                double result = NAN;
                require(numbers_reduce(&numbers, (Reduction)r, &result, &error) ? isfinite(result)
                                                                                : error.text[0] != 0);
            }
            free(numbers.value);
        } else {
            require(error.text[0] != 0);
        }
    }
    if (json)
        try_results(json);
    json_decref(json);
    free(path);
    return 0;
}
