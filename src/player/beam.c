// SPDX-License-Identifier: GPL-3.0-or-later
// Planning pieces that are known, by beam search. After each piece the best lines of play are kept:
//
//     value of a line = sum over its moves of  m(move) + rows[rows removed]   +   v(its last board)
//
// m: what the move features give, v: what the board features give, as for the other players that look ahead.
// Of lines that lead to the same board the best one is kept, with the first moves of all that are as good. A
// move that ends the game is never followed, whatever the rule for such moves. The move is a first one of the
// lines that are the best after the last known piece, or after the last one that any line survives. With one
// piece it is the greedy player that avoids the end of the game; with two and a width that drops nothing the
// two-piece player, as long as the second one can be placed. rows[] makes one of it that aims at several rows
// at once, which matches reward.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "player/player_type.h"
#include "player/rooms.h"

#define LARGEST_REWARD 0x1p50 // times 30 pieces, and what the moves give, is below 2^62

enum { EXTENDED = 32 }; // lines to which a piece is added at a time

typedef struct Line {
    Board board;
    int64_t board_value;
    int64_t earned; // by its moves
    uint64_t first; // set of first moves (bit = Placement): of this line and of those that are as good
    bool dropped;   // another line with this board is better
} Line;

// What one thread works with. New lines are added up to four times the width; then the best are kept, and
// further ones have to be better than the last of them.
typedef struct Work {
    Line *kept;       // as many as candidates
    Line *candidate;  // 4 * width + 1
    int64_t *value;   // of candidates
    uint32_t *slot;   // number of a candidate + 1 by the hash of its board; 0: free
    Outcome *outcome; // of EXTENDED lines
    uint32_t count;   // candidates
    int64_t bar;      // a line that is not worth more is none of the best
} Work;

typedef struct Beam {
    const BeamOptions *options;
    const Evaluator *evaluator;
    int64_t reward[STRATEGY_ROWS];
    uint32_t width, most; // lines kept, candidates
    uint32_t slots;       // a power of 2, at least twice the candidates
    Rooms *works;
} Beam;

// ---------------------------------------------------------------------------------------------------
// Memory

static void empty(void *room) {
    Work *work = room;
    free(work->kept);
    free(work->candidate);
    free(work->value);
    free(work->slot);
    free(work->outcome);
    *work = (Work){.count = 0};
}

