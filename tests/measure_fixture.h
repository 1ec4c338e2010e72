// SPDX-License-Identifier: GPL-3.0-or-later
// A player under rules, for the tests of measurements. To be included after cmocka.h.
#ifndef TETRALAB_TESTS_MEASURE_FIXTURE_H
#define TETRALAB_TESTS_MEASURE_FIXTURE_H

#include "player/player.h"

typedef struct Table {
    Rules rules;
    Strategy strategy;
    Player *player;
} Table;

static inline void table_make_by(Table *table, const char *strategy, const char *board, const char *overflow,
                                 const char *pieces, const char *kind, const char *gameover) {
    Error error = {""};
    rules_default(&table->rules);
    if (!rules_set(&table->rules, "board", board, &error) ||
        !rules_set(&table->rules, "overflow", overflow, &error) ||
        !rules_set(&table->rules, "pieces", pieces, &error) ||
        !rules_set(&table->rules, "rules", kind, &error) ||
        !rules_set(&table->rules, "gameover", gameover, &error) ||
        !strategy_find(&table->strategy, strategy, &error) ||
        !(table->player = player_new(&table->strategy, &table->rules, NULL, &error)))
        fail_msg("%s", error.text);
}

static inline void table_make(Table *table, const char *strategy, const char *board, const char *overflow,
                              const char *pieces) {
    table_make_by(table, strategy, board, overflow, pieces, "simplified", "avoid");
}

static inline void table_free(Table *table) {
    player_free(table->player);
    rules_free(&table->rules);
}

#endif
