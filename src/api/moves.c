// SPDX-License-Identifier: GPL-3.0-or-later
// Boards, moves and features of the public interface. A question about a board becomes a game that has come
// that far, of which one move is made: so the answer is that of game_move, whatever the rules.
#include <string.h>

#include "api/api.h"
#include "feature/feature.h"
#include "feature/feature_list.h"
#include "feature/reference.h"
#include "game/game.h"
#include "game/moves.h"

_Static_assert((int)TETRALAB_MAX_VALUES == FEATURE_MAX_VALUES, "every feature has room");
_Static_assert((int)TETRALAB_MAX_WIDTH == BOARD_MAX_WIDTH && (int)TETRALAB_MAX_HEIGHT == BOARD_MAX_HEIGHT &&
                   (int)TETRALAB_MAX_MOVES == PLACEMENTS,
               "the limits of tetralab.h are those of the library");

// ---- boards

static bool take_board(Board *board, const tetralab_rules *rules, const uint32_t *columns, Error *error) {
    *board = (Board){{0}};
    if (!rules_check(&rules->rules, error))
        return false;
    memcpy(board->column, columns, (size_t)rules->rules.width * sizeof *columns);
    return position_check(&rules->rules, board, error);
}

static void give_board(const Board *board, const tetralab_rules *rules, uint32_t *columns) {
    memcpy(columns, board->column, (size_t)rules->rules.width * sizeof *columns);
}

bool tetralab_board_parse(const tetralab_rules *rules, const char *text, uint32_t *columns,
                          tetralab_error *error) {
    int width = rules->rules.width, height = rules->rules.height;
    Reader reader = reader_start("board", text, strlen(text), api_error(error));
    Board board, more;
    int status = board_read(&reader, width, height, &board);
    if (status == 0)
        return error_set(api_error(error), "The text holds no board: give rows of '#' and '.', %d each.",
                         width);
    if (status < 0 || !position_check(&rules->rules, &board, api_error(error)))
        return false;
    status = board_read(&reader, width, height, &more);
    if (status > 0)
        return error_set(api_error(error),
                         "The text holds a second board, which ends before line %zu: give one.",
                         reader.line + 1);
    if (status < 0)
        return false;
    give_board(&board, rules, columns);
    return true;
}

bool tetralab_board_print(const tetralab_rules *rules, const uint32_t *columns, char *text,
                          tetralab_error *error) {
    Board board;
    if (!take_board(&board, rules, columns, api_error(error)))
        return false;
    board_print(&board, rules->rules.width, rules->rules.height, text);
    return true;
}

// ---- moves

static bool take_piece(int *piece, char letter, Error *error) {
    *piece = letter ? piece_from_letter(letter) : -1;
    if (*piece >= 0)
        return true;
    return error_set(error,
                     letter > ' ' && letter < 127
                         ? "There is no piece '%c': give one of O, I, S, Z, L, J and T."
                         : "There is no piece of code %d: give one of O, I, S, Z, L, J "
                           "and T.",
                     letter);
}

static bool check_orientation(int piece, int orientation, Error *error) {
    int count = piece_orientations[piece];
    if (orientation >= 0 && orientation < count)
        return true;
    return error_set(error, "The piece %c has %d orientation%s, counted from 0; %d is none of them.",
                     piece_letter[piece], count, count == 1 ? "" : "s", orientation);
}

int tetralab_piece_shape(char letter, int orientation, uint32_t *cells, tetralab_error *error) {
    int piece;
    if (!take_piece(&piece, letter, api_error(error)) ||
        !check_orientation(piece, orientation, api_error(error)))
        return -1;
    const Shape *shape = &piece_shape[piece][orientation];
    Board board = {{0}};
    board_put(&board, shape, 0, 0);
    memcpy(cells, board.column, 4 * sizeof *cells);
    return shape->width;
}

bool api_take_position(Position *position, const tetralab_rules *rules, const uint32_t *columns, char piece,
                       const char *next, Error *error) {
    Board board;
    int taken;
    if (!take_board(&board, rules, columns, error) || !take_piece(&taken, piece, error))
        return false;
    position_start(position, &rules->rules, &board);
    position_add(position, taken);
    for (; next && *next; next++)
        if (!take_piece(&taken, *next, error))
            return false;
        else if (!position_add(position, taken))
            return error_set(error, "More than %d pieces are known: give fewer.", POSITION_KNOWN);
    return true;
}

