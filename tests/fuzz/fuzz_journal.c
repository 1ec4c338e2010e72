// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for the journal reader: every text is read, and what is kept of it can be used.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tasks/journal.h"

static void require(bool fact) {
    if (!fact)
        abort();
}

static void complain(void *context, const char *sentence) {
    (void)context;
    require(strstr(sentence, "skipped.") != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    JournalContents contents = {0};
    Error error = {""};
    char *text = malloc(size ? size : 1); // its own block: reading past the end is seen
    require(text != NULL);
    memcpy(text, data, size);
    require(journal_parse(&contents, "input", text, size, complain, NULL, &error));
    free(text);
    for (int i = 0; i < contents.entries; i++) {
        const JournalEntry *entry = &contents.entry[i];
        Strategy strategy;
        require(strategy_parse_json(&strategy, "strategy", entry->strategy, strlen(entry->strategy), &error));
        require(rules_check(&entry->rules, &error));
        for (uint64_t k = 0; k < entry->known.runs; k++)
            require(!entry->known.run[k].done || entry->known.run[k].lambda <= 1);
        for (uint64_t k = 0; k < entry->known.scores; k++)
            require(entry->known.score[k].lines <= (uint64_t)1 << 53);
    }
    journal_free(&contents);
    return 0;
}
