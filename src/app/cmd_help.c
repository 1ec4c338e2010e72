// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab help: the texts about the program, for people, for man and for the shell.
#include <string.h>

#include "app/app.h"
#include "app/completion.h"
#include "app/manual.h"
#include "base/text.h"
#include "tasks/tasks.h"

typedef struct HelpOptions {
    AppOptions app;
    bool man, completion, shared, result;
} HelpOptions;

static const Field help_field[] = {
    {"man", FIELD_FLAG, FIELD_AT(HelpOptions, man),
     .help = "Print the manual page of the command, or of tetralab or tetralab-mpi, for man."},
    {"completion", FIELD_FLAG, FIELD_AT(HelpOptions, completion),
     .help = "Print the script by which bash completes command lines of tetralab."},
    {"shared", FIELD_FLAG, FIELD_AT(HelpOptions, shared),
     .help =
         "Print the options that most commands share; with COMMAND, its own, and of those only the names."},
    {"result", FIELD_FLAG, FIELD_AT(HelpOptions, result),
     .help = "Print what the JSON of the command says, as a table; for compare --sprt, ask for test."},
};

static const Command *find(const char *word, Error *error) {
    const char *names[64];
    int count = 0;
    for (; command_table[count]; count++) {
        names[count] = command_table[count]->name;
        if (!strcmp(word, names[count]))
            return command_table[count];
    }
    return error_null(error, "'%.60s' is not a command%s", word,
                      text_meant((char[TEXT_MEANT]){0}, "", "", word, names, count));
}

static bool print_manual(const char *word, Error *error) {
    if (!word || !strcmp(word, "tetralab"))
        manual_program();
    else if (!strcmp(word, "tetralab-mpi"))
        manual_cluster();
    else {
        const Command *command = find(word, error);
        return command && app_describe(command, manual_command, error);
    }
    return true;
}

static bool print_result(const char *word, Error *error) {
    Error other;
    const Task *task = word ? task_find(word, error) : NULL;
    if (!word)
        error_set(error, "name a command, as in tetralab help --result measure.");
    else if (task ? !task->result : !!find(word, &other))
        error_set(error, "the result of %s is not described here: docs/commands.md says what it is.", word);
    else if (task)
        task_markdown(stdout, task);
    return task && task->result;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const HelpOptions *options = chosen;
    const char *word = arguments->operands ? arguments->operand[0] : NULL;
    if (arguments->operands > 1 ||
        options->man + options->completion + options->shared + options->result > 1 ||
        (options->completion && word))
        error_set(error,
                  "name one command, or none; --man and --shared go with either, --result with a command, "
                  "--completion goes alone.");
    else if (options->completion)
        return completion_bash(error) ? EXIT_DONE : EXIT_FAILED;
    else if (options->man)
        return print_manual(word, error) ? EXIT_DONE : EXIT_USAGE;
    else if (options->result)
        return print_result(word, error) ? EXIT_DONE : EXIT_USAGE;
    else if (options->shared) {
        const Command *command = word ? find(word, error) : NULL;
        return (command || !word) && app_help_shared(command, error) ? EXIT_DONE : EXIT_USAGE;
    } else if (word) {
        const Command *command = find(word, error);
        char *words[] = {(char *)word, "--help", NULL};
        return command ? app_run(command, 2, words) : EXIT_USAGE;
    } else {
        app_help(stdout);
        return EXIT_DONE;
    }
    return EXIT_USAGE;
}

static void suggest_commands(FILE *out) {
    for (int i = 0; command_table[i]; i++)
        fprintf(out, " %s", command_table[i]->name);
}

const Command command_help =
    COMMAND("help", "[COMMAND]", HelpOptions, help_field, "Show the commands, or the options of one",
            "The same as 'tetralab --help' and 'tetralab COMMAND --help'.\n", .suggest = suggest_commands);
