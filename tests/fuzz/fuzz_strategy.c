// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for the strategy readers: the first byte chooses the format. What is accepted must also survive
// being written as JSON and read again, unchanged.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "player/strategy.h"

static void require(bool fact) {
    if (!fact)
        abort();
}

static bool same_rating(const RatingWeights *a, const RatingWeights *b) {
    return a->kind == b->kind && a->hidden == b->hidden && memcmp(a->unit, b->unit, sizeof a->unit) == 0 &&
           memcmp(a->given, b->given, sizeof a->given) == 0 &&
           memcmp(a->weight, b->weight, sizeof a->weight) == 0 &&
           memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0 &&
           memcmp(a->displacement, b->displacement, sizeof a->displacement) == 0;
}

static bool same_strategy(const Strategy *a, const Strategy *b) {
    return strcmp(a->name, b->name) == 0 && strcmp(a->source, b->source) == 0 && a->player == b->player &&
           a->ties == b->ties && a->clear_late == b->clear_late && same_rating(&a->rating, &b->rating) &&
           memcmp(&a->expectimax, &b->expectimax, sizeof a->expectimax) == 0 &&
           memcmp(&a->uct, &b->uct, sizeof a->uct) == 0 && strcmp(a->table, b->table) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Strategy first, second;
    Error error = {""};
    if (size == 0)
        return 0;
    char *text = malloc(size > 1 ? size - 1 : 1); // its own block: reading past the end is seen
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    bool json = data[0] % 2 == 0;
    bool read = json ? strategy_parse_json(&first, "input.json", text, size - 1, &error)
                     : strategy_parse_dat(&first, "input.dat", text, size - 1, &error);
    free(text);
    require(read || error.text[0] != 0);
    if (!read)
        return 0;
    char *written = strategy_to_json(&first);
    require(written != NULL);
    require(strategy_parse_json(&second, "written.json", written, strlen(written), &error));
    require(same_strategy(&first, &second));
    free(written);
    return 0;
}
