// SPDX-License-Identifier: GPL-3.0-or-later
// A strategy: everything that makes a player, as data. Built in (player/builtin.c), from a JSON file
// (player/strategy_json.c reads, strategy_write.c writes it) or from an mdptetris .dat file
// (player/strategy_dat.c).
#ifndef TETRALAB_PLAYER_STRATEGY_H
#define TETRALAB_PLAYER_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/fields.h"
#include "feature/rating.h"

// What a strategy is played by: PLAYER_GREEDY ... (player/players.def).
typedef enum PlayerKind {
#define PLAYER(ID, variable, word) PLAYER_##ID,
#include "player/players.def"
#undef PLAYER
    PLAYERS
} PlayerKind;

enum { STRATEGY_ROWS = 5, BEAM_MAX_PIECES = 30, STRATEGY_PATH = 1024 }; // a piece removes 0 to 4 rows

typedef struct ExpectimaxOptions {
    int depth;            // pieces looked at, the one in hand included: 2 averages over the next one
    int candidates;       // placements of each piece that are followed further, the best by rating; 0: all
    int later_candidates; // the same of the pieces after the one in hand; 0: as `candidates`
    double unsure; // one more piece is looked at, up to `depth`, for placements of the piece in hand that are
                   // worse than the best by no more than this, in the rating's own units; 0: for all
    bool sees_next; // the next piece is known, the average is over those after it (depth 3 at least)
    double dead;    // value of a piece that cannot be placed, in the rating's own units; 0: the default
    double danger;  // a value lower by this, in the rating's own units, is e times the danger, of which the
                    // mean is taken; 0: the mean of the values
    int threads;    // that work on one move
} ExpectimaxOptions;

// Lines of play over pieces that are known.
typedef struct BeamOptions {
    int pieces;                 // known and planned, the one in hand included
    int width;                  // lines that are kept after each piece
    double rows[STRATEGY_ROWS]; // what a move is worth besides, by the rows it removes, in the rating's own
                                // units
} BeamOptions;

typedef enum UctBackup { UCT_BEST, UCT_MEAN } UctBackup; // Cai et al.: the best reward seen, not the mean
typedef enum UctLeaf { UCT_LEAF_ZERO, UCT_LEAF_RATING } UctLeaf;

#define UCT_LAMBDA     1.5 // defaults of lambda and leaf_scale
#define UCT_LEAF_SCALE 0.001

typedef struct UctOptions {
    int pieces;          // planned ahead, the one in hand included
    int preview;         // of them known, the one in hand included; the others are drawn anew in each phase
    uint64_t phases;     // per move; 0: by time
    double milliseconds; // per move, if phases = 0: not reproducible
    double lambda;       // of UCB1
    double gamma[STRATEGY_ROWS]; // -1 ... 0: times the holes that a move makes, by the rows that it removes
    UctBackup backup;
    UctLeaf leaf;
    double leaf_scale;            // UCT_LEAF_RATING: reward per unit of the strategy's rating
    char database[STRATEGY_PATH]; // path of the database of visited states; empty: none
} UctOptions;

// A bot of another program, which speaks the Tetris Bot Protocol.
typedef struct TbpOptions {
    char command[2048]; // the program and its arguments, a 0 byte behind each and one more at the end
    int preview;        // pieces that it sees, the one in hand included
    double start_limit; // seconds until it must be ready to play
    double move_limit;  // seconds until it must have answered
    bool fill_hold; // before each move it is put on the board anew, the piece in hand being in the hold too
    double think;   // milliseconds that it is left alone before it is asked
} TbpOptions;

// Values of boards, learned by 'tetralab td'.
typedef struct PatternsOptions {
    char values[STRATEGY_PATH]; // path of the patterns
    int depth;                  // pieces looked at, the one in hand included
    int candidates; // placements of each piece but the last that are followed, the best by value; 0: all
} PatternsOptions;

typedef enum TieRule {
    TIES_FIRST,    // the first best: orientation in the outer loop, column from the left
    TIES_PRIORITY, // Dellacherie: far from the middle, then left of it, then few turns
    TIES_RANDOM,   // xtris
    TIES_CENTRE    // tetr-ai: near the middle, then left
} TieRule;

