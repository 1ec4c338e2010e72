// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tetralab in your own program, from C99 on and from C++. This header is the manual.
//
//     cc play.c $(pkg-config --cflags --libs tetralab)
//
// The mean of a published player over 100 games, and the move it would make on a board:
//
//     tetralab_error error;
//     tetralab_rules *rules = tetralab_rules_new();
//     tetralab_rules_set(rules, "board", "10x16", &error);
//     tetralab_strategy *strategy = tetralab_strategy_load("bcts", &error);
//     tetralab_player *player = tetralab_player_new(strategy, rules, NULL, &error);
//
//     tetralab_score scores[100];
//     tetralab_summary summary;
//     tetralab_play(player, 1, 100, 0, scores, NULL, NULL, NULL, &error);
//     tetralab_summarise(scores, 100, &summary, &error);      // summary.mean, summary.exact.low ...
//
//     uint32_t columns[10] = {3, 3, 3, 1, 0, 0, 1, 1, 7, 7};
//     tetralab_move move;
//     tetralab_choose(player, columns, 'T', 0, &move, &error); // move.orientation, move.column
//
//     tetralab_player_free(player);
//     tetralab_strategy_free(strategy);
//     tetralab_rules_free(rules);
//
// (examples/ has whole programs, which look at what the functions return.)
//
// What holds for all functions
//
//   Failure    A function that can fail has an `error` as its last parameter, and returns false, NULL or -1
//              when it does. error->text is then one full sentence that says what was wrong, where, and what
//              would be right. `error` may be NULL: the sentence is lost. After a success its text means
//              nothing. A function that fails has changed nothing, neither handles nor what its
//              other parameters point to.
//   Pointers   None may be NULL unless it is said. Results are written where the caller says; the arrays and
//              structs are the caller's own.
//   Handles    tetralab_strategy, tetralab_rules, tetralab_player and the like are made by a function of the
//              library and released by the _free of their name, which takes NULL too. They do not depend on
//              each other: a player keeps copies of its strategy and its rules.
//   Texts      const char * results belong to the handle they come from and live as long as it does; those
//              that come from no handle live for ever. Texts are UTF-8 and end with a 0 byte. Numbers in
//              texts have a decimal point, whatever the locale.
//   Threads    Any number of threads may use the same handle at the same time, as long as none of them
//              changes it (tetralab_rules_set, tetralab_settings_set) or frees it. There is no other state:
//              no call changes what another one returns, unless a player has a database (below). A batch:
//              see there.
//   The rest   The library never prints, never ends the program, starts no other one (a strategy with the
//              player "tbp" is for the command line), and sets neither signal handlers nor the locale.
//   Files      It touches only files that it is told to. tetralab_strategy_load and tetralab_rules_set read
//              the one they are given. tetralab_player_new opens those that the strategy names: the values of
//              a table player, which are read, and the database of a UCT player, which is made if it is not
//              there; while it is open there are files beside it, whose names begin with its name.
//              Whoever then chooses or plays reads and writes the database, and moves depend on what was
//              learned before; tetralab_player_flush and tetralab_player_free put it on the disk. Long calls
//              write files only if a setting names them.
//   Growth     Later versions add functions and settings. None of them changes what stands here as long as
//              the major version is the same; the linker's name of the library carries it.
#ifndef TETRALAB_H
#define TETRALAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TETRALAB_API __attribute__((visibility("default")))
#else
#define TETRALAB_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The version of this header; tetralab_version() is that of the library.
#define TETRALAB_HEADER_VERSION "0.1.0"

// Room and limits
enum {
    TETRALAB_MAX_WIDTH = 14,          // columns of the widest board
    TETRALAB_MAX_HEIGHT = 27,         // rows of the highest one
    TETRALAB_MAX_MOVES = 64,          // room for the placements of one piece
    TETRALAB_MAX_VALUES = 65,         // numbers of the longest feature
    TETRALAB_MAX_CONTRIBUTIONS = 320, // room for what the features give to one move
    TETRALAB_MAX_VALUE = 256,         // room for the text of a setting, its final 0 included
    TETRALAB_MAX_THREADS = 1024,      // for all that plays on several
    TETRALAB_MAX_SEATS = 8,           // players of a match
    TETRALAB_MAX_GAMES = 10000000,    // for tetralab_play
    TETRALAB_MAX_BATCH = 1000000      // games of a batch
};

typedef struct tetralab_error {
    char text[512];
} tetralab_error;

typedef struct tetralab_strategy tetralab_strategy;
typedef struct tetralab_rules tetralab_rules;
typedef struct tetralab_player tetralab_player;
typedef struct tetralab_settings tetralab_settings;
typedef struct tetralab_batch tetralab_batch;

