// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for the messages of front ends: whatever they say, the bot answers in JSON lines and goes on.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "player/tbp_bot.h"

static void require(bool fact) {
    if (!fact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static TbpBot *new_bot(Rules *rules) {
    Strategy strategy;
    Error error;
    rules_default(rules);
    require(strategy_find(&strategy, "fahey", &error));
    TbpBot *bot = tbp_bot_new(&strategy, rules, NULL, &error);
    require(bot != NULL);
    return bot;
}

// Every line of what it wrote is an object with a type.
static void check_answers(const char *text) {
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        json_t *message = json_loadb(text, (size_t)(end - text), 0, NULL);
        require(json_is_string(json_object_get(message, "type")));
        json_decref(message);
    }
    require(!*text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Rules rules;
    TbpBot *bot = new_bot(&rules);
    char *answers = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&answers, &length);
    require(out != NULL);
    for (size_t start = 0, lines = 0; start < size && lines < 50; lines++) {
        const uint8_t *end = memchr(data + start, '\n', size - start);
        size_t count = end ? (size_t)(end - data) - start : size - start;
        char *line = malloc(count ? count : 1); // its own block: reading past the end is seen
        Error error;
        require(line != NULL);
        memcpy(line, data + start, count);
        bool goes_on = tbp_bot_take(bot, line, count, out, &error);
        free(line);
        if (!goes_on)
            break;
        start += count + 1;
    }
    fclose(out);
    check_answers(answers);
    free(answers);
    tbp_bot_free(bot);
    rules_free(&rules);
    return 0;
}
