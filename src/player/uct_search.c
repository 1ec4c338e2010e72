// SPDX-License-Identifier: GPL-3.0-or-later
// The phases of Cai, Zhang & Nebel 2011: search (algorithm 2), the choice among placements (equations 1 to 4)
// and the backing up of rewards. Rewards are whole numbers of millionths: sums do not depend on their order,
// and ties are ties. There is no random play-out beyond the planned pieces, and no value but rows and the end
// of the game, unless leaves are rated.
#include "player/uct_search.h"
#include "base/portable.h"

#include <math.h>
#include <string.h>

const int32_t uct_rewards[STRATEGY_ROWS] = {0, 100000, 300000, 600000, 1000000};
const int32_t uct_lost = -1000000;

UctRule uct_rule(const UctOptions *options, const Rules *rules, const Evaluator *evaluator, double scale) {
    UctRule rule = {.rules = rules, .lambda = options->lambda, .mean = options->backup == UCT_MEAN};
    if (options->leaf == UCT_LEAF_RATING) {
        rule.evaluator = evaluator;
        rule.leaf_factor = options->leaf_scale / scale * UCT_UNIT;
    }
    for (int rows = 0; rows < STRATEGY_ROWS; rows++) {
        rule.gamma[rows] = (int32_t)lround(options->gamma[rows] * UCT_UNIT);
        rule.pruning |= rule.gamma[rows] != 0;
    }
    for (int i = 1; i < UCT_TABLE; i++) {
        rule.width[i] = rule.lambda * sqrt(portable_log(i));
        rule.inverse_root[i] = 1 / sqrt(i);
    }
    return rule;
}

UctPieces uct_pieces(const Game *game, int planned, int preview) {
    UctPieces pieces = {.planned = planned, .unknown = game->stream};
    for (int i = 0; i < preview; i++) {
        int piece = i == 0 ? game->piece : i == 1 ? game->next : piece_stream_next(&pieces.unknown);
        if (piece < 0) {
            if (game->stream.source->law == PIECES_RECORDED) // it ends here
                pieces.planned = i;
            break;
        }
        pieces.piece[pieces.known++] = (int8_t)piece;
    }
    piece_stream_unsee(&pieces.unknown, preview == 1 ? game->next : -1);
    return pieces;
}

// Recorded pieces that the player cannot see yet come as often as in the whole sequence.
static int draw(PieceStream *stream, Random *random) {
    if (stream->source->law == PIECES_BAG || stream->source->bag) {
        stream->random = *random;
        int piece = piece_stream_next_of_bag(stream);
        *random = stream->random;
        return piece;
    }
    uint64_t number = random_next(random) >> 32;
    int piece = 0;
    while (number >= stream->source->below[piece])
        piece++;
    return piece;
}

static int32_t penalty_of(const UctRule *rule, const Move *move) {
    return rule->gamma[move->lines] * move->holes;
}

// What a move itself adds to the value of a phase.
static int32_t reward_of(const UctRule *rule, const Move *move) {
    return uct_rewards[move->lines] + penalty_of(rule, move);
}

// <- the placements of the set that themselves give most
static uint64_t best_of(const UctRule *rule, const Moves *moves, uint64_t set, int32_t *key) {
    uint64_t best = 0;
    *key = INT32_MIN;
    for (; set; set &= set - 1) {
        const Move *move = &moves->move[__builtin_ctzll(set)];
        int32_t own = reward_of(rule, move);
        if (own > *key)
            best = 0;
        if (own >= *key) {
            *key = own;
            best |= set & -set;
        }
    }
    return best;
}

static uint64_t without_penalty(const UctRule *rule, const Moves *moves) {
    uint64_t found = moves->safe & ~moves->holed;
    for (uint64_t set = rule->gamma[0] ? moves->holed & moves->clearing : moves->holed; set; set &= set - 1)
        if (!penalty_of(rule, &moves->move[__builtin_ctzll(set)]))
            found |= set & -set;
    return found;
}

uint64_t uct_first(const UctRule *rule, const Board *board, int piece) {
    if (!rule->pruning)
        return moves_safe(rule->rules, board, piece);
    Moves moves;
    int32_t key;
    moves_list(&moves, rule->rules, board, piece);
    uint64_t found = without_penalty(rule, &moves);
    return found ? found : best_of(rule, &moves, moves.safe, &key);
}