// <- the version of the library, such as "0.1.0".
TETRALAB_API const char *tetralab_version(void);

// Releases a text that a function below says to release so. NULL: nothing happens.
TETRALAB_API void tetralab_free(void *text);

// ---- Strategies: what makes a player, as data -------------------------------------------------------------

// <- the name of a built-in strategy, or NULL.
// -> index  0, 1, 2, ... until NULL
TETRALAB_API const char *tetralab_strategy_builtin(int index);

// Takes a built-in strategy or reads one from a file.
// -> name   a built-in name, or the path of a JSON or mdptetris .dat file, as on the command line; "-" is the
//           standard input
// <- NULL   there is none, or the file is wrong (file, line and column are named), or memory ran out
TETRALAB_API tetralab_strategy *tetralab_strategy_load(const char *name, tetralab_error *error);

// Reads a strategy from a JSON text, the same as a strategy file:
//     {"name": "mine", "weights": {"holes": -4, "landing-height": -1}}
// -> name   what to call the text in sentences about mistakes; also the strategy's name if it has none
// -> text   `length` bytes, at most 1 MiB; need not end with a 0 byte
TETRALAB_API tetralab_strategy *tetralab_strategy_parse(const char *name, const char *text, size_t length,
                                                        tetralab_error *error);
TETRALAB_API void tetralab_strategy_free(tetralab_strategy *strategy);

// <- its name, and where it was published ("": not said).
TETRALAB_API const char *tetralab_strategy_name(const tetralab_strategy *strategy);
TETRALAB_API const char *tetralab_strategy_source(const tetralab_strategy *strategy);

// <- the strategy as a JSON text that tetralab_strategy_parse reads back; release it with tetralab_free.
//    NULL: memory ran out
TETRALAB_API char *tetralab_strategy_to_json(const tetralab_strategy *strategy, tetralab_error *error);

// ---- Rules: the variant of the game -----------------------------------------------------------------------

// <- the default rules; NULL only if memory ran out.
TETRALAB_API tetralab_rules *tetralab_rules_new(void);
TETRALAB_API void tetralab_rules_free(tetralab_rules *rules);

// Settings have the names and values of the command line:
//     board       WIDTHxHEIGHT, 4x4 to 14x27                                      10x20
//     overflow    lenient, strict or touch: what ends the game                    lenient
//     gameover    avoid or evaluate: how moves that end the game are valued       avoid
//     rules       simplified or original (the piece must get to its place)        simplified
//     pieces      uniform, hard, sz, bag, weights as S:3,Z:3,O:1, or a file       uniform
//     max-pieces  a number, or none: tetralab_play stops each game there          none
// Fails when the name is unknown or the value impossible. Whether the settings go together (original and
// touch do not) is checked where the rules are used.
TETRALAB_API bool tetralab_rules_set(tetralab_rules *rules, const char *name, const char *value,
                                     tetralab_error *error);

// <- value  the setting as tetralab_rules_set takes it; room for TETRALAB_MAX_VALUE bytes. The path of a file
//           of pieces that is longer is cut.
// Fails when the name is unknown.
TETRALAB_API bool tetralab_rules_get(const tetralab_rules *rules, const char *name, char *value,
                                     tetralab_error *error);

// <- the name of a setting, or NULL.
// -> index  0, 1, 2, ... until NULL
TETRALAB_API const char *tetralab_rules_setting(int index);

TETRALAB_API int tetralab_rules_width(const tetralab_rules *rules);
TETRALAB_API int tetralab_rules_height(const tetralab_rules *rules);

// ---- Boards -----------------------------------------------------------------------------------------------
//
// A board is an array of one uint32_t for each column, from the left; bit 0 is the floor row:
//
//     row 2   . # . .         columns[0] = 3  (binary 011)
//     row 1   # # . .         columns[1] = 7  (binary 111)
//     row 0   # # . #         columns[2] = 0
//            x=0 1 2 3        columns[3] = 1
//
// It must be one that a game can reach: no cell above the top row (with overflow touch: none in the top row),
// no full row. Every function that takes a board checks that, and fails if it is not so.

// Reads a board from a text: rows from the top, '#' filled and '.' empty, empty rows on top may be left out;
// blank lines before and after it.
// <- columns  as many as the rules' width
TETRALAB_API bool tetralab_board_parse(const tetralab_rules *rules, const char *text, uint32_t *columns,
                                       tetralab_error *error);

// Writes a board as such a text, all rows, a newline behind each.
// <- text  needs (width + 1) * height + 1 bytes
TETRALAB_API bool tetralab_board_print(const tetralab_rules *rules, const uint32_t *columns, char *text,
                                       tetralab_error *error);

