// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/completion.h"

#include <ctype.h>
#include <string.h>

#include "app/app.h"

// What stands around the tables. "@file" or "@folder" behind the words asks for names of these.
static const char head[] =
    "# Completion of tetralab's command line for bash; made by 'tetralab help --completion'.\n\n";

static const char tail[] =
    "# The last part of a list with commas is completed, behind the others.\n"
    "_tetralab() {\n"
    "    local command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - "
    "1]}\n"
    "    local words others=\n"
    "    if [[ $current == = ]]; then\n"
    "        current=\n"
    "    elif [[ $before == = ]] && ((COMP_CWORD > 2)); then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        words=$(_tetralab_operands help)\" --help --version\"\n"
    "    elif words=$(_tetralab_values \"$command $before\"); then\n"
    "        [[ $current != *,* ]] || others=${current%,*},\n"
    "        current=${current##*,}\n"
    "    elif [[ $current == -* ]]; then\n"
    "        words=$(_tetralab_options \"$command\")\n"
    "    else\n"
    "        words=$(_tetralab_operands \"$command\")\n"
    "    fi\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"${words//@*/}\" -- \"$current\")\n"
    "    [[ ! $others ]] || COMPREPLY=(\"${COMPREPLY[@]/#/$others}\")\n"
    "    local names\n"
    "    case $words in\n"
    "    *@folder*) mapfile -t names < <(compgen -d -- \"$others$current\") ;;\n"
    "    *@file*) mapfile -t names < <(compgen -f -- \"$others$current\") ;;\n"
    "    *) return ;;\n"
    "    esac\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    COMPREPLY+=(\"${names[@]}\")\n"
    "}\n"
    "complete -F _tetralab tetralab tetralab-mpi\n";

// ---------------------------------------------------------------------------------------------------
// The tables, as cases

static void print_options(const Command *command, const OptionSet *sets, int count) {
    char name[FIELD_OPTION_NAME];
    printf("    %s) echo \"", command->name);
    for (int s = 0; s < count; s++)
        for (int i = 0; i < sets[s].fields.count; i++)
            if (sets[s].fields.field[i].help)
                printf("--%s ", field_option(&sets[s].fields.field[i], name));
    puts("--help\" ;;");
}

static void print_words(const Field *field) {
    for (int w = 0; field->words && field->words[w]; w++)
        if (!field->takes || field->takes(w))
            printf(" %s", field->words[w]);
    if (field->suggest)
        field->suggest(stdout);
    if (field->file)
        fputs(field->endings && !strcmp(field->endings[0], "/") ? " @folder" : " @file", stdout);
}

// Where methods have options of the same name, the first counts: they are numbers.
static void print_values(const Command *command, const OptionSet *sets, int count) {
    char name[FIELD_OPTION_NAME];
    for (int s = 0; s < count; s++)
        for (int i = 0; i < sets[s].fields.count; i++) {
            const Field *field = &sets[s].fields.field[i];
            if (!field->help || !field->argument)
                continue;
            printf("    \"%s --%s\") echo \"", command->name, field_option(field, name));
            print_words(field);
            puts("\" ;;");
        }
}

static bool is_one_of(const char *word, int length, const char *const *names) {
    while (*names && ((int)strlen(*names) != length || strncmp(word, *names, (size_t)length)))
        names++;
    return *names;
}

// Small letters are words to be given as they are; the others stand for something.
static void print_operands(const Command *command, const OptionSet *sets, int count) {
    static const char *const strategies[] = {"STRATEGY", "A", NULL};
    static const char *const files[] = {"STRATEGY", "A", "FILE", "JOURNAL", NULL};
    const char *word = command->operands ? command->operands : "";
    bool file = false;
    (void)sets, (void)count;
    printf("    %s) echo \"", command->name);
    for (int length; *word; word += length + (word[length] != 0)) {
        length = (int)strcspn(word, " |[].");
        file |= is_one_of(word, length, files);
        if (islower((unsigned char)word[0]) && !(file && word[-1] == '.')) // FILE.json: files anyway
            printf(" %.*s", length, word);
        if (is_one_of(word, length, strategies))
            strategy_suggest(stdout);
    }
    if (command->suggest)
        command->suggest(stdout);
    printf("%s\" ;;\n", file ? " @file" : "");
}

static bool print_cases(const char *function, const char *meaning, const char *otherwise,
                        void (*tell)(const Command *command, const OptionSet *sets, int count),
                        Error *error) {
    printf("# %s\n%s() {\n    case $1 in\n", meaning, function);
    for (int i = 0; command_table[i]; i++)
        if (!app_describe(command_table[i], tell, error))
            return false;
    printf("%s    esac\n}\n\n", otherwise);
    return true;
}

bool completion_bash(Error *error) {
    fputs(head, stdout);
    bool good =
        print_cases("_tetralab_options", "COMMAND: its options.", "", print_options, error) &&
        print_cases("_tetralab_operands", "COMMAND: words that are no options.", "", print_operands, error) &&
        print_cases("_tetralab_values",
                    "\"COMMAND --OPTION\": words for its argument. Fails if there is none.",
                    "    *) return 1 ;;\n", print_values, error);
    if (good)
        fputs(tail, stdout);
    return good;
}
