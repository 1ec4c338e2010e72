// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a recorded match. What is accepted must come back from its own text, and can be checked.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "game/match_record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const MatchRecord *record) {
    MatchRecord again;
    Match match;
    Error error = {""};
    size_t length, length_again;
    char *text = match_record_to_text(record, &length, &error);
    if (!text || !match_record_parse(&again, "again", text, length, &error))
        abort();
    char *text_again = match_record_to_text(&again, &length_again, &error);
    if (!text_again || length_again != length || memcmp(text, text_again, length) != 0)
        abort();
    if (!match_record_check(record, "fuzz", &match, NULL, NULL, &error) && !error.text[0])
        abort();
    match_record_free(&again);
    free(text);
    free(text_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    MatchRecord record;
    Error error = {""};
    if (match_record_parse(&record, "fuzz", (const char *)data, size, &error))
        check(&record);
    else if (!error.text[0])
        abort();
    match_record_free(&record);
    return 0;
}