// ---- Moves ------------------------------------------------------------------------------------------------

// A piece is a letter, O I S Z L J or T, in upper or lower case. A placement is its orientation and its left
// column. Orientation 0 is how the piece appears; each next one is turned counter-clockwise:
//
//     O  ##    I  ####    S  .##    Z  ##.    L  ###    J  ###    T  ###
//        ##                  ##.       .##       #..       ..#       .#.
//
// O has 1 orientation; I, S and Z have 2; L, J and T have 4.
typedef struct tetralab_move {
    int orientation; // 0 ... 3
    int column;      // of the piece's leftmost cell, from 0
    int row;         // of its lowest cell, from 0, where it comes to rest, before full rows are removed
    int lines;       // rows that are removed; 0 if the piece is not put down
    char piece;      // its letter, in upper case
    bool placed;     // the piece is put down and counts; false: the move ends the game and changes nothing
    bool ends;       // the game is over
} tetralab_move;

// The cells of a piece.
// <- cells  room for 4: its columns from the left, bit 0 the row of its lowest cell
// <- how many columns it is wide; -1: there is no such piece or orientation
TETRALAB_API int tetralab_piece_shape(char piece, int orientation, uint32_t *cells, tetralab_error *error);

// Makes a player: a strategy under rules. It keeps copies of both.
// -> kernel  how the features are computed: one of tetralab_kernel, or NULL for the fastest. Never changes a
//            move, only the speed.
// Fails when the rules contradict each other, when the strategy does not go with the board (it has another
// number of columns), when a file that it names cannot be used, or when the machine has no such kernel.
TETRALAB_API tetralab_player *tetralab_player_new(const tetralab_strategy *strategy,
                                                  const tetralab_rules *rules, const char *kernel,
                                                  tetralab_error *error);
TETRALAB_API void tetralab_player_free(tetralab_player *player);

// Puts what a player with a database has learned on the disk; for all others nothing happens.
// Fails when that is not possible, or when using the database has failed while a move was chosen: from then
// on the player plays without it.
TETRALAB_API bool tetralab_player_flush(const tetralab_player *player, tetralab_error *error);

TETRALAB_API const char *tetralab_player_kernel(const tetralab_player *player);

// <- the name of a kernel that this machine can run, slowest first, or NULL.
// -> index  0, 1, 2, ... until NULL
TETRALAB_API const char *tetralab_kernel(int index);

// The player's move.
// -> columns  the board, of the size of the player's rules
// -> next     the piece after this one, or 0: unknown. Players of one piece do not look at it; players of two
//             play as players of one where it is unknown.
// <- move     complete, as tetralab_place would fill it. When every move ends the game the player may make
//             none (with gameover avoid it never makes one): orientation, column and row are then -1, placed
//             is false and ends is true.
// A strategy that draws random numbers (xtris, UCT) draws from numbers made of the board and the pieces: the
// same question has the same answer, unless it plans by the clock or has a database. In tetralab_play each
// game has its own random numbers instead. A UCT player that plans more pieces than are known draws the
// others anew in each phase. Nothing is kept from one call to the next: in tetralab_play it goes on with what
// it planned before, and may choose otherwise.
TETRALAB_API bool tetralab_choose(const tetralab_player *player, const uint32_t *columns, char piece,
                                  char next, tetralab_move *move, tetralab_error *error);

// Makes a move: the piece falls, full rows are removed.
// <-> columns  stay as they were if the move is not placed
// <-> move     in: piece, orientation and column; out: all of it
// -> next      the piece after this one, or 0: unknown. Under the original rules the game also ends when the
//              next piece has no room to appear: then the move is both placed and ends.
// Fails when the piece has no such orientation, when it would be outside the walls or, under the
// original rules, cannot get there.
TETRALAB_API bool tetralab_place(const tetralab_rules *rules, uint32_t *columns, tetralab_move *move,
                                 char next, tetralab_error *error);

// All placements of a piece, as tetralab_place would fill them, orientation by orientation, from the left.
// <- moves  room for TETRALAB_MAX_MOVES
// <- how many; 0 only under the original rules: the piece has no room to appear, the game is over. -1: failed
TETRALAB_API int tetralab_placements(const tetralab_rules *rules, const uint32_t *columns, char piece,
                                     char next, tetralab_move *moves, tetralab_error *error);

// A move with what a player thinks of it.
typedef struct tetralab_ranked {
    tetralab_move move;
    double value;  // what the player compares: the rating of the move; of two pieces, that of the best pair;
                   // of players that look ahead, what they expect. NaN: the player has none for this move;
                   // -infinity: no move can follow it
    double rating; // of the move by itself, the sum of its tetralab_contributions; NaN: it is not rated
    uint32_t visits; // how often a UCT player planned with it; 0 for others
    bool chosen;     // the player's own move; at most one is, and it is the first
} tetralab_ranked;