typedef struct Strategy {
    char name[64];
    char source[192]; // where it was published
    PlayerKind player;
    TieRule ties;
    bool clear_late; // two-piece: rows completed by the first piece are cleared only after the second (Fahey)
    RatingWeights rating;
    ExpectimaxOptions expectimax;
    BeamOptions beam;
    UctOptions uct;
    TbpOptions tbp;
    PatternsOptions patterns;
    char table[STRATEGY_PATH]; // path of the values, made by 'tetralab solve'
} Strategy;

// The words of strategy files, in the order of their enums, up to NULL.
extern const char *const strategy_player_names[], *const strategy_ties_names[],
                                                      *const strategy_rating_names[];

// The keys of every strategy; those of its player are in its PlayerType. What makes the rating is from
// STRATEGY_RATING on, and from STRATEGY_WEIGHTS on it is more than a value.
enum { STRATEGY_PLAYER = 2, STRATEGY_CLEAR = 4, STRATEGY_RATING, STRATEGY_WEIGHTS };
extern const Fields strategy_fields;
// <- the keys that strategies of this player have besides
Fields strategy_options(PlayerKind player);

// What its kind of player and its options make of it.
typedef struct StrategyNature {
    int sees;       // pieces, the one in hand included
    bool rated;     // has it a rating? false: UCT with leaves worth 0, table
    bool learns;    // does it remember its games in a file, so that each one depends on those before?
    bool repeats;   // would it play a game again in the same way? Not if it learns, or plans by the clock
    bool has_units; // are some options in units of its rating, so that the length of its weights counts?
    const char *unvalued; // why nobody can learn from what it thinks of the moves, behind its name; NULL:
                          //   they can
} StrategyNature;
StrategyNature strategy_nature(const Strategy *strategy);

int strategy_weights(const Strategy *strategy); // <- how many weights it has, biases included
bool strategy_is_rated(const Strategy *strategy);
bool strategy_ties_by_priority(const Strategy *strategy); // <- has every placement a rank of its own?

// Can its player do all that it asks for? If not, the sentence says what, in the words of strategy files.
// <- key  of such a file, for the place; may be NULL
bool strategy_check_traits(const Strategy *strategy, const char **key, Error *error);

// Makes it a strategy for this player, with the default options; the rating stays.
void strategy_set_player(Strategy *strategy, PlayerKind player);
// Makes it a strategy that is played as another one: by its player, with its options; the rating stays.
void strategy_play_as(Strategy *strategy, const Strategy *like);
// Sets options so that it is rated, if it is not. <- false: such a player never is
bool strategy_set_rated(Strategy *strategy);
bool strategy_player_rates(int player); // <- can such a player have a rating, hence weights?

enum { STRATEGY_FILE_LIMIT = 1 << 20 };   // larger strategy files are refused
#define STRATEGY_WEIGHT_LIMIT       1e100 // and larger weights, either way
#define STRATEGY_EXPONENT_LIMIT     32.0  // exponents beyond -32 ... 32 would overflow
#define STRATEGY_DISPLACEMENT_LIMIT 1e6

// <- a strategy without weights: greedy, first ties, linear.
// -> path  its name is the file's name without folder and ending
void strategy_empty(Strategy *strategy, const char *path);

// -> text  a built-in name, or the path of a file: JSON (.json) or mdptetris (.dat); with another ending
//          the first character of the file tells. "-": standard input
bool strategy_find(Strategy *strategy, const char *text, Error *error);
// <- does strategy_find read a file for this text? false: it is a built-in name or nothing at all
bool strategy_is_file(const char *text);

// -> name  what to call the text in messages
bool strategy_parse_json(Strategy *strategy, const char *name, const char *text, size_t length, Error *error);
bool strategy_parse_dat(Strategy *strategy, const char *name, const char *text, size_t length, Error *error);

// <- the strategy as a JSON text that strategy_parse_json reads back; free() it. NULL: out of memory.
char *strategy_to_json(const Strategy *strategy);

// Built-in strategies, in the order of `tetralab strategies`.
const Strategy *strategy_builtin(int index); // NULL past the last one
// Writes their names, for Field.suggest.
void strategy_suggest(FILE *out);

#endif
