// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the kernel for a machine and a rating, and holds the reference kernel: the reference definitions,
// one placement after the other, which all others must equal.
#include "feature/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "feature/network.h"
#include "game/moves.h"
#include "game/original.h"

struct Kernel {
    const char *name;
    bool (*available)(void);
    const BoardsKernel *boards; // NULL: the reference kernel
};

static bool always(void) {
    return true;
}

#ifdef TETRALAB_KERNEL_128
#ifdef __x86_64__
#define KERNEL_128_NAME "sse4"
static bool has_128(void) {
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
}
#else // every 64-bit ARM machine has NEON; a WebAssembly module with SIMD runs only where there is SIMD
#ifdef __aarch64__
#define KERNEL_128_NAME "neon"
#else
#define KERNEL_128_NAME "simd128"
#endif
#define has_128 always
#endif
#endif
#ifdef TETRALAB_KERNEL_AVX2
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#endif
#ifdef TETRALAB_KERNEL_AVX512
static bool has_avx512(void) {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vnni");
}
#endif

static const Kernel kernels[] = {
    {"reference", always, NULL},
#ifdef TETRALAB_KERNEL_PLAIN
    {"plain", always, &boards_plain},
#endif
#ifdef TETRALAB_KERNEL_128
    {KERNEL_128_NAME, has_128, &boards_128},
#endif
#ifdef TETRALAB_KERNEL_AVX2
    {"avx2", has_avx2, &boards_avx2},
#endif
#ifdef TETRALAB_KERNEL_AVX512
    {"avx512", has_avx512, &boards_avx512},
#endif
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

const Kernel *kernel_at(int index) {
    return index >= 0 && index < KERNELS ? &kernels[index] : NULL;
}

const char *kernel_name(const Kernel *kernel) {
    return kernel->name;
}

bool kernel_available(const Kernel *kernel) {
    return kernel->available();
}

uint64_t kernel_features(const Kernel *kernel) {
    return kernel->boards ? rating_plan_features : ~(uint64_t)0;
}

const Kernel *kernel_find(const char *name, Error *error) {
    const char *names[KERNELS];
    for (int k = KERNELS - 1; k >= 0; k--) {
        names[k] = kernels[k].name;
        if (name && strcmp(name, kernels[k].name))
            continue;
        if (kernel_available(&kernels[k]))
            return &kernels[k];
        if (name)
            return error_null(
                error,
                "this machine cannot run the kernel %s; without --kernel the fastest it can run is taken.",
                name);
    }
    char meant[TEXT_MEANT];
    return error_null(error, "\"%s\" is not a kernel of this build%s", name,
                      text_meant(meant, "\"", "\"", name, names, KERNELS));
}

struct Evaluator {
    const Rating *rating;
    const Rules *rules;
    const Kernel *kernel;
    RatingPlan *plan;                   // NULL: this rating is left to the reference definitions
    RatingPlan *late;                   // for boards with full rows
    bool full_rows;                     // there may be such boards
    Evaluator *unit[RATING_MAX_HIDDEN]; // of a rating with hidden units: their sums
};

static bool make_units(Evaluator *evaluator, bool full_rows) {
    const RatingNetwork *network = evaluator->rating->network;
    bool complete = true;
    for (int j = 0; complete && j < network->units; j++) {
        evaluator->unit[j] =
            evaluator_new(&network->unit[j].sum, evaluator->rules, evaluator->kernel, full_rows, NULL);
        complete = evaluator->unit[j] != NULL;
    }
    return complete;
}

Evaluator *evaluator_new(const Rating *rating, const Rules *rules, const Kernel *kernel, bool full_rows,
                         Error *error) {
    Evaluator *evaluator = calloc(1, sizeof *evaluator);
    bool complete = evaluator != NULL;
    if (complete) {
        *evaluator = (Evaluator){.rating = rating, .rules = rules, .kernel = kernel, .full_rows = full_rows};
        if (rating->network)
            complete = make_units(evaluator, full_rows);
        else if (kernel->boards && rating_plan_possible(rating))
            complete = (evaluator->plan = rating_plan_new(rating, rules, false)) != NULL &&
                       (!full_rows || (evaluator->late = rating_plan_new(rating, rules, true)) != NULL);
    }
    if (complete)
        return evaluator;
    evaluator_free(evaluator);
    return error_null(error, "Out of memory for the tables of a player.");
}

void evaluator_free(Evaluator *evaluator) {
    if (!evaluator)
        return;
    rating_plan_free(evaluator->plan);
    rating_plan_free(evaluator->late);
    for (int j = 0; j < RATING_MAX_HIDDEN; j++)
        evaluator_free(evaluator->unit[j]);
    free(evaluator);
}

const char *evaluator_design(const Evaluator *evaluator) {
    return evaluator->unit[0] ? evaluator_design(evaluator->unit[0])
           : evaluator->plan  ? "boards"
                              : "reference";
}

// Near the top of the original game not every placement can be reached. Kernels do not know that; such boards
// are rare and left to the reference definitions.
static bool is_blocked(const Evaluator *evaluator, const Board *board) {
    return evaluator->rules->original && !original_is_open(board, evaluator->rules);
}

static void reference_values(const Evaluator *evaluator, const Board *board, int piece,
                             int64_t value[PLACEMENTS], uint64_t *legal, uint64_t *fatal) {
    Moves moves;
    moves_list(&moves, evaluator->rules, board, piece);
    *legal = moves.possible;
    *fatal = moves.possible & ~moves.safe;
    for (uint64_t left = moves.possible; left; left &= left - 1) {
        Placement placement = __builtin_ctzll(left);
        Board after;
        Situation situation =
            situation_of_move(evaluator->rules, board, piece, &moves.move[placement], &after);
        value[placement] = rating_reference(evaluator->rating, &situation, ~(uint64_t)0);
    }
}

static const MoveSums no_sums;

static void network_values(const Evaluator *evaluator, const Board *board, int piece, const MoveSums *earlier,
                           int64_t value[PLACEMENTS], uint64_t *legal, uint64_t *fatal) {
    const RatingNetwork *network = evaluator->rating->network;
    int64_t sum[PLACEMENTS];
    for (int j = 0; j < network->units; j++) {
        evaluator_values(evaluator->unit[j], board, piece, sum, legal, fatal);
        for (uint64_t left = *legal; left; left &= left - 1) {
            Placement placement = __builtin_ctzll(left);
            int64_t more = network_unit_value(network, j, sum[placement] + earlier->sum[j]);
            value[placement] = j ? value[placement] + more : more;
        }
    }
}

static bool has_full_rows(const Evaluator *evaluator, const Board *board) {
    return evaluator->late && board_full_rows(board, evaluator->rules->width);
}

// <- the plan for this board; NULL: it is left to the reference definitions
static const RatingPlan *plan_of(const Evaluator *evaluator, const Board *board) {
    return !evaluator->plan || is_blocked(evaluator, board) ? NULL
           : has_full_rows(evaluator, board)                ? evaluator->late
                                                            : evaluator->plan;
}

void evaluator_values(const Evaluator *evaluator, const Board *board, int piece, int64_t value[PLACEMENTS],
                      uint64_t *legal, uint64_t *fatal) {
    const RatingPlan *plan = plan_of(evaluator, board);
    if (evaluator->rating->network) {
        network_values(evaluator, board, piece, &no_sums, value, legal, fatal);
    } else if (plan) {
        evaluator->kernel->boards->values(plan, 1, &(BoardPiece){board, piece}, (int64_t(*)[PLACEMENTS])value,
                                          fatal);
        *legal = placements_inside(piece, evaluator->rules->width);
    } else {
        reference_values(evaluator, board, piece, value, legal, fatal);
    }
}

static Evaluation best_allowed(const Evaluator *evaluator, const int64_t value[PLACEMENTS], uint64_t legal,
                               uint64_t fatal) {
    return evaluation_of(value, evaluator->rules->gameover == GAMEOVER_AVOID ? legal & ~fatal : legal);
}

Evaluation evaluator_best(const Evaluator *evaluator, const Board *board, int piece) {
    int64_t value[PLACEMENTS];
    uint64_t legal, fatal;
    evaluator_values(evaluator, board, piece, value, &legal, &fatal);
    return best_allowed(evaluator, value, legal, fatal);
}

void evaluator_move_sums(const Evaluator *evaluator, const Situation *situation, MoveSums *sums) {
    rating_sums(evaluator->rating, situation, features_of_moves, sums->sum);
}

Evaluation evaluator_best_move(const Evaluator *evaluator, const Board *board, int piece,
                               const MoveSums *earlier) {
    earlier = earlier ? earlier : &no_sums;
    if (evaluator->rating->network) {
        int64_t value[PLACEMENTS];
        uint64_t legal, fatal;
        network_values(evaluator, board, piece, earlier, value, &legal, &fatal);
        return best_allowed(evaluator, value, legal, fatal);
    }
    Evaluation result = evaluator_best(evaluator, board, piece);
    result.value += result.best ? earlier->sum[0] : 0;
    return result;
}

// ---- players that look ahead -----------------------------------------------------------------------------

enum { PART = 128 }; // boards at a time

// By the reference definitions.
static int reference_outcomes(const Evaluator *evaluator, const Board *board, int piece, Outcome *outcome) {
    int64_t value[PLACEMENTS];
    uint64_t legal, fatal;
    evaluator_values(evaluator, board, piece, value, &legal, &fatal);
    int count = 0;
    for (; legal; legal &= legal - 1, count++) {
        Outcome *out = &outcome[count];
        out->placement = __builtin_ctzll(legal);
        Move move;
        moves_find(evaluator->rules, board, piece, out->placement, &move);
        Situation situation = situation_of_move(evaluator->rules, board, piece, &move, &out->after);
        out->value = value[out->placement];
        out->move_value = rating_reference(evaluator->rating, &situation, features_of_moves);
        out->lines = move.lines;
        out->fatal = fatal >> out->placement & 1;
        if (evaluator->full_rows) {
            out->after = *board;
            board_put(&out->after, situation.shape, placement_column(out->placement), move.row);
        }
    }
    return count;
}

void evaluator_outcomes(const Evaluator *evaluator, int count, const BoardPiece *question, Outcome *room,
                        Outcome **outcome, int *found) {
    BoardPiece fast[PART];
    Outcome *out[PART];
    int kept = 0;
    for (int k = 0; k < count; k++) {
        const BoardPiece *own = &question[k];
        outcome[k] = room;
        if (evaluator->plan && plan_of(evaluator, own->board) == evaluator->plan) {
            found[k] = __builtin_popcountll(placements_inside(own->piece, evaluator->rules->width));
            fast[kept] = *own;
            out[kept++] = room;
        } else {
            found[k] = reference_outcomes(evaluator, own->board, own->piece, room);
        }
        room += found[k];
        if (kept == PART || (k == count - 1 && kept)) {
            evaluator->kernel->boards->outcomes(evaluator->plan, evaluator->full_rows, kept, fast, out);
            kept = 0;
        }
    }
}

// The boards of one plan; NULL: of the reference definitions.
static void best_values_of(const Evaluator *evaluator, const RatingPlan *plan, int boards,
                           const Board *const *board, const int64_t *own, uint32_t pieces,
                           int64_t (*best)[PIECES]) {
    if (plan) {
        evaluator->kernel->boards->best_values(plan, boards, board, own, pieces, best);
        return;
    }
    for (int k = 0; k < boards; k++)
        for (uint32_t left = pieces; left; left &= left - 1)
            best[k][__builtin_ctz(left)] = evaluator_best(evaluator, board[k], __builtin_ctz(left)).value;
}

void evaluator_best_values(const Evaluator *evaluator, int boards, const Board *const *board,
                           const int64_t *own, uint32_t pieces, int64_t (*best)[PIECES]) {
    const RatingPlan *const plans[] = {evaluator->plan, evaluator->late, NULL};
    if (!evaluator->late && !evaluator->rules->original) {
        best_values_of(evaluator, evaluator->plan, boards, board, own, pieces, best);
        return;
    }
    for (; boards > 0; boards -= PART, board += PART, best += PART, own = own ? own + PART : NULL) {
        int most = boards < PART ? boards : PART;
        const RatingPlan *plan[PART];
        for (int k = 0; k < most; k++)
            plan[k] = plan_of(evaluator, board[k]);
        for (int p = 0; p < 3; p++) {
            const Board *some[PART];
            int64_t some_own[PART], found[PART][PIECES];
            int count = 0, which[PART];
            for (int k = 0; k < most; k++)
                if (plan[k] == plans[p] && (p == 0 || plans[p] != plans[0])) {
                    some[count] = board[k];
                    some_own[count] = own ? own[k] : 0;
                    which[count++] = k;
                }
            best_values_of(evaluator, plans[p], count, some, own && p == 0 ? some_own : NULL, pieces, found);
            for (int i = 0; i < count; i++)
                for (uint32_t left = pieces; left; left &= left - 1)
                    best[which[i]][__builtin_ctz(left)] = found[i][__builtin_ctz(left)];
        }
    }
}

void evaluator_board_values(const Evaluator *evaluator, int boards, const Board *const *board,
                            int64_t *value) {
    if (evaluator->plan) {
        evaluator->kernel->boards->boards(evaluator->plan, &evaluator->plan->plain, boards, board, value);
        for (int k = 0; k < boards; k++)
            value[k] += evaluator->plan->still;
        return;
    }
    for (int k = 0; k < boards; k++) {
        Situation situation = {
            evaluator->rules->width, evaluator->rules->height, board[k], board[k], NULL, {0}};
        value[k] = rating_reference(evaluator->rating, &situation, ~(uint64_t)0);
    }
}

int64_t evaluator_board_value(const Evaluator *evaluator, const Board *board) {
    int64_t value;
    evaluator_board_values(evaluator, 1, &board, &value);
    return value;
}

bool evaluator_play(const Evaluator *evaluator, const Ranks *ranks, int count, Turn *turn,
                    bool (*again)(void *context, Turn *turn), void *context) {
    if (!evaluator->plan || evaluator->rules->original)
        return false;
    evaluator->kernel->boards->play(evaluator->plan, ranks, count, turn, again, context);
    return true;
}
