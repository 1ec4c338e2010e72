// SPDX-License-Identifier: GPL-3.0-or-later
#include "exact/board_set.h"

#include <stdlib.h>

bool board_set_make(BoardSet *set, const uint64_t *bits, int cells) {
    uint64_t words = board_set_words(cells);
    *set = (BoardSet){.bits = bits, .before = malloc(words * sizeof *set->before)};
    for (uint64_t i = 0; set->before && i < words; i++) {
        set->before[i] = (uint32_t)set->boards;
        set->boards += (uint64_t)__builtin_popcountll(bits[i]);
    }
    return set->before;
}

void board_set_free(BoardSet *set) {
    free(set->before);
    *set = (BoardSet){0};
}
