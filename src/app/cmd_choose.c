// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab choose: the moves of a strategy on boards that other programs ask about, as text or as JSON lines
// (player/question.h); one JSON line each goes out. Answers are kept together while more questions are there
// and go out before the program waits for the next one, so that it is fast in a pipe and prompt in a
// dialogue.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "app/choose_answer.h"
#include "base/lines.h"
#include "base/progress.h"
#include "player/question.h"

enum { OUTPUT_BUFFER = 1 << 16, BOARD_TEXT = 1 << 12, LOOK_AROUND = 100 }; // LOOK_AROUND: milliseconds

typedef struct ChooseOptions {
    AppOptions app;
    const char *boards, *piece, *next;
    int moves;
    bool features;
} ChooseOptions;

typedef struct Dialogue {
    const ChooseOptions *options;
    const Player *player;
    LineReader reader;
    Question preset, question; // preset: what the options say
    char board[BOARD_TEXT];    // the rows of a board so far, as text
    size_t board_length;
    int board_line; // number of their first line
    bool wrong;     // some line was
} Dialogue;

// ---------------------------------------------------------------------------------------------------
// Answers

static void refuse(Dialogue *dialogue, uint64_t line, const Error *error) {
    choose_print_error(stdout, dialogue->question.id, line, error);
    dialogue->wrong = true;
}

static void answer(Dialogue *dialogue, uint64_t line) {
    const ChooseOptions *options = dialogue->options;
    Position position;
    Ranking ranking;
    Error error;
    if (!question_position(&dialogue->question, &options->app.rules, &position, &error)) {
        refuse(dialogue, line, &error);
        return;
    }
    Placement chosen = player_rank(dialogue->player, &position.game, &ranking);
    choose_print(stdout, dialogue->question.id,
                 &(ChooseAnswer){.player = dialogue->player,
                                 .game = &position.game,
                                 .ranking = &ranking,
                                 .moves = options->moves,
                                 .features = options->features});
    if (chosen != PLACEMENT_NONE)
        game_move(&position.game, &options->app.rules, chosen, NULL);
    player_forget(dialogue->player, &position.game); // nobody plays this game on
    if (player_strategy(dialogue->player)->player == PLAYER_TBP)
        fflush(stdout); // a bot that fails later ends the program
}

// ---------------------------------------------------------------------------------------------------
// Questions

// The rows read so far are a board, if there are any.
static void end_board(Dialogue *dialogue) {
    const Rules *rules = &dialogue->options->app.rules;
    Error error;
    if (!dialogue->board_length)
        return;
    Reader reader = reader_start(dialogue->reader.name, dialogue->board, dialogue->board_length, &error);
    reader.line = (size_t)dialogue->board_line - 1;
    dialogue->board_length = 0;
    dialogue->question = dialogue->preset;
    int found = board_read(&reader, rules->width, rules->height, &dialogue->question.board);
    if (found < 0)
        refuse(dialogue, (uint64_t)dialogue->board_line, &error);
    else if (found > 0)
        answer(dialogue, (uint64_t)dialogue->board_line);
}

static void take_row(Dialogue *dialogue, const char *text, size_t length) {
    uint64_t line = dialogue->reader.line;
    Error error;
    if (!dialogue->board_length)
        dialogue->board_line = (int)line;
    if (memchr(text, 0, length) || dialogue->board_length + length + 2 > sizeof dialogue->board) {
        error_set(&error, "This is no board: rows of '#' and '.', and an empty line between boards.");
        dialogue->question.id[0] = 0;
        dialogue->board_length = 0;
        refuse(dialogue, line, &error);
        return;
    }
    memcpy(dialogue->board + dialogue->board_length, text, length);
    dialogue->board_length += length;
    dialogue->board[dialogue->board_length++] = '\n';
}

static void take_line(Dialogue *dialogue, const char *text, size_t length) {
    size_t blank = 0;
    Error error;
    while (blank < length && strchr(" \t\r", text[blank]) && text[blank])
        blank++;
    if (blank == length) {
        end_board(dialogue);
    } else if (text[blank] != '{' && text[blank] != '[') {
        take_row(dialogue, text, length);
    } else {
        end_board(dialogue);
        dialogue->question = dialogue->preset;
        if (question_parse(&dialogue->question, text, length, &dialogue->options->app.rules, &error))
            answer(dialogue, dialogue->reader.line);
        else
            refuse(dialogue, dialogue->reader.line, &error);
    }
}

// Who asks may be waiting for an answer before asking on. Waiting has pauses: an interrupt may come just
// before.
static bool fill(LineReader *reader, Error *error) {
    struct pollfd input = {.fd = reader->file, .events = POLLIN};
    int ready = poll(&input, 1, 0);
    if (ready == 0) {
        fflush(stdout);
        ready = poll(&input, 1, LOOK_AROUND);
    }
    return ready <= 0 || lines_fill(reader, error);
}

// Does a question wait that was not looked at?
static bool is_unanswered(LineReader *reader) {
    struct pollfd input = {.fd = reader->file, .events = POLLIN};
    const char *text;
    size_t length;
    uint64_t line = reader->line;
    bool waits = progress_interrupted && (lines_next(reader, &text, &length) == LINE_TAKEN ||
                                          (poll(&input, 1, 0) > 0 && input.revents & POLLIN));
    reader->line = line;
    return waits;
}