// -> next  0: not known
static bool take_position(Position *position, const tetralab_rules *rules, const uint32_t *columns,
                          char piece, char next, Error *error) {
    return api_take_position(position, rules, columns, piece, (const char[]){next, 0}, error);
}

tetralab_move api_make_move(Game *game, const Rules *rules, Placement placement) {
    char letter = piece_letter[game->piece];
    Landing landing;
    game_move(game, rules, placement, &landing);
    bool placed = game->pieces > 0;
    return (tetralab_move){.orientation = placement_orientation(placement),
                           .column = placement_column(placement),
                           .row = landing.row,
                           .lines = placed ? landing.lines : 0,
                           .piece = letter,
                           .placed = placed,
                           .ends = game->state == GAME_OVER};
}

bool tetralab_choose(const tetralab_player *player, const uint32_t *columns, char piece, char next,
                     tetralab_move *move, tetralab_error *error) {
    Position position;
    Game *game = &position.game;
    if (!take_position(&position, &player->rules, columns, piece, next, api_error(error)))
        return false;
    position_seed(&position);
    Placement placement = player_choose(player->player, game);
    if (placement == PLACEMENT_NONE)
        *move = (tetralab_move){
            .orientation = -1, .column = -1, .row = -1, .piece = piece_letter[game->piece], .ends = true};
    else
        *move = api_make_move(game, &player->rules.rules, placement);
    player_forget(player->player, game); // nobody plays this game on
    return true;
}

bool api_check_placement(const Game *game, const Rules *rules, const tetralab_move *move, Error *error) {
    if (!check_orientation(game->piece, move->orientation, error))
        return false;
    int width = piece_shape[game->piece][move->orientation].width;
    if (move->column < 0 || move->column + width > rules->width)
        return error_set(error,
                         "The piece %c in orientation %d is %d wide: on %d columns its left one is 0 to %d, "
                         "not %d.",
                         piece_letter[game->piece], move->orientation, width, rules->width,
                         rules->width - width, move->column);
    if (!game_can_move(game, rules, placement_make(move->orientation, move->column)))
        return error_set(error,
                         "The piece %c cannot get to column %d in orientation %d on this board, as the "
                         "original rules ask.",
                         piece_letter[game->piece], move->column, move->orientation);
    return true;
}

bool tetralab_place(const tetralab_rules *rules, uint32_t *columns, tetralab_move *move, char next,
                    tetralab_error *error) {
    Position position;
    if (!take_position(&position, rules, columns, move->piece, next, api_error(error)) ||
        !api_check_placement(&position.game, &rules->rules, move, api_error(error)))
        return false;
    *move = api_make_move(&position.game, &rules->rules, placement_make(move->orientation, move->column));
    give_board(&position.game.board, rules, columns);
    return true;
}

int tetralab_placements(const tetralab_rules *rules, const uint32_t *columns, char piece, char next,
                        tetralab_move *moves, tetralab_error *error) {
    Position position;
    if (!take_position(&position, rules, columns, piece, next, api_error(error)))
        return -1;
    Moves list;
    int count = 0;
    moves_list(&list, &rules->rules, &position.game.board, position.game.piece);
    for (uint64_t left = list.possible; left; left &= left - 1) {
        Game after = position.game;
        moves[count++] = api_make_move(&after, &rules->rules, __builtin_ctzll(left));
    }
    return count;
}

size_t tetralab_pieces(const tetralab_rules *rules, uint64_t seed, uint64_t game, size_t count,
                       char *letters) {
    PieceStream stream = piece_stream(&rules->rules.pieces, seed, game);
    size_t written = 0;
    for (int piece; written < count && (piece = piece_stream_next(&stream)) >= 0; written++)
        letters[written] = piece_letter[piece];
    letters[written] = 0;
    return written;
}

// ---- features

static const FeatureInfo *info_at(int index) {
    static const FeatureInfo none;
    return index >= 0 && index < FEATURES ? &feature_info[index] : &none;
}

const char *tetralab_feature_name(int index) {
    return info_at(index)->name;
}

const char *tetralab_feature_family(int index) {
    return info_at(index)->family;
}

