// SPDX-License-Identifier: GPL-3.0-or-later
// Features of many boards at once are those of each board by the reference definitions: for boards of every
// size, for any choice and number of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "effort.h"
#include "feature/feature_list.h"
#include "feature/reference.h"
#include "random_boards.h"

enum { MOST = 50 };

// <- some features, in any order
static int choose_features(FeatureId *id, Random *random) {
    int count = 0, least = random_between(random, 0, 7);
    for (int i = 0; i < FEATURES; i++)
        if (random_between(random, 0, 7) >= least) {
            int place = random_between(random, 0, count);
            memmove(id + place + 1, id + place, (size_t)(count++ - place) * sizeof *id);
            id[place] = (FeatureId)i;
        }
    return count;
}

static void check(const Rules *rules, const FeatureId *id, int features, const Board *board, int boards,
                  uint64_t number) {
    static double values[MOST * FEATURES_ALL_VALUES + 1];
    const Board *boards_of[MOST];
    int numbers = 0, at = 0, width = rules->width, height = rules->height;
    for (int i = 0; i < features; i++)
        numbers += feature_values(id[i], width);
    for (int b = 0; b < boards; b++)
        boards_of[b] = &board[b];
    values[boards * numbers] = 77;
    Error error = {""};
    FeatureList *list = feature_list_new(id, features, rules, &error);
    assert_non_null(list);
    feature_list_of_boards(list, boards, boards_of, values);
    feature_list_free(list);
    assert_true(values[boards * numbers] == 77); // nothing beyond the end
    for (int b = 0; b < boards; b++)
        for (int i = 0; i < features; i++)
            for (int v = 0; v < feature_values(id[i], width); v++, at++) {
                Situation situation = {width, height, &board[b], &board[b], NULL, {0}};
                bool of_move = features_of_moves & feature_bit(id[i]);
                double wanted = of_move ? 0 : feature_reference(id[i], &situation, v),
                       off = values[at] - wanted;
                if (off > 1e-12 || off < -1e-12 || values[at] != values[at])
                    fail_msg("seed 1, case %d: %s, board %d of %d on %dx%d: %.17g instead of %.17g",
                             (int)number, feature_info[id[i]].name, b, boards, width, height, values[at],
                             wanted);
            }
}

static void lists_give_the_reference_values(void **state) {
    (void)state;
    uint64_t cases = test_effort(700);
    for (uint64_t number = 0; number < cases; number++) {
        Random random = random_stream(1, number, RANDOM_TIES);
        int width = random_between(&random, BOARD_MIN_WIDTH, BOARD_MAX_WIDTH),
            height = random_between(&random, 4, BOARD_MAX_HEIGHT), boards = random_between(&random, 0, MOST);
        if (random_below(&random, 2))
            width = 10;
        FeatureId id[FEATURES + 1];
        Board board[MOST];
        int features = choose_features(id, &random);
        for (int b = 0; b < boards; b++) {
            board[b] = (Board){{0}};
            random_board(&board[b], &random, width, random_between(&random, 0, height));
        }
        Rules rules;
        rules_default(&rules);
        rules.width = width;
        rules.height = height;
        check(&rules, id, features, board, boards, number);
        rules_free(&rules);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_give_the_reference_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
