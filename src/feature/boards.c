// SPDX-License-Identifier: GPL-3.0-or-later
// Features of many boards; see boards.h.
#include "feature/boards.h"

#include <string.h>

#include "feature/kernel_general.h"
#include "feature/reference.h"

// One number that is wanted for every board.
typedef struct Wanted {
    FeatureId id;
    int index; // among the values of this feature
    int lanes,
        divide;   // where its value, and what it is to be divided by, come from the kernel; -1: from nowhere
    double steps; // what it is divided by else
} Wanted;

typedef struct BoardsPlan {
    const GeneralKernel *kernel;
    int width, height, values, slots;
    uint64_t features; // for the kernel
    uint16_t slot[BOARDS_MAX_VALUES];
    Wanted wanted[BOARDS_MAX_VALUES];
} BoardsPlan;

// <- its place among what the kernel returns
static int ask_kernel(BoardsPlan *plan, FeatureId id, int index) {
    plan->features |= feature_bit(id);
    plan->slot[plan->slots] = (uint16_t)general_slot(id, index);
    return plan->slots++;
}

static void want(BoardsPlan *plan, FeatureId id, int index) {
    Wanted *wanted = &plan->wanted[plan->values++];
    *wanted = (Wanted){id, index, -1, -1, feature_steps(id, plan->width)};
    if (!plan->kernel || features_of_moves & feature_bit(id) || !(plan->kernel->features & feature_bit(id)))
        return;
    bool divided = id == FEATURE_MEAN_HOLE_DEPTH; // which the kernel rounds
    wanted->lanes = ask_kernel(plan, divided ? FEATURE_HOLE_DEPTH : id, index);
    if (divided)
        wanted->divide = ask_kernel(plan, FEATURE_ADJACENT_HOLES, 0);
}

static double value_of(const BoardsPlan *plan, const Wanted *wanted, const uint32_t *columns,
                       int32_t lanes[][GENERAL_LANES], int lane) {
    if (wanted->divide >= 0)
        return lanes[wanted->divide][lane] ? (double)lanes[wanted->lanes][lane] / lanes[wanted->divide][lane]
                                           : 0;
    if (wanted->lanes >= 0)
        return wanted->steps == 1 ? lanes[wanted->lanes][lane] : lanes[wanted->lanes][lane] / wanted->steps;
    if (features_of_moves & feature_bit(wanted->id))
        return 0;
    Board board = {{0}};
    memcpy(board.column, columns, (size_t)plan->width * sizeof *columns);
    Situation situation = {plan->width, plan->height, &board, &board, NULL, {0}};
    return feature_reference(wanted->id, &situation, wanted->index);
}

static void block(const BoardsPlan *plan, const uint32_t *columns, int count, double *values) {
    _Alignas(64) uint32_t turned[BOARD_MAX_WIDTH][GENERAL_LANES];
    _Alignas(64) int32_t lanes[BOARDS_MAX_VALUES][GENERAL_LANES];
    for (int x = 0; x < plan->width; x++)
        for (int j = 0; j < GENERAL_LANES; j++)
            turned[x][j] = j < count ? columns[j * plan->width + x] : 0;
    if (plan->slots)
        plan->kernel->boards(plan->width, plan->height, (const uint32_t(*)[GENERAL_LANES])turned,
                             plan->features, plan->slot, plan->slots, lanes);
    for (int v = 0; v < plan->values; v++)
        for (int j = 0; j < count; j++)
            values[j * plan->values + v] =
                value_of(plan, &plan->wanted[v], columns + j * plan->width, lanes, j);
}

void features_of_boards(const Kernel *kernel, int width, int height, const FeatureId *id, int features,
                        const uint32_t *columns, size_t boards, double *values) {
    BoardsPlan plan = {.kernel = kernel_general(kernel), .width = width, .height = height};
    for (int i = 0; i < features; i++)
        for (int v = 0; v < feature_values(id[i], width); v++)
            want(&plan, id[i], v);
    for (size_t first = 0; first < boards; first += GENERAL_LANES) {
        size_t left = boards - first;
        block(&plan, columns + first * (size_t)width, left < GENERAL_LANES ? (int)left : GENERAL_LANES,
              values + first * (size_t)plan.values);
    }
}