// -------------------------------------------------------------------------------------------------------
// The choice at a node

// <- lambda sqrt(ln s)
static double width_of(const UctRule *rule, uint32_t visits) {
    return visits < UCT_TABLE ? rule->width[visits] : rule->lambda * sqrt(portable_log(visits));
}

static double inverse_root(const UctRule *rule, uint32_t visits) {
    return visits < UCT_TABLE ? rule->inverse_root[visits] : 1 / sqrt(visits);
}

static double index_of(const UctRule *rule, const UctEdge *edge, double width) {
    double reward = rule->mean ? (double)edge->value / edge->visits : (double)edge->value;
    return reward / UCT_UNIT + width * inverse_root(rule, edge->visits);
}

// Looks for the best of the placements with penalties that have not been visited.
static void look_for_next(const UctSearch *search, UctNode *node, const Moves *moves) {
    node->next =
        (int8_t)placement_draw(best_of(search->rule, moves, node->rest, &node->next_key), search->random);
}

// Everything that counts has been visited: the argmax of equation (3).
// <- the edge, or UCT_NONE: the node's `next` has the highest index
static int32_t highest(const UctSearch *search, const UctNode *node) {
    const UctRule *rule = search->rule;
    double width = width_of(rule, node->visits), most = -INFINITY;
    int32_t found = UCT_NONE;
    uint32_t equal = 1;
    if (node->next != PLACEMENT_NONE)
        most = node->next_key / UCT_UNIT + width;
    for (int32_t e = node->edges; e != UCT_NONE; e = search->tree->edge[e].next) {
        double own = index_of(rule, &search->tree->edge[e], width);
        if (own < most)
            continue;
        if (own > most)
            equal = 0;
        most = own;
        if (++equal == 1 || random_below(search->random, equal) == 0)
            found = e;
    }
    return found;
}

// The first visit. <- are `moves` filled?
static bool look_at(const UctSearch *search, UctNode *node, const Board *board, Moves *moves) {
    const UctRule *rule = search->rule;
    node->known = true;
    if (!rule->pruning) {
        node->open = moves_safe(rule->rules, board, node->piece);
        return false;
    }
    moves_list(moves, rule->rules, board, node->piece);
    node->open = without_penalty(rule, moves);
    node->rest = moves->safe & ~node->open;
    return true;
}

// A step of a phase.
typedef struct Step {
    int32_t node, edge; // UCT_NONE: not in the tree
    int32_t reward;
    Move move;
} Step;

static void add_edge(const UctSearch *search, const Move *move, Step *step) {
    const UctRule *rule = search->rule;
    step->move = *move;
    step->reward = reward_of(rule, move);
    step->edge = step->node == UCT_NONE ? UCT_NONE : uct_tree_edge(search->tree, step->node, move);
    if (step->edge == UCT_NONE)
        return;
    UctEdge *edge = &search->tree->edge[step->edge];
    edge->reward = step->reward;
    edge->penalised = penalty_of(rule, move) != 0;
    edge->value = rule->mean ? 0 : INT64_MIN;
    UctNode *node = &search->tree->node[step->node];
    uint64_t bit = (uint64_t)1 << move->placement;
    node->open &= ~bit;
    node->rest &= ~bit;
    if (node->next == move->placement)
        node->next = PLACEMENT_NONE;
}

// <- false: every placement ends the game
static bool choose(const UctSearch *search, const Board *board, int piece, Step *step) {
    const Rules *rules = search->rule->rules;
    uint64_t open;
    Moves moves;
    UctNode *node = step->node == UCT_NONE ? NULL : &search->tree->node[step->node];
    bool filled = node && !node->known && look_at(search, node, board, &moves);
    open = node ? node->open : uct_first(search->rule, board, piece);
    if (node && !open && node->rest && node->next == PLACEMENT_NONE) {
        if (!filled)
            moves_list(&moves, rules, board, piece);
        filled = true;
        look_for_next(search, node, &moves);
    }
    if (node && !open && (step->edge = highest(search, node)) != UCT_NONE) {
        step->move = search->tree->edge[step->edge].move;
        step->reward = search->tree->edge[step->edge].reward;
        return true;
    }
    Placement placement = open ? placement_draw(open, search->random) : node ? node->next : PLACEMENT_NONE;
    if (placement == PLACEMENT_NONE)
        return false;
    Move move;
    if (filled)
        move = moves.move[placement];
    else
        moves_find(rules, board, piece, placement, &move);
    add_edge(search, &move, step);
    return true;
}

