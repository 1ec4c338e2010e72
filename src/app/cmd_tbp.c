// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab tbp: a strategy as a bot of the Tetris Bot Protocol (player/tbp_bot.h) on stdin and stdout. What
// is wrong with a line goes to stderr, one sentence each, and the bot goes on.
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "app/files.h"
#include "base/lines.h"
#include "base/progress.h"
#include "player/tbp_bot.h"

enum { LOOK_AROUND = 100 }; // milliseconds after which an interrupt is noticed

typedef struct TbpCommand {
    AppOptions app;
} TbpCommand;

static void complain(uint64_t line, const Error *error) {
    char sentence[sizeof error->text + 32];
    snprintf(sentence, sizeof sentence, "line %" PRIu64 ": %s", line, error->text);
    app_complain(NULL, sentence);
}

static bool is_blank(const char *text, size_t length) {
    size_t i = 0;
    while (i < length && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r'))
        i++;
    return i == length;
}

static bool talk(TbpBot *bot, LineReader *reader, Error *error) {
    tbp_bot_begin(bot, TETRALAB_VERSION, stdout);
    fflush(stdout);
    while (!progress_interrupted && !ferror(stdout)) {
        const char *text;
        size_t length;
        Error wrong = {""};
        LineEvent event = lines_next(reader, &text, &length);
        if (event == LINE_END)
            return true;
        if (event == LINE_TAKEN && !is_blank(text, length) &&
            !tbp_bot_take(bot, text, length, stdout, &wrong))
            return true;
        if (event == LINE_TOO_LONG)
            error_set(&wrong, "it has more than %d bytes and is skipped.", TBP_LINE_LIMIT);
        if (wrong.text[0])
            complain(reader->line, &wrong);
        fflush(stdout);
        struct pollfd input = {.fd = reader->file, .events = POLLIN};
        if (event == LINE_WAIT && poll(&input, 1, LOOK_AROUND) > 0 && !lines_fill(reader, error))
            return false;
    }
    return true;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    TbpCommand *options = chosen;
    Strategy strategy;
    LineReader reader = {0};
    if (arguments->operands != 1) {
        error_set(error, "tbp needs one strategy, as in 'tetralab tbp bcts'.");
        return EXIT_USAGE;
    }
    const char *name = arguments->operand[0];
    const Kernel *kernel = kernel_find(options->app.kernel, error);
    TbpBot *bot = NULL;
    if (!rules_check(&options->app.rules, error))
        return EXIT_USAGE;
    if (kernel && strategy_find(&strategy, name, error) && files_check_strategy(&strategy, error))
        bot = tbp_bot_new(&strategy, &options->app.rules, kernel, error);
    if (!bot)
        return strategy_is_file(name) ? EXIT_FAILED : EXIT_USAGE;
    progress_catch_interrupt();
    bool good = lines_open(&reader, STDIN_FILENO, TBP_LINE_LIMIT, error) && talk(bot, &reader, error) &&
                tbp_bot_flush(bot, error);
    lines_close(&reader);
    tbp_bot_free(bot);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static const Field tbp_field[] = {
    {"kernel", FIELD_OTHER, FIELD_AT(AppOptions, kernel), .preset = NAN, .type = &running_kernel_type,
     .otherwise = "the fastest that this machine has", .argument = "NAME",
     .help = "Force a kernel; 'tetralab bench' lists them. It changes the speed, never a move."},
};

const Command command_tbp =
    COMMAND("tbp", "STRATEGY", TbpCommand, tbp_field,
            "Play as a bot of the Tetris Bot Protocol, on standard input and output",
            "A front end starts this program and talks to it in JSON lines. The bot drops pieces\n"
            "straight down and does not use the hold. --pieces is for front ends that do not say\n"
            "how pieces are drawn. docs/choose.md tells more.\n",
            .has_rules = true);
