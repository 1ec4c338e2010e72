// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/attack.h"

// Empties one filled cell after the other, each of those left with the same probability.
static uint16_t draw_row(int width, int empty, Random *random) {
    uint32_t row = (1u << width) - 1;
    for (int filled = width; filled > width - empty; filled--) {
        uint32_t rest = row;
        for (uint32_t skip = random_below(random, (uint32_t)filled); skip; skip--)
            rest &= rest - 1;
        row &= ~(rest & -rest);
    }
    return (uint16_t)row;
}

Attack attack_draw(int lines, int width, Random *random) {
    Attack attack = {.count = lines > 1 ? lines - 1 : 0};
    for (int i = 0; i < attack.count; i++)
        attack.row[i] = draw_row(width, attack.count, random);
    return attack;
}

int attack_cells(const Attack *attack) {
    int cells = 0;
    for (int i = 0; i < attack->count; i++)
        cells += __builtin_popcount(attack->row[i]);
    return cells;
}

bool attack_push(Game *game, const Rules *rules, const Attack *attack) {
    if (board_pile_height(&game->board, rules->width) + attack->count > rules_rows(rules)) {
        game->state = GAME_OVER;
        return false;
    }
    for (int i = 0; i < attack->count; i++)
        for (int x = 0; x < rules->width; x++)
            game->board.column[x] = game->board.column[x] << 1 | (attack->row[i] >> x & 1);
    if (rules->original && game->piece >= 0 && game_is_lost(game, rules))
        game->state = GAME_OVER;
    return true;
}
