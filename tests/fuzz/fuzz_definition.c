// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for definitions of reproductions: every text is read or refused, its plot too, and what was
// read can be expanded at its scales and compared with its paper.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/comparison.h"
#include "reproduce/drawing.h"
#include "reproduce/results.h"

static void require(bool fact) {
    if (!fact)
        abort();
}

// Whatever the words are, they are options of a command with one default.
static json_t *settings(int count, char **word, Error *error) {
    json_t *made = json_pack("{ss}", "board", "10x20");
    for (int i = 2; i < count; i++)
        if (!strncmp(word[i], "--", 2))
            json_object_setn_new(made, word[i] + 2, strcspn(word[i] + 2, "="), json_string(word[i]));
    return made || error_set(error, "Out of memory.") ? made : NULL;
}

static void compare(const Definition *definition) {
    for (int i = 0; i < definition->rows; i++) {
        Error error = {""};
        Comparison found;
        require(comparison_make(&found, definition, "full", &definition->row[i], settings, &error) ||
                error.text[0]);
        comparison_free(&found);
    }
}

static void use(const Definition *definition, const char *scale) {
    for (int i = 0; i < definition->rows; i++) {
        const DefinitionRow *row = &definition->row[i];
        char text[RESULTS_TEXT];
        Error error = {""};
        json_t *commands = results_commands(definition, scale, row);
        require(commands && (row->ratio || json_array_size(commands) > 0));
        json_decref(commands);
        require(definition_repeats(definition, scale, row, &error) > 0 || error.text[0]);
        require(strlen(results_show_published(&row->published, row->unit, text)) < RESULTS_TEXT);
        require(verdict_of(&row->published, 1, (Interval){0, 2}) < VERDICTS);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = {""};
    char *text = malloc(size ? size : 1); // its own block: reading past the end is seen
    require(text != NULL);
    memcpy(text, data, size);
    Definition *definition = definition_read("some/folder/input.json", text, size, &error);
    free(text);
    require(definition || error.text[0]);
    if (definition) {
        require(drawing_check(definition, &error) || error.text[0]);
        require(comparison_check(definition, settings, &error) || error.text[0]);
        compare(definition);
        use(definition, "quick");
        use(definition, "full");
    }
    definition_free(definition);
    return 0;
}
