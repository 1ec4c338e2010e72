// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab watch: games as they are played, in the terminal: one strategy or several side by side, matches,
// recorded games, and games of the user's own. Without a terminal it prints the same pages as plain text.
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "view/screen.h"

static const char HUMAN[] = "human";
enum { DEFAULT_FRAMES = 10, KEYS_AT_ONCE = 64, MOST_SIDE = 500 };

typedef struct WatchOptions {
    AppOptions app;
    const char *replay, *record;
    bool versus;
    double speed;
    uint64_t game, at, frames;
} WatchOptions;

static const Field watch_field[] = {
    {"replay", FIELD_STRING, FIELD_AT(WatchOptions, replay), .file = FIELD_READS, .argument = "FILE",
     .help = "Watch the recorded game or match in FILE. A strategy may be named too: its opinion on the "
             "moves is shown."},
    {"versus", FIELD_FLAG, FIELD_AT(WatchOptions, versus),
     .help = "Several strategies play a match and send each other rows, as in 'tetralab versus'. Without it "
             "each has a game of its own on the same pieces."},
    {"record", APP_OUTPUT(FIELD_AT(WatchOptions, record)),
     .help = "Write what was played to FILE at the end."},
    {"speed", FIELD_REAL, FIELD_AT(WatchOptions, speed), .preset = 5, .least = 0.5, .most = 10000,
     .argument = "V", .help = "Moves a second to begin with; + and - change it."},
    {"game", FIELD_WHOLE, FIELD_AT(WatchOptions, game), .preset = NAN, .otherwise = "0; 1 for a match",
     .argument = "K", .help = "Which game, or match, of the seed."},
    {"at", FIELD_WHOLE, FIELD_AT(WatchOptions, at), .preset = 0, .argument = "N",
     .help = "Begin at move N, paused; games are played up to there first."},
    {"frames", FIELD_WHOLE, FIELD_AT(WatchOptions, frames), .preset = NAN,
     .otherwise = "10 if there is no terminal", .least = 1, .most = RECORD_MAX_MOVES, .argument = "N",
     .help = "Print N moves as plain text instead, of the size that COLUMNS and LINES say."},
};

// ---------------------------------------------------------------------------------------------------
// Who plays

typedef struct Cast {
    Player *player[MATCH_MAX_SEATS]; // NULL: the human
    int count;
    bool human;
} Cast;

static bool make_cast(Cast *cast, const WatchOptions *options, const Arguments *arguments, int *code,
                      Error *error) {
    const Kernel *kernel = kernel_find(options->app.kernel, error);
    *code = EXIT_FAILED;
    for (int i = 0; kernel && i < arguments->operands; i++) {
        bool human = !strcmp(arguments->operand[i], HUMAN);
        cast->human |= human;
        if (!human && !(cast->player[cast->count] =
                            app_player(arguments->operand[i], &options->app, kernel, code, error)))
            return false;
        cast->count++;
    }
    return kernel != NULL;
}

static int free_cast(Cast *cast, int code) {
    for (int i = 0; i < cast->count; i++)
        code = app_player_free(cast->player[i], code);
    return code;
}

static Watched *start(const WatchOptions *options, const Arguments *arguments, const Cast *cast, int first,
                      int count, Error *error) {
    WatchedPlan plan = {.rules = &options->app.rules,
                        .seats = count,
                        .sequence = MATCH_SAME,
                        .seed = options->app.seed,
                        .number = arguments_given(arguments, "game") ? options->game : (uint64_t)(count > 1),
                        .limit = options->app.max_pieces};
    for (int i = 0; i < count; i++) {
        plan.player[i] = cast->player[first + i];
        plan.name[i] = plan.player[i] ? player_strategy(plan.player[i])->name : HUMAN;
    }
    return watched_new(&plan, error);
}