// <- NULL: out of memory
static Work *take_work(const Beam *beam) {
    Work *work = rooms_take(beam->works);
    if (!work || work->outcome)
        return work;
    work->kept = aligned_alloc(_Alignof(Line), beam->most * sizeof *work->kept);
    work->candidate = aligned_alloc(_Alignof(Line), beam->most * sizeof *work->candidate);
    work->value = malloc(beam->most * sizeof *work->value);
    work->slot = malloc(beam->slots * sizeof *work->slot);
    work->outcome = aligned_alloc(_Alignof(Outcome), EXTENDED * MOST_PLACEMENTS * sizeof *work->outcome);
    if (work->kept && work->candidate && work->value && work->slot && work->outcome)
        return work;
    empty(work);
    rooms_give(beam->works, work);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// One more piece

static int64_t value_of(const Line *line) {
    return line->earned + line->board_value;
}

static uint64_t hash_board(const Board *board) {
    uint64_t hash = 0;
    for (int x = 0; x < BOARD_MAX_WIDTH; x += 2) {
        uint64_t pair;
        memcpy(&pair, &board->column[x], sizeof pair);
        hash = (hash ^ pair) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

// <- the slot of the candidate with this board, or the free one that it would have
static uint32_t *find_slot(const Beam *beam, const Work *work, const Board *board) {
    uint32_t at = (uint32_t)hash_board(board) & (beam->slots - 1);
    while (work->slot[at] && memcmp(&work->candidate[work->slot[at] - 1].board, board, sizeof *board) != 0)
        at = (at + 1) & (beam->slots - 1);
    return &work->slot[at];
}

static void swap(int64_t *a, int64_t *b) {
    int64_t kept = *a;
    *a = *b;
    *b = kept;
}

// <- the value that is number `wanted` from above, from 1 on (Hoare's selection)
static int64_t select_value(int64_t *value, uint32_t count, uint32_t wanted) {
    int64_t low = 0, high = (int64_t)count - 1, last = (int64_t)wanted - 1;
    while (low < high) {
        int64_t middle = value[low + (high - low) / 2], i = low, j = high;
        while (i <= j) {
            while (value[i] > middle)
                i++;
            while (value[j] < middle)
                j--;
            if (i <= j)
                swap(&value[i++], &value[j--]);
        }
        if (last <= j)
            high = j;
        else if (last >= i)
            low = i;
        else
            break;
    }
    return value[last];
}

// Drops all but the best, of equal ones the earliest. They stay in the order in which they were found.
static void keep_best(const Beam *beam, Work *work) {
    uint32_t live = 0, above = 0, kept = 0;
    for (uint32_t k = 0; k < work->count; k++)
        if (!work->candidate[k].dropped)
            work->value[live++] = value_of(&work->candidate[k]);
    if (live >= beam->width)
        work->bar = select_value(work->value, live, beam->width);
    for (uint32_t k = 0; k < live; k++)
        above += work->value[k] > work->bar;
    uint32_t equal = beam->width - above; // as many of those at the bar itself; without a bar there are none
    for (uint32_t k = 0; k < work->count; k++) {
        const Line *line = &work->candidate[k];
        if (line->dropped || value_of(line) < work->bar)
            continue;
        if (value_of(line) == work->bar) {
            if (!equal)
                continue;
            equal--;
        }
        if (kept != k)
            work->candidate[kept] = *line;
        kept++;
    }
    work->count = kept;
}

static void add_line(const Beam *beam, Work *work, const Line *line) {
    uint32_t *slot = find_slot(beam, work, &line->board);
    if (*slot) {
        Line *other = &work->candidate[*slot - 1];
        if (line->earned == other->earned)
            other->first |= line->first;
        if (line->earned <= other->earned)
            return;
        other->dropped = true;
    } else if (value_of(line) <= work->bar) {
        return;
    }
    work->candidate[work->count++] = *line;
    *slot = work->count;
    if (work->count < beam->most)
        return;
    keep_best(beam, work);
    memset(work->slot, 0, beam->slots * sizeof *work->slot);
    for (uint32_t k = 0; k < work->count; k++)
        *find_slot(beam, work, &work->candidate[k].board) = k + 1;
}

// Puts the piece down in all ways, on the boards of some lines.
static void extend_some(const Beam *beam, Work *work, const Line *line, int count, int piece, bool first) {
    BoardPiece question[EXTENDED];
    Outcome *outcome[EXTENDED];
    int found[EXTENDED];
    for (int k = 0; k < count; k++)
        question[k] = (BoardPiece){&line[k].board, piece};
    evaluator_outcomes(beam->evaluator, count, question, work->outcome, outcome, found);
    for (int k = 0; k < count; k++, line++)
        for (int i = 0; i < found[k]; i++) {
            const Outcome *out = &outcome[k][i];
            int64_t earned = line->earned + out->move_value + beam->reward[out->lines];
            int64_t board_value = out->value - out->move_value;
            if (out->fatal || earned + board_value < work->bar)
                continue;
            Line next = {.board = out->after,
                         .board_value = board_value,
                         .earned = earned,
                         .first = first ? (uint64_t)1 << out->placement : line->first};
            add_line(beam, work, &next);
        }
}

// Puts the piece down in all ways, on the boards of all kept lines, and keeps the best again.
// <- how many; 0: no line can go on, and those that there were are still kept
static uint32_t extend(const Beam *beam, Work *work, uint32_t kept, int piece, bool first) {
    memset(work->slot, 0, beam->slots * sizeof *work->slot);
    work->count = 0;
    work->bar = INT64_MIN;
    for (uint32_t k = 0; k < kept; k += EXTENDED)
        extend_some(beam, work, work->kept + k, (int)(kept - k < EXTENDED ? kept - k : EXTENDED), piece,
                    first);
    if (!work->count)
        return 0;
    keep_best(beam, work);
    Line *best = work->candidate;
    work->candidate = work->kept;
    work->kept = best;
    return work->count;
}

// ---------------------------------------------------------------------------------------------------
// The move

// <- how many lines are kept in the end; 0: every move ends the game
static uint32_t plan(const Beam *beam, Work *work, const Game *game) {
    int8_t piece[BEAM_MAX_PIECES];
    int known = game_coming(game, beam->options->pieces, piece);
    work->kept[0] =
        (Line){.board = game->board, .board_value = evaluator_board_value(beam->evaluator, &game->board)};
    uint32_t kept = 1;
    for (int i = 0; i < known; i++) {
        uint32_t count = extend(beam, work, kept, piece[i], i == 0);
        if (!count)
            return i ? kept : 0;
        kept = count;
    }
    return kept;
}

static Placement choose(const Player *player, Game *game, MoveValues *values) {
    const Beam *beam = player->state;
    Work *work = take_work(beam);
    if (!work) // no memory for planning: as if nothing but the piece in hand were known
        return player_type(PLAYER_GREEDY)->choose(player, game, values);
    uint32_t kept = plan(beam, work, game);
    int64_t best[PLACEMENTS];
    uint64_t set = 0;
    for (uint32_t k = 0; k < kept; k++) {
        const Line *line = &work->kept[k];
        for (uint64_t left = line->first; left; left &= left - 1) {
            Placement first = __builtin_ctzll(left);
            if (!(set >> first & 1) || value_of(line) > best[first])
                best[first] = value_of(line);
        }
        set |= line->first;
    }
    rooms_give(beam->works, work);
    for (uint64_t left = values ? set : 0; left; left &= left - 1) {
        Placement placement = __builtin_ctzll(left);
        move_values_set(values, placement, (double)best[placement] / player->rating.scale);
    }
    return player_pick(player, evaluation_of(best, set).best, game);
}

// ---------------------------------------------------------------------------------------------------
// The player

static const Field option[] = {
    {"pieces", FIELD_INT, FIELD_AT(Strategy, beam.pieces), .preset = 10, .least = 1, .most = BEAM_MAX_PIECES,
     .help = "That it sees and plans, the one in hand included."},
    {"width", FIELD_INT, FIELD_AT(Strategy, beam.width), .preset = 50, .least = 1, .most = 10000,
     .help = "Lines of play that are kept after each piece."},
    {"rows", FIELD_LIST, FIELD_AT(Strategy, beam.rows), STRATEGY_ROWS, .least = -STRATEGY_WEIGHT_LIMIT,
     .most = STRATEGY_WEIGHT_LIMIT, .otherwise = "0 each",
     .help = "Five numbers, for 0 to 4 rows removed by one piece: added to what the move is worth."},
};

static void describe(const Strategy *strategy, StrategyNature *nature) {
    nature->sees = strategy->beam.pieces;
    for (int k = 0; k < STRATEGY_ROWS; k++)
        nature->has_units |= strategy->beam.rows[k] != 0;
}

static void free_state(void *state) {
    Beam *beam = state;
    rooms_free(beam->works);
    free(beam);
}

static bool set_rewards(Beam *beam, const Rating *rating, Error *error) {
    for (int rows = 0; rows < STRATEGY_ROWS; rows++) {
        double reward = beam->options->rows[rows] * rating->scale;
        if (!(fabs(reward) <= LARGEST_REWARD))
            return error_set(error, "\"rows\" has %g for %d rows, too much beside the weights; %.3g at most.",
                             beam->options->rows[rows], rows, LARGEST_REWARD / rating->scale);
        beam->reward[rows] = (int64_t)floor(reward);
    }
    return true;
}

static bool make(Player *player, Error *error) {
    Beam *beam = player->state = calloc(1, sizeof *beam);
    if (!beam || !(beam->works = rooms_new(sizeof(Work), empty)))
        return error_set(error, "Out of memory for a beam player.");
    beam->options = &player->strategy.beam;
    beam->evaluator = player->evaluator;
    beam->width = (uint32_t)beam->options->width;
    beam->most = 4 * beam->width + 1;
    for (beam->slots = 1; beam->slots < 2 * beam->most;)
        beam->slots *= 2;
    Work *first = take_work(beam); // a thread that plays alone allocates nothing any more
    rooms_give(beam->works, first);
    return first ? set_rewards(beam, &player->rating, error)
                 : error_set(error, "Out of memory for %d lines of play; lower \"width\".",
                             beam->options->width);
}

const PlayerType player_beam = {
    .describe = describe,
    .limits =
        "Values are those of the best lines of play over all known pieces. The features are of this move "
        "alone: they do not add up to its value, and no change of a weight is given.",
    .options = FIELDS(option),
    .make = make,
    .free = free_state,
    .choose = choose};