// All placements of a piece, those that the player prefers first: its own choice, as tetralab_choose gives
// it, then by their values, equal ones as its tie rule has them, then those that it does not look at, and
// those that end the game last (unless they have values: gameover evaluate).
// -> next   letters of the pieces that are known to follow, such as "TIL"; NULL or "": none. Players look at
// as
//           many of them as they see.
// <- moves  room for TETRALAB_MAX_MOVES. None is chosen where the player makes no move.
// <- how many; 0 only under the original rules: the piece has no room to appear. -1: failed
TETRALAB_API int tetralab_rank(const tetralab_player *player, const uint32_t *columns, char piece,
                               const char *next, tetralab_ranked *moves, tetralab_error *error);

// What one value of a feature gives to the rating of a move.
typedef struct tetralab_contribution {
    const char *feature; // its name
    int index;           // which of its values, for a feature with several; else 0
    double value;        // as tetralab_feature_values gives it
    double weight;       // as the strategy gives it; NaN: there are hidden units, which have their own
    double contribution; // weight * value, or what the strategy makes of them; NaN: hidden units
} tetralab_contribution;

// The features that the rating of a move consists of. Players that look ahead rate other boards than this
// one; those of UCT players with rated leaves are the features of the board after the move, without those of
// the family "move", which they do not rate.
// -> move  piece, orientation and column, as for tetralab_place
// <- list  room for TETRALAB_MAX_CONTRIBUTIONS
// <- how many; 0: the player rates nothing. -1: failed
TETRALAB_API int tetralab_contributions(const tetralab_player *player, const uint32_t *columns,
                                        const tetralab_move *move, tetralab_contribution *list,
                                        tetralab_error *error);

// The first `count` pieces of game number `game` (from 0) of a seed: those that tetralab_play plays it with.
// <- letters  needs count + 1 bytes, for a final 0
// <- how many; fewer than `count` only when the pieces come from a file and that has no more
TETRALAB_API size_t tetralab_pieces(const tetralab_rules *rules, uint64_t seed, uint64_t game, size_t count,
                                    char *letters);

// ---- Features: what strategies look at --------------------------------------------------------------------

// <- name, family and meaning of a feature, or NULL. Features of the family "move" describe a move, all
//    others the board after it.
// -> index  0, 1, 2, ... until NULL
TETRALAB_API const char *tetralab_feature_name(int index);
TETRALAB_API const char *tetralab_feature_family(int index);
TETRALAB_API const char *tetralab_feature_meaning(int index); // one sentence; a definition

// The value of a feature, by its reference definition.
// -> columns  the board; with a move, the one before it
// -> move     piece, orientation and column of a move, as for tetralab_place; NULL: the board as it is, where
//             the features of the family "move" are 0
// <- values   room for TETRALAB_MAX_VALUES
// <- how many there are: 1, one for each column or pair of columns, or a table. -1: failed, also because no
// feature
//    has this name (one that is nearly the same is named)
TETRALAB_API int tetralab_feature_values(const tetralab_rules *rules, const char *name,
                                         const uint32_t *columns, const tetralab_move *move, double *values,
                                         tetralab_error *error);

// The values of features on many boards at once, as they are, without a move: a hundred times as fast as one
// by one. Means may differ from their reference definitions in the last bit.
// -> names    `count` features, each once
// -> columns  `boards` boards, one after the other
// <- values   for every board the numbers of these features, one after the other. NULL: nothing is computed,
//             and columns may be NULL too
// <- how many numbers a board has. -1: failed; a board that is wrong is named by its number, from 0
TETRALAB_API int tetralab_features_of_boards(const tetralab_rules *rules, const char *const *names, int count,
                                             const uint32_t *columns, size_t boards, double *values,
                                             tetralab_error *error);

// ---- Games ------------------------------------------------------------------------------------------------

typedef struct tetralab_score {
    uint64_t lines, pieces;
    bool ended; // lost; false: stopped before, by max-pieces, by `progress` or since the pieces were used up
} tetralab_score;

// How far tetralab_play has come.
typedef struct tetralab_status {
    uint64_t games, done;   // wanted, finished
    uint64_t pieces, lines; // of all games so far
} tetralab_status;

// Called by tetralab_play every few hundredths of a second, by any of its threads but never by two at
// a time. Must return; may call every function of the library.
// <- false: stop
typedef bool tetralab_progress(void *context, const tetralab_status *status);

