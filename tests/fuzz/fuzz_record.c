// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a record. What is accepted must come back from its own text.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "game/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const Record *record) {
    Record again;
    Error error = {""};
    size_t length, length_again;
    char *text = record_to_text(record, &length, &error);
    if (!text || !record_parse(&again, "again", text, length, &error))
        abort();
    char *text_again = record_to_text(&again, &length_again, &error);
    if (!text_again || length_again != length || memcmp(text, text_again, length) != 0)
        abort();
    record_free(&again);
    free(text);
    free(text_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Record record;
    Error error = {""};
    if (record_parse(&record, "fuzz", (const char *)data, size, &error))
        check(&record);
    else if (!error.text[0])
        abort();
    record_free(&record);
    return 0;
}