// -------------------------------------------------------------------------------------------------------
// A phase

static int32_t child_of(UctTree *tree, int32_t edge, int piece) {
    if (edge == UCT_NONE)
        return UCT_NONE;
    int32_t child = uct_tree_child(tree, edge, piece);
    if (child == UCT_NONE && (child = uct_tree_node(tree, piece)) != UCT_NONE) {
        tree->node[child].sibling = tree->edge[edge].child;
        tree->edge[edge].child = child;
    }
    return child;
}

static int64_t leaf_value(const UctRule *rule, const Board *board) {
    if (!rule->evaluator)
        return 0;
    double value = (double)evaluator_board_value(rule->evaluator, board) * rule->leaf_factor;
    return llround(fmax(-UCT_MAX_REWARD * UCT_UNIT, fmin(UCT_MAX_REWARD * UCT_UNIT, value)));
}

static void back_up(const UctSearch *search, const Step *path, int length, int64_t reward) {
    for (int i = length - 1; i >= 0; i--) {
        reward += path[i].reward;
        if (path[i].edge == UCT_NONE)
            continue;
        UctEdge *edge = &search->tree->edge[path[i].edge];
        search->tree->node[path[i].node].visits++;
        edge->visits++;
        if (search->rule->mean)
            edge->value += reward;
        else if (reward > edge->value)
            edge->value = reward;
    }
}

void uct_phase(const UctSearch *search) {
    const UctPieces *pieces = search->pieces;
    Step path[UCT_MAX_PIECES];
    Board board = *search->board;
    PieceStream unknown = pieces->unknown;
    int length = 0;
    bool alive = true;
    for (; length < pieces->planned; length++) {
        int piece = length < pieces->known ? pieces->piece[length] : draw(&unknown, search->random);
        Step *step = &path[length];
        step->node = length                ? child_of(search->tree, path[length - 1].edge, piece)
                     : search->tree->nodes ? 0
                                           : UCT_NONE;
        if (!(alive = choose(search, &board, piece, step)))
            break;
        move_play(&board, search->rule->rules->width, piece, &step->move);
    }
    back_up(search, path, length, alive ? leaf_value(search->rule, &board) : uct_lost);
}

static int64_t edge_value(const UctRule *rule, const UctEdge *edge) {
    return rule->mean ? edge->value / edge->visits : edge->value;
}

// The highest value. Means: the most visits, of these the highest mean.
UctBest uct_best(const UctSearch *search) {
    const UctTree *tree = search->tree;
    bool mean = search->rule->mean;
    UctBest best = {0, INT64_MIN};
    uint32_t most = 0;
    if (!tree->nodes)
        return best;
    for (int32_t e = tree->node[0].edges; e != UCT_NONE; e = tree->edge[e].next) {
        const UctEdge *edge = &tree->edge[e];
        if (!edge->visits)
            continue;
        int64_t value = edge_value(search->rule, edge);
        bool more = mean && edge->visits > most, fewer = mean && edge->visits < most;
        if (fewer || (!more && value < best.value))
            continue;
        if (more || value > best.value)
            best.placements = 0;
        most = edge->visits;
        best.value = value;
        best.placements |= (uint64_t)1 << edge->move.placement;
    }
    return best;
}

void uct_values(const UctSearch *search, MoveValues *values) {
    const UctTree *tree = search->tree;
    values->by_visits = search->rule->mean;
    for (int32_t e = tree->nodes ? tree->node[0].edges : UCT_NONE; e != UCT_NONE; e = tree->edge[e].next) {
        const UctEdge *edge = &tree->edge[e];
        if (!edge->visits)
            continue;
        move_values_set(values, edge->move.placement, (double)edge_value(search->rule, edge) / UCT_UNIT);
        values->visits[edge->move.placement] = edge->visits;
    }
}