// Plays games 0 ... games-1 of a seed to their end, each from the empty board. Game k of a seed is the same
// game whoever plays it, on any number of threads.
// -> games     1 ... TETRALAB_MAX_GAMES
// -> threads   1 ... TETRALAB_MAX_THREADS, this one included; 0: one for each core
// <- scores    room for `games`; game k at [k]
// <- played    how many scores there are: `games`, or fewer if `progress` stopped it. The games under way at
//              that moment are among them as not ended: to leave them out would favour short games. May be
//              NULL.
// -> progress  may be NULL; gets `context`, which may be anything
// Fails when a number is out of range or memory runs out.
TETRALAB_API bool tetralab_play(const tetralab_player *player, uint64_t seed, uint64_t games, int threads,
                                tetralab_score *scores, uint64_t *played, tetralab_progress *progress,
                                void *context, tetralab_error *error);

typedef struct tetralab_interval {
    double low, high; // high may be infinite; both NaN: not known
} tetralab_interval;

// What `tetralab play` reports. A game that did not end says only that its score would be larger: all
// games together are one wait of `lines` lines in which `ended` games ended.
typedef struct tetralab_summary {
    uint64_t games, ended;
    uint64_t lines, pieces;   // of all games
    double mean;              // lines / ended; infinite if no game ended
    tetralab_interval exact;  // 95 %, for exponential scores, which good players have: sd is near the mean
    tetralab_interval rule;   // 95 %, mean (1 -+ 2 / sqrt(ended)), as in the papers
    tetralab_interval normal; // 95 %, from sd: right for any scores given enough games, if all ended
    double sd;                // of the scores; NaN for a single game
    double median;
    bool median_is_bound;      // too few games ended: the true median is larger
    uint64_t minimum, maximum; // of the scores as they are
} tetralab_summary;

// -> scores  as tetralab_play writes them, in any order, also of several calls
// -> count   at least 1
// Fails when there is no score or memory runs out.
TETRALAB_API bool tetralab_summarise(const tetralab_score *scores, uint64_t count, tetralab_summary *summary,
                                     tetralab_error *error);

// <- how many games must end for `exact` to be within this fraction of the mean on both sides; at most
//    TETRALAB_MAX_GAMES. It does not depend on the scores.
// -> precision  such as 0.15; 0, less, or NaN gives TETRALAB_MAX_GAMES
TETRALAB_API uint64_t tetralab_games_for(double precision);

// ---- Batches: many games stepped together -----------------------------------------------------------------
//
// For programs that learn by playing. All games make one move a call, and what the caller wants to know
// is written into arrays of its own:
//
//     enum { GAMES = 1000 };
//     static uint8_t mask[GAMES * 4 * 10], over[GAMES];
//     static double reward[GAMES];
//     int64_t actions[GAMES];
//     tetralab_batch *batch = tetralab_batch_new(rules, GAMES, &error);
//     tetralab_batch_bind(batch, "mask", mask, sizeof mask, &error);
//     tetralab_batch_bind(batch, "terminated", over, sizeof over, &error);
//     tetralab_batch_bind(batch, "reward", reward, sizeof reward, &error);
//     tetralab_batch_reset(batch, NULL, NULL, NULL);
//     for (;;) {
//         ... // an action for each game, one that its mask allows
//         tetralab_batch_step(batch, actions, &error);
//     }
//
// An action is a placement as one number, orientation * width + column. Of 4 * width actions those are
// possible that tetralab_placements lists. A move that ends the game changes neither board nor counters; so
// it is with a game that has no other move left: any of them ends it. The limit max-pieces of the rules stops
// games too.
//
// A batch may be used by one thread at a time. Stepping allocates nothing, apart from threads if there are to
// be several.

// Makes a batch; it keeps a copy of the rules. At place k is game k of seed 1, at its beginning.
// -> games  1 ... TETRALAB_MAX_BATCH
// Fails when the rules contradict each other or memory runs out.
TETRALAB_API tetralab_batch *tetralab_batch_new(const tetralab_rules *rules, size_t games,
                                                tetralab_error *error);
TETRALAB_API void tetralab_batch_free(tetralab_batch *batch);

// Settings, as texts:
//     autoreset  when a game that has ended is followed by the next one: next-step,      next-step
//                by the step after, whose action does not count, with reward 0;
//                same-step, at once: the arrays tell of the new game, and their
//                final- twins of the old one; disabled, by tetralab_batch_reset only
//     reward     lines, the rows removed; or uct, 0.1, 0.3, 0.6 and 1 for one to         lines
//                four rows and -1 for a lost game (Cai, Zhang & Nebel 2011)
//     illegal    refuse: a step with an action that is not possible fails and changes    refuse
//                nothing; end: the action ends its game as lost
//     previews   pieces shown after the one in hand, 0 to 32                             1
//     threads    1 to TETRALAB_MAX_THREADS share the games; 0: one for each core         1
//     stride     how much larger the number of the game is that follows by itself        1
//     features   names with commas between them or a set of the papers, as of            none
//                `tetralab learn`; or none
// Setting one of them forgets the arrays that are bound: their shapes may have changed.
// Fails when the name is unknown or the value impossible.
TETRALAB_API bool tetralab_batch_set(tetralab_batch *batch, const char *name, const char *value,
                                     tetralab_error *error);