const char *tetralab_feature_meaning(int index) {
    return info_at(index)->meaning;
}

static int find_feature(const char *name, Error *error) {
    int id = feature_from_name(name);
    if (id < 0)
        error_set(error, "There is no feature \"%.60s\"%s", name, feature_meant((char[TEXT_MEANT]){0}, name));
    return id;
}

// <- where the move's piece comes to rest and what it leaves, also if it ends the game
static bool take_move(Situation *situation, Board *after, const tetralab_rules *rules,
                      const uint32_t *columns, const tetralab_move *move, Error *error) {
    Position position;
    if (!take_position(&position, rules, columns, move->piece, 0, error) ||
        !api_check_placement(&position.game, &rules->rules, move, error))
        return false;
    situation->shape = &piece_shape[position.game.piece][move->orientation];
    tetralab_move made =
        api_make_move(&position.game, &rules->rules, placement_make(move->orientation, move->column));
    situation->landing = board_place(after, rules->rules.width, situation->shape, made.column, made.row);
    return true;
}

int tetralab_feature_values(const tetralab_rules *rules, const char *name, const uint32_t *columns,
                            const tetralab_move *move, double *values, tetralab_error *error) {
    Board before, after;
    int id = find_feature(name, api_error(error));
    if (id < 0 || !take_board(&before, rules, columns, api_error(error)))
        return -1;
    after = before;
    Situation situation = {rules->rules.width, rules->rules.height, &before, &after, NULL, {0}};
    if (move && !take_move(&situation, &after, rules, columns, move, api_error(error)))
        return -1;
    int count = feature_values((FeatureId)id, rules->rules.width);
    for (int i = 0; i < count; i++)
        values[i] = feature_reference((FeatureId)id, &situation, i);
    return count;
}

// <- how many numbers these features have; -1: one is not there, or there twice
static int find_features(FeatureId *id, const char *const *names, int count, int width, Error *error) {
    uint64_t seen = 0;
    int numbers = 0;
    for (int i = 0; i < count; i++) {
        int found = find_feature(names[i], error);
        if (found < 0)
            return -1;
        if (seen & feature_bit((FeatureId)found)) {
            error_set(error, "The feature \"%s\" is there twice; ask for each once.", names[i]);
            return -1;
        }
        id[i] = (FeatureId)found;
        seen |= feature_bit(id[i]);
        numbers += feature_values(id[i], width);
    }
    return numbers;
}

// -> columns  `boards` times the width of the board, board after board
static bool features_of_columns(const Rules *rules, const FeatureId *id, int count, const uint32_t *columns,
                                size_t boards, double *values, Error *error) {
    FeatureList *list = feature_list_new(id, count, rules, error);
    enum { AT_ONCE = 64 };
    for (size_t first = 0; list && first < boards; first += AT_ONCE) {
        Board board[AT_ONCE] = {0};
        const Board *given[AT_ONCE];
        int some = boards - first < AT_ONCE ? (int)(boards - first) : AT_ONCE;
        for (int k = 0; k < some; k++) {
            memcpy(board[k].column, columns + (first + (size_t)k) * (size_t)rules->width,
                   (size_t)rules->width * sizeof *columns);
            given[k] = &board[k];
        }
        feature_list_of_boards(list, some, given, values + first * (size_t)feature_list_values(list));
    }
    feature_list_free(list);
    return list != NULL;
}

int tetralab_features_of_boards(const tetralab_rules *rules, const char *const *names, int count,
                                const uint32_t *columns, size_t boards, double *values,
                                tetralab_error *error) {
    FeatureId id[FEATURES];
    const Rules *given = &rules->rules;
    if (!rules_check(given, api_error(error)))
        return -1;
    int numbers = find_features(id, names, count, given->width, api_error(error));
    for (size_t b = 0; numbers >= 0 && values && b < boards; b++) {
        Board board;
        Error reason = {""};
        if (take_board(&board, rules, columns + b * (size_t)given->width, &reason))
            continue;
        error_set(api_error(error), "Board %zu: %s", b, reason.text);
        return -1;
    }
    if (numbers > 0 && values &&
        !features_of_columns(given, id, count, columns, boards, values, api_error(error)))
        return -1;
    return numbers;
}