// A match is one table, games side by side are many.
static bool set_tables(Viewer *viewer, const WatchOptions *options, const Arguments *arguments,
                       const Cast *cast, Error *error) {
    if (options->versus || cast->human)
        return viewer_add(viewer, start(options, arguments, cast, 0, cast->count, error));
    for (int i = 0; i < cast->count; i++)
        if (!viewer_add(viewer, start(options, arguments, cast, i, 1, error)))
            return false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Plain text

static int side(const char *name, int usual) {
    const char *text = getenv(name);
    int value = text ? atoi(text) : 0;
    return value > 0 && value <= MOST_SIDE ? value : usual;
}

static bool print_frames(Viewer *viewer, const WatchOptions *options, Error *error) {
    Grid grid = {0};
    uint64_t frames = options->frames ? options->frames : DEFAULT_FRAMES;
    ScreenLook look = {.unicode = draw_unicode()};
    if (!grid_resize(&grid, side("COLUMNS", SCREEN_WIDTH), side("LINES", SCREEN_HEIGHT), error))
        return false;
    for (uint64_t i = 0; i < frames && !progress_interrupted && !ferror(stdout); i++) {
        if ((i || !viewer_at(viewer)) && !viewer_forward(viewer))
            break;
        if (options->app.quiet)
            continue;
        screen_draw(&grid, viewer, &look);
        grid_print(&grid, stdout);
        fputc('\n', stdout);
    }
    grid_free(&grid);
    if (progress_interrupted)
        return error_set(error, "interrupted after move %zu.", viewer_at(viewer));
    return !viewer->error.text[0] || error_set(error, "%s", viewer->error.text);
}

// ---------------------------------------------------------------------------------------------------
// The terminal

// A bot that has failed ends the program at once: the terminal is given back before that is said.
static void (*say_failure)(const char *sentence);
static void leave_failed(const char *sentence) {
    terminal_close();
    say_failure(sentence);
}

// All keys that are there already, before a page is drawn. <- false: leave
static bool take_keys(Viewer *viewer) {
    int key = terminal_wait(viewer_wait(viewer, clock_seconds()));
    for (int i = 0; i < KEYS_AT_ONCE && key >= 0 && !viewer->quit; i++) {
        viewer_key(viewer, key);
        key = terminal_wait(0);
    }
    return key != TERMINAL_LEAVE && !viewer->quit;
}

static bool show(Viewer *viewer, const ScreenLook *look, Error *error) {
    Grid grid = {0};
    bool good = true;
    do {
        int width, height;
        terminal_size(&width, &height);
        good = (width == grid.width && height == grid.height) || grid_resize(&grid, width, height, error);
        if (good) {
            screen_draw(&grid, viewer, look);
            terminal_show(&grid);
        }
        bool stays = good && take_keys(viewer);
        if (!stays)
            break;
        viewer_tick(viewer, clock_seconds());
    } while (good);
    grid_free(&grid);
    return good;
}

static void print_scores(const Viewer *viewer) {
    for (int i = 0; i < viewer_boards(viewer); i++) {
        ViewedBoard viewed = viewer_board(viewer, i);
        const Game *game = &viewed.watched->last.game[viewed.seat];
        char lines[32], pieces[32];
        utf8_print(stdout, "%s: %s lines, %s pieces\n", viewed.watched->record.player[viewed.seat],
                   text_grouped(game->lines, lines), text_grouped(game->pieces, pieces));
    }
}

static bool watch(Viewer *viewer, Error *error) {
    ScreenLook look = {.unicode = draw_unicode(), .keys = true};
    if (!terminal_open(error))
        return false;
    viewer->clock = clock_seconds;
    say_failure = player_failure;
    player_failure = leave_failed;
    bool good = show(viewer, &look, error);
    terminal_close();
    player_failure = say_failure;
    if (good)
        print_scores(viewer);
    return good && (!viewer->error.text[0] || error_set(error, "%s", viewer->error.text));
}

// ---------------------------------------------------------------------------------------------------

// A recorded one is where it is at once; others are played.
static void go_to(Viewer *viewer, uint64_t at) {
    viewer->paused = at > 0;
    viewer_seek(viewer, at);
    while (viewer_at(viewer) < at && !progress_interrupted && viewer_forward(viewer))
        ;
}

static bool write_record(const WatchOptions *options, Viewer *viewer, Error *error) {
    Watched *watched = viewer->table[0];
    if (!options->record)
        return true;
    record_end(&watched->record, &watched->last);
    return record_write(&watched->record, options->record, error);
}

static bool view(const WatchOptions *options, Viewer *viewer, bool plain, Error *error) {
    go_to(viewer, options->at);
    bool good = plain ? print_frames(viewer, options, error) : watch(viewer, error);
    return write_record(options, viewer, good ? error : NULL) && good;
}

static int watch_live(const WatchOptions *options, const Arguments *arguments, bool plain, Error *error) {
    Cast cast = {.count = 0};
    Viewer viewer;
    int code;
    viewer_start(&viewer, options->speed);
    if (make_cast(&cast, options, arguments, &code, error))
        code = set_tables(&viewer, options, arguments, &cast, error) && view(options, &viewer, plain, error)
                   ? EXIT_DONE
                   : EXIT_FAILED;
    viewer_free(&viewer);
    return free_cast(&cast, code);
}

// The strategy, if there is one, is asked under the rules of the record.
static int watch_record(WatchOptions *options, const Arguments *arguments, bool plain, Error *error) {
    Record record;
    Cast cast = {.count = 0};
    Viewer viewer;
    int code = EXIT_FAILED;
    if (!record_read(&record, options->replay, error)) {
        record_free(&record);
        return EXIT_FAILED;
    }
    Rules own = options->app.rules;
    options->app.rules = record.rules;
    viewer_start(&viewer, options->speed);
    if (!make_cast(&cast, options, arguments, &code, error))
        record_free(&record);
    else if (viewer_add(&viewer, watched_record(&record, cast.player[0], error)))
        code = view(options, &viewer, plain, error) ? EXIT_DONE : EXIT_FAILED;
    code = free_cast(&cast, code);
    viewer_free(&viewer);
    options->app.rules = own;
    return code;
}

// ---------------------------------------------------------------------------------------------------

static int count_humans(const Arguments *arguments) {
    int count = 0;
    for (int i = 0; i < arguments->operands; i++)
        count += !strcmp(arguments->operand[i], HUMAN);
    return count;
}

static bool check_replay(const Arguments *arguments, Error *error) {
    char option[FIELD_OPTION_NAME];
    const char *other = arguments_beyond(arguments, " replay speed at frames kernel ", option);
    if (arguments->operands > 1 || count_humans(arguments))
        return error_set(error, "--replay shows what was recorded: one strategy may judge it, no more.");
    return !other || error_set(error, "--replay shows what was recorded: it goes without %s.", other);
}

static bool check(const WatchOptions *options, const Arguments *arguments, Error *error) {
    int humans = count_humans(arguments), players = arguments->operands;
    if (options->replay)
        return check_replay(arguments, error);
    if (!players)
        return error_set(error, "name a strategy, such as bcts, or human, or a record with --replay FILE.");
    if (players > MATCH_MAX_SEATS)
        return error_set(error, "at most %d can be watched at a time, not %d.", MATCH_MAX_SEATS, players);
    if (humans > 1)
        return error_set(error, "there is one keyboard: name human once.");
    if (options->versus && players < 2)
        return error_set(error, "--versus is for two players or more.");
    if (options->record && players > 1 && !options->versus && !humans)
        return error_set(error, "--record writes one game or match: give one strategy, or --versus.");
    return rules_check(&options->app.rules, error);
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    WatchOptions *options = chosen;
    bool plain = options->frames || !terminal_is_there() || options->app.quiet;
    if (!check(options, arguments, error))
        return EXIT_USAGE;
    if (plain && count_humans(arguments)) {
        error_set(error, "a human plays in a terminal: the standard input and output must be one, and "
                         "--frames is for others.");
        return EXIT_USAGE;
    }
    progress_catch_interrupt();
    return options->replay ? watch_record(options, arguments, plain, error)
                           : watch_live(options, arguments, plain, error);
}

const Command command_watch =
    COMMAND("watch", "STRATEGY...", WatchOptions, watch_field,
            "Watch games in the terminal, move by move, or play yourself",
            "Several strategies play side by side on the same pieces. 'human' is you, alone\n"
            "or in a match against the others. ? shows the keys. Without a terminal the\n"
            "moves are printed as plain text. docs/watching.md tells more.\n",
            .has_rules = true, .has_running = true, .without = " jobs json ");