// <- value  as tetralab_batch_set takes it; room for TETRALAB_MAX_VALUE bytes
TETRALAB_API bool tetralab_batch_get(const tetralab_batch *batch, const char *name, char *value,
                                     tetralab_error *error);
// <- the name of a setting, or NULL.
// -> index  0, 1, 2, ... until NULL
TETRALAB_API const char *tetralab_batch_setting(int index);

// What a batch can tell; docs/api.md lists it.
typedef struct tetralab_array {
    const char *name, *type; // type: uint8, uint32, uint64, int64, float32 or float64
    const char *meaning;     // one sentence
    int dimensions;          // 1 to 3
    size_t shape[3];         // the first is the number of games; the last varies fastest
    size_t bytes;            // of all; 0: there are no features
    bool has_final;          // there is a twin called final-NAME, of the same shape, for autoreset same-step:
                             //   written only for games that ended in this step, as they were then
} tetralab_array;

// <- false: there are no more
// -> index  0, 1, 2, ... until false
TETRALAB_API bool tetralab_batch_array(const tetralab_batch *batch, int index, tetralab_array *array);

// From now on every call that changes games writes this array; it must live until it is bound anew or the
// batch is freed.
// -> name   of an array, or final- and its name
// -> data   the caller's own, aligned for its type; NULL: it is not wanted any more
// -> bytes  how large it is: tetralab_array.bytes, and nothing else
TETRALAB_API bool tetralab_batch_bind(tetralab_batch *batch, const char *name, void *data, size_t bytes,
                                      tetralab_error *error);

// Starts games from the empty board. Game number n of a seed is the one that tetralab_play plays.
// -> seeds    one for each game of the batch. NULL: the seeds stay
// -> numbers  likewise. NULL: with seeds 0, without seeds the present number plus the setting stride
// -> chosen   games with a 0 are left as they are; NULL: all are started
TETRALAB_API void tetralab_batch_reset(tetralab_batch *batch, const uint64_t *seeds, const uint64_t *numbers,
                                       const uint8_t *chosen);

// One move in each game.
// -> actions  one for each game
// Fails, and has changed nothing, when an action is not possible (unless illegal is end) or, with autoreset
// disabled, a game is over. The sentence names the first such game.
TETRALAB_API bool tetralab_batch_step(tetralab_batch *batch, const int64_t *actions, tetralab_error *error);

// The same with the moves of a player: from their beginning the games are those of tetralab_play.
// -> player  for the same board, overflow rule and kind of rules
TETRALAB_API bool tetralab_batch_play(tetralab_batch *batch, const tetralab_player *player,
                                      tetralab_error *error);

// What the player would do.
// <- actions  for tetralab_batch_step; 0 where a game is over. A player that draws random numbers draws them
//             from the game: asked once before each step it plays as in tetralab_batch_play.
TETRALAB_API bool tetralab_batch_choose(tetralab_batch *batch, const tetralab_player *player,
                                        int64_t *actions, tetralab_error *error);

// Writes the arrays again, for those that were bound since the last call.
TETRALAB_API void tetralab_batch_write(const tetralab_batch *batch);
// ---- Settings: the options of a task, by name -------------------------------------------------------------
//
// A task is what a command of the program does: measure, compare, versus, evaluate, learn or solve; and test,
// which is compare with the option --sprt. Its settings are the options of that command, with their names,
// values and defaults (docs/commands.md; `tetralab learn --help`), but for those that are elsewhere here: the
// rules, which come as tetralab_rules or with the player, and files of results, which are returned instead.
//
//     tetralab_settings *settings = tetralab_settings_new("measure", &error);
//     tetralab_settings_set(settings, "precision", "2%", &error);
//
// Functions that take settings take NULL too: all at their defaults. Settings of another task are refused.

// <- NULL: there is no such task, or memory ran out
TETRALAB_API tetralab_settings *tetralab_settings_new(const char *task, tetralab_error *error);
TETRALAB_API void tetralab_settings_free(tetralab_settings *settings);

// -> name   such as "budget-pieces"; "budget_pieces" means the same
// -> value  as on the command line: "5%", "100", "60s", "1,1.1", "cmaes"; of an option without a value "true"
//           or "false". NULL: back to the default
// Fails when the name is unknown (one that is nearly the same is named) or the value impossible. Whether
// settings go together is checked where they are used; sentences then call them as the command line does,
// --precision.
TETRALAB_API bool tetralab_settings_set(tetralab_settings *settings, const char *name, const char *value,
                                        tetralab_error *error);