static bool talk(Dialogue *dialogue, Error *error) {
    LineReader *reader = &dialogue->reader;
    while (!progress_interrupted && !ferror(stdout)) {
        const char *text;
        size_t length;
        LineEvent event = lines_next(reader, &text, &length);
        if (event == LINE_TAKEN) {
            take_line(dialogue, text, length);
        } else if (event == LINE_TOO_LONG) {
            Error wrong;
            error_set(&wrong, "The line has more than %d bytes and is skipped.", QUESTION_LINE_LIMIT);
            dialogue->question.id[0] = 0;
            refuse(dialogue, reader->line, &wrong);
        } else if (event == LINE_END) {
            end_board(dialogue);
            return true;
        } else if (!fill(reader, error)) {
            return false;
        }
    }
    return !is_unanswered(reader) ||
           error_set(error, "interrupted: questions behind line %" PRIu64 " have no answer.", reader->line);
}

// ---------------------------------------------------------------------------------------------------

// -> player  of the strategy
static bool converse(const ChooseOptions *options, const Player *player, bool *wrong, Error *error) {
    Dialogue *dialogue = aligned_alloc(_Alignof(Dialogue), sizeof *dialogue);
    const char *path = options->boards;
    bool file = path && strcmp(path, "-");
    int input = file ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    bool good = dialogue || error_set(error, "Out of memory.");
    if (input < 0)
        good = error_set(error, "cannot read %.200s: %s.", path, strerror(errno));
    if (good) {
        *dialogue = (Dialogue){.options = options, .player = player};
        good = question_letters(&dialogue->preset, options->piece ? options->piece : "", "--piece", error) &&
               question_letters(&dialogue->preset, options->next ? options->next : "", "--next", error) &&
               lines_open(&dialogue->reader, input, QUESTION_LINE_LIMIT, error);
        if (file)
            dialogue->reader.name = path;
        good = good && talk(dialogue, error);
        *wrong = dialogue->wrong;
        lines_close(&dialogue->reader);
    }
    if (file && input >= 0)
        close(input);
    free(dialogue);
    return good;
}

static const Field choose_field[] = {
    {"boards", FIELD_STRING, FIELD_AT(ChooseOptions, boards), .file = FIELD_READS, .preset = NAN,
     .argument = "FILE", .otherwise = "the standard input",
     .help = "Read the questions from FILE; - is the standard input."},
    {"piece", FIELD_STRING, FIELD_AT(ChooseOptions, piece), .argument = "LETTER",
     .help = "The piece in hand, for boards without one: all that are given as text."},
    {"next", FIELD_STRING, FIELD_AT(ChooseOptions, next), .argument = "LETTERS",
     .help = "Pieces that are known to follow it, likewise."},
    {"moves", FIELD_INT, FIELD_AT(ChooseOptions, moves), .preset = NAN, .most = PLACEMENTS, .argument = "N",
     .otherwise = "0; 64 with --features", .help = "Also list the best N moves, with their values."},
    {"features", FIELD_FLAG, FIELD_AT(ChooseOptions, features),
     .help = "Say for each move in the list what every feature gives."},
};

static bool check(ChooseOptions *options, const Arguments *arguments, Error *error) {
    if (arguments->operands != 1)
        return error_set(error,
                         arguments->operands ? "choose asks one strategy, but there are %d."
                                             : "choose needs a strategy, as in 'tetralab choose bcts'.",
                         arguments->operands);
    if (options->piece && strlen(options->piece) != 1)
        return error_set(error, "--piece: one letter is the piece in hand; those after it are --next.");
    if (options->next && !options->piece)
        return error_set(error, "--next is for --piece, which was not given.");
    if (!arguments_given(arguments, "moves"))
        options->moves = options->features ? PLACEMENTS : 0;
    return (!options->features || options->moves) ||
           error_set(error, "--features is for the list of moves: give --moves 1 or more.");
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    ChooseOptions *options = chosen;
    AppPlayers players;
    int code = EXIT_USAGE;
    bool wrong = false;
    if (!check(options, arguments, error) || !rules_check(&options->app.rules, error))
        return EXIT_USAGE;
    setvbuf(stdout, NULL, _IOFBF, OUTPUT_BUFFER);
    progress_catch_interrupt();
    if (app_players(&players, &options->app, arguments, &code, error))
        code = converse(options, players.player[0], &wrong, error) && !wrong ? EXIT_DONE : EXIT_FAILED;
    return app_players_free(&players, code);
}

const Command command_choose =
    COMMAND("choose", "STRATEGY", ChooseOptions, choose_field,
            "Ask for moves on boards: text or JSON lines in, JSON lines out",
            "A question is a line such as {\"board\": [\"##......##\"], \"piece\": \"T\", \"next\": \"I\"},\n"
            "or rows of '#' and '.' and an empty line behind them, with --piece. A question that\n"
            "is wrong has an error as its answer. docs/choose.md tells more.\n",
            .has_rules = true, .has_running = true, .without = " max-pieces seed jobs json ");
