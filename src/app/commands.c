// SPDX-License-Identifier: GPL-3.0-or-later
// The frame: finds the command and leaves the rest to it.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "base/json_memory.h"
#include "base/text.h"
#include "base/utf8.h"

// clang-format off
const Command *const command_table[] = {
    &command_play,
    &command_measure,
    &command_compare,
    &command_versus,
    &command_learn,
    &command_imitate,
    &command_td,
    &command_evaluate,
    &command_instances,
    &command_watch,
    &command_choose,
    &command_explain,
    &command_tbp,
    &command_solve,
    &command_reproduce,
    &command_report,
    &command_strategies,
    &command_features,
    &command_bench,
    &command_perft,
    &command_db,
    &command_draw,
    &command_plot,
    &command_serve,
    &command_help,
    NULL,
};
// clang-format on
enum { COMMANDS = sizeof command_table / sizeof *command_table - 1 };

void app_help(FILE *out) {
    fputs("Tetralab is a laboratory for artificial Tetris players: it plays, measures, compares and learns "
          "them\n"
          "under the published variants of the rules.\n\n"
          "Usage: tetralab COMMAND [options]\n\nCommands:\n",
          out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-12s%s\n", command_table[i]->name, command_table[i]->summary);
    fputs("\n'tetralab help COMMAND' shows the options of a command, 'tetralab --version' the version and\n"
          "the kernel that this machine runs. Exit codes: 0 done, 1 failed, 2 wrong usage.\n",
          out);
}

static int print_version(void) {
    Error error = {""};
    const Kernel *kernel = kernel_find(NULL, &error);
    if (!kernel) {
        fprintf(stderr, "tetralab: %s\n", error.text);
        return EXIT_FAILED;
    }
    printf("tetralab %s (kernel %s)\n", TETRALAB_VERSION, kernel_name(kernel));
    return EXIT_DONE;
}

static int refuse(const char *word) {
    if (word[0] == '-') {
        utf8_print(
            stderr,
            "tetralab: unknown option %.60s; options follow the command, as in tetralab play --help.\n",
            word);
        return EXIT_USAGE;
    }
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++)
        names[i] = command_table[i]->name;
    utf8_print(stderr, "tetralab: unknown command '%.60s'%s Try 'tetralab --help'.\n", word,
               text_meant((char[TEXT_MEANT]){0}, "", "", word, names, COMMANDS));
    return EXIT_USAGE;
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        app_help(stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        app_help(stdout);
        return EXIT_DONE;
    }
    if (!strcmp(argv[1], "--version"))
        return print_version();
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(argv[1], command_table[i]->name))
            return app_run(command_table[i], argc - 1, argv + 1);
    return refuse(argv[1]);
}

// A stream that was closed stays useless: it is opened for the other direction, so that using it fails as
// before, but its number is taken.
bool app_begin(void) {
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) != file)
            return false;
    signal(SIGXFSZ, SIG_IGN);
    json_memory_watch();
    return true;
}

int app_main(int argc, char **argv) {
    int code = run(argc, argv);
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "tetralab: cannot write the standard output: %s.\n", strerror(errno));
        return code ? code : EXIT_FAILED;
    }
    return code;
}