// <- the text that was set, NULL: none was, the default counts. Lives until the setting is set again.
TETRALAB_API const char *tetralab_settings_get(const tetralab_settings *settings, const char *name);

// What there is to set. The texts live as long as the handle.
typedef struct tetralab_setting {
    const char *name;
    const char *argument; // what the help calls its value, such as "N"; NULL: it is "true" or "false"
    const char *preset;   // the default, as a value or in words ("one per core"); NULL: nothing is to be said
    const char *help;     // sentences
} tetralab_setting;

// -> index  0, 1, 2, ... until false
TETRALAB_API bool tetralab_settings_describe(const tetralab_settings *settings, int index,
                                             tetralab_setting *setting);

// ---- Long calls -------------------------------------------------------------------------------------------

// How far a long call has come.
typedef struct tetralab_advance {
    const char *unit; // what is counted: "games", "repetitions", "pieces", "pairs", "matches", "vectors",
                      //   "generations", "sweeps"; "": nothing yet
    int subject;      // compare: the number of the player that is being measured, from 0; else 0
    uint64_t done, wanted; // so many of them; wanted may be a guess, 0: not known
    uint64_t pieces;       // played so far; solve: 0
    double value;          // what would come out now: mean lines; compare: of the subject; the test: its sum;
                           //   learn: the best score of the last generation; NaN: not known
    double precision;      // of a mean, as a fraction; solve: the error bound; NaN or infinite: not known
    double seconds;        // since the call began
    const char *news;      // learn: the generation that is just complete, each once and in order, as a JSON
                           //   object (tetralab_result_describe: "generations."); else NULL
} tetralab_advance;

// Called by the thread that made the long call, about twenty times a second, also while nothing is new. Must
// return; may call every function of the library that does not use the handles of the call in a forbidden way
// (see Threads above).
// <- false: stop. The call then returns within a fraction of a second, mostly: a player that thinks
//    long about a move is not interrupted. It says what it knows by then and that it was interrupted.
typedef bool tetralab_watch(void *context, const tetralab_advance *advance);

// What long calls have in common:
// -> settings  of the task; NULL: all at their defaults. "seed" and "jobs" (threads; default: one for each
//              core) are settings of all of them; jobs never changes a result.
// -> watch     may be NULL; gets `context`, which may be anything
// Fails when settings do not go together or with the players, when memory runs out, when a file cannot be
// used, or when it was stopped before anything is known.

// ---- Tasks: questions about players whose answers are JSON ------------------------------------------------
//
//     measure  1 player: its mean lines to a precision, however strong it is: whole games for weak players,
//              splitting for those whose games are too long to be played out. With the setting "journal"
//              everything is also appended to that file; if that fails later on, the note says so.
//     compare  2 to 100: each is measured, and the means are divided
//     test     2: does the second make r0 or r1 times as many lines as the first? Plays pairs of games with
//     the
//              same pieces until it is known. The setting "sprt" must be "r0,r1", such as "1,1.1".
//     versus   2 to TETRALAB_MAX_SEATS, one may be there several times: matches in which players send each
//              other rows. With the setting "record" one match is also written to that file.
//     solve    none: the best mean that any player can reach on a board of at most 30 cells under simplified
//              rules with independent pieces. "out": NAME.json (a strategy) and NAME.values are written; by
//              default nothing is. "check-games": here 0 by default; above 0 without "out" a temporary file
//              is used. Stopped, it writes nothing but a checkpoint, and that only with "out"; stopped during
//              the games of the check, it fails.

//     learn    none: a player is learned as `tetralab learn` does; the same settings give the same vectors.
//              "max-pieces" of the rules counts with the objective games. "out": a folder to be made and
//              filled as the command does (without the picture); by default nothing is written. "resume",
//              "repeat": the plan, with its rules, comes from the folder. Stopped, it fails if no generation
//              was complete.

// -> rules    of a task without players; NULL: the default rules. Not used if there are players
// -> players  `count` of them, under the same rules, whose "max-pieces" does not count
// <- a JSON object: what the command writes for --json, with 17 digits for its 15. Its members are those
//    that tetralab_result_describe lists. Release it with tetralab_free. NULL: failed
// Stopped: it is about what was known by then, and "interrupted" is true.
TETRALAB_API char *tetralab_run(const char *task, const tetralab_rules *rules,
                                const tetralab_player *const *players, int count,
                                const tetralab_settings *settings, tetralab_watch *watch, void *context,
                                tetralab_error *error);

