// SPDX-License-Identifier: GPL-3.0-or-later
// Features of many boards at once are those of each board by the reference definitions: on every kernel, for
// boards of every size, for any choice and number of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "effort.h"
#include "feature/boards.h"
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

static void check(const Kernel *kernel, int width, int height, const FeatureId *id, int features,
                  const Board *board, int boards, uint64_t number) {
    static uint32_t columns[MOST * BOARD_MAX_WIDTH];
    static double values[MOST * BOARDS_MAX_VALUES + 1];
    int numbers = 0, at = 0;
    for (int i = 0; i < features; i++)
        numbers += feature_values(id[i], width);
    for (int b = 0; b < boards; b++)
        memcpy(columns + b * width, board[b].column, (size_t)width * sizeof *columns);
    values[boards * numbers] = 77;
    features_of_boards(kernel, width, height, id, features, columns, (size_t)boards, values);
    assert_true(values[boards * numbers] == 77); // nothing beyond the end
    for (int b = 0; b < boards; b++)
        for (int i = 0; i < features; i++)
            for (int v = 0; v < feature_values(id[i], width); v++, at++) {
                Situation situation = {width, height, &board[b], &board[b], NULL, {0}};
                double wanted = feature_reference(id[i], &situation, v), off = values[at] - wanted;
                if (off > 1e-12 || off < -1e-12 || values[at] != values[at])
                    fail_msg(
                        "seed 1, case %d: %s, kernel %s, board %d of %d on %dx%d: %.17g instead of %.17g",
                        (int)number, feature_info[id[i]].name, kernel_name(kernel), b, boards, width, height,
                        values[at], wanted);
            }
}

static void every_kernel_gives_the_reference_values(void **state) {
    (void)state;
    uint64_t cases = test_effort(2000);
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
        for (int k = 0; kernel_at(k); k++)
            if (kernel_available(kernel_at(k)))
                check(kernel_at(k), width, height, id, features, board, boards, number);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kernel_gives_the_reference_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