// A number of a result, for programs that read no JSON.
// -> path  its names and places: "mean_lines", "ci95.0", "players.1.wins"
// <- NaN: there is no such number, or it is null
TETRALAB_API double tetralab_result_number(const char *json, const char *path);

// <- the same for any member, as JSON; a text as it is. Release it with tetralab_free. NULL: there is none
// -> path  "strategy", for tetralab_strategy_parse; "labels.0"
TETRALAB_API char *tetralab_result_text(const char *json, const char *path);

// A member of a result.
typedef struct tetralab_member {
    const char *name;    // "players.wins": of each object in the list (or of the object) "players"
    const char *unit;    // "lines", "": a number without one; NULL: it is no number. Lists and intervals
                         //   (whose names end in ci95: [low, high]) of numbers have one, too
    const char *meaning; // a sentence
    bool first;          // one of those that a person wants to see first
    bool infinite;       // null means infinite; else that it is not known
} tetralab_member;

// -> index  0, 1, 2, ... until false; false also: tetralab_run has no such task
TETRALAB_API bool tetralab_result_describe(const char *task, int index, tetralab_member *member);

// ---- Evaluating vectors of weights, for optimisers --------------------------------------------------------

// An evaluator is what `tetralab evaluate` is: rules, features, rating and objective, with its threads
// waiting. It serves one call at a time; calls of several threads wait for each other. A watch function of
// tetralab_evaluate must not call it with the same evaluator: it would wait for itself. An evaluator does not
// survive a fork.
typedef struct tetralab_evaluator tetralab_evaluator;

// -> rules     "max-pieces" counts with the objective games
// -> settings  of the task "evaluate": "features", "objective", "games", "trials", "seed" ...
TETRALAB_API tetralab_evaluator *
tetralab_evaluator_new(const tetralab_rules *rules, const tetralab_settings *settings, tetralab_error *error);
TETRALAB_API void tetralab_evaluator_free(tetralab_evaluator *evaluator);

// <- how many numbers a vector has
TETRALAB_API int tetralab_evaluator_size(const tetralab_evaluator *evaluator);
// <- what a number is for, such as "holes" or "column-heights[3]", or NULL. -> index  0, 1, ... until NULL
TETRALAB_API const char *tetralab_evaluator_label(const tetralab_evaluator *evaluator, int index);
// <- a vector as a strategy, to be played or written; NULL: a number is not finite, or memory ran out
// -> name  of the strategy
TETRALAB_API tetralab_strategy *tetralab_evaluator_strategy(const tetralab_evaluator *evaluator,
                                                            const double *vector, const char *name,
                                                            tetralab_error *error);
// <- vector  the weights of a strategy in the order of the labels, 0 for those that it has not; fails if
//            it has others, or if the rating is not linear
TETRALAB_API bool tetralab_evaluator_vector(const tetralab_evaluator *evaluator,
                                            const tetralab_strategy *strategy, double *vector,
                                            tetralab_error *error);

// Which samples a vector is scored with: games, or repetitions of splitting, first ... first + games - 1 of a
// seed. The same numbers mean the same pieces, whatever the vector.
typedef struct tetralab_sampling {
    uint64_t seed, first, games; // games: 1 ... 100000
} tetralab_sampling;

// <- what vectors without a sampling are scored with: the settings "seed" and "games", beginning with 0
TETRALAB_API void tetralab_evaluator_sampling(const tetralab_evaluator *evaluator,
                                              tetralab_sampling *sampling);

typedef struct tetralab_evaluation {
    double
        score; // to be made large. games: mean lines; splitting: ln(mean lines). NaN: it was stopped before
    double error;    // standard error of the score, from its samples; NaN: there is only one
    double mean;     // mean lines that the score stands for
    uint64_t pieces; // played for it
    double seconds;  // of work, on whichever threads
} tetralab_evaluation;

// Scores vectors.
// -> vectors      `count` times as many numbers as tetralab_evaluator_size says, vector after vector;
//                 all finite
// -> samplings    one for each vector; NULL: by the settings "seed" and "games", beginning with 0, for all
// <- evaluations  room for `count`
// <- samples      the values behind the scores, those of the first vector, then those of the second ...:
//                 as many as the games of all samplings together. games: lines; splitting: losses per line;
//                 NaN: not taken, since it was stopped. NULL: not wanted
TETRALAB_API bool tetralab_evaluate(tetralab_evaluator *evaluator, const double *vectors, size_t count,
                                    const tetralab_sampling *samplings, tetralab_evaluation *evaluations,
                                    double *samples, tetralab_watch *watch, void *context,
                                    tetralab_error *error);

#ifdef __cplusplus
}
#endif

#endif
