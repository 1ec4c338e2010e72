// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual.h"

#include <ctype.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------
// Text

// A hyphen would become a longer line, which nobody can copy into a shell; what begins with a point or an
// apostrophe would be an instruction.
static void put(const char *text, int length) {
    if (length > 0 && strchr(".'", text[0]))
        fputs("\\&", stdout);
    for (int i = 0; i < length; i++)
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '-')
            fputs("\\-", stdout);
        else
            putchar(text[i]);
}

static void put_line(const char *text) {
    put(text, (int)strlen(text));
    putchar('\n');
}

// Is this line, or the next, one that goes on in a column further right? Then both stay as they are.
static bool is_list(const char *line) {
    int length = (int)strcspn(line, "\n");
    const char *gap = strstr(line, "   ");
    return line[0] == ' ' || (line[length] && line[length + 1] == ' ') || (gap && gap < line + length);
}

// Lines that are filled anew, but for lists.
static void put_lines(const char *text) {
    bool list = false;
    for (int length; *text; text += length + (text[length] == '\n')) {
        length = (int)strcspn(text, "\n");
        if (is_list(text) != list)
            puts(list ? ".EE" : ".PP\n.EX");
        list = is_list(text);
        put(text, length);
        putchar('\n');
    }
    if (list)
        puts(".EE");
}

// ---------------------------------------------------------------------------------------------------
// Parts of a page

static void put_head(const char *program, const char *command, const char *summary) {
    printf(".TH \"");
    for (const char *c = program; *c; c++)
        putchar(toupper((unsigned char)*c));
    for (const char *c = command ? "-" : ""; *c; c++)
        putchar(*c);
    for (const char *c = command ? command : ""; *c; c++)
        putchar(toupper((unsigned char)*c));
    printf("\" \"1\" \"\" \"tetralab %s\" \"Tetralab\"\n.SH NAME\n", TETRALAB_VERSION);
    put(program, (int)strlen(program));
    printf("%s%s \\- ", command ? "\\-" : "", command ? command : "");
    printf("%c", tolower((unsigned char)summary[0]));
    put_line(summary + 1);
}

static void put_option(const Field *field) {
    char name[FIELD_OPTION_NAME], text[OPTIONS_TEXT];
    printf(".TP\n\\fB\\-\\-");
    field_option(field, name);
    put(name, (int)strlen(name));
    printf("\\fR");
    if (field->argument) {
        printf(" \\fI");
        put(field->argument, (int)strlen(field->argument));
        printf("\\fR");
    }
    putchar('\n');
    put_line(options_text(field, text));
}

static void put_exit_status(void) {
    puts(".SH EXIT STATUS\n"
         ".TP\n.B 0\nDone.\n"
         ".TP\n.B 1\nFailed: a file cannot be read or written or is wrong, or a run was interrupted.\n"
         ".TP\n.B 2\nWrong usage: the command line is wrong, and nothing was done.");
}

// ---------------------------------------------------------------------------------------------------
// Pages

void manual_command(const Command *command, const OptionSet *sets, int count) {
    put_head("tetralab", command->name, command->summary);
    printf(".SH SYNOPSIS\n.B tetralab %s\n", command->name);
    if (command->operands && *command->operands) {
        printf(".I ");
        put_line(command->operands);
    }
    puts(".RI [ options ]\n.SH DESCRIPTION");
    printf("%s.\n", command->summary);
    put_lines(command->details);
    puts(".SH OPTIONS\n"
         "Options may stand anywhere; \\-\\- ends them. Instead of \\fB\\-\\-name\\fR \\fIVALUE\\fR one can "
         "write\n"
         "an equals sign between the two. Whole numbers may be written 10k, 5M or 1e6.");
    for (int s = 0; s < count; s++) {
        if (sets[s].title) {
            printf(".SS \"");
            put(sets[s].title, (int)strcspn(sets[s].title, ":"));
            puts("\"");
        }
        for (int i = 0; i < sets[s].fields.count; i++)
            if (sets[s].fields.field[i].help)
                put_option(&sets[s].fields.field[i]);
    }
    put_exit_status();
    puts(".SH SEE ALSO\n.BR tetralab (1)");
}

void manual_program(void) {
    put_head("tetralab", NULL, "A laboratory for artificial Tetris players");
    puts(".SH SYNOPSIS\n.B tetralab\n.I COMMAND\n.RI [ options ]\n.SH DESCRIPTION\n"
         "Tetralab plays, measures, compares and learns artificial Tetris players under the published\n"
         "variants of the rules. A strategy is a built\\-in name, which \\fBtetralab strategies\\fR lists, "
         "or a\n"
         "JSON file.\n.SH COMMANDS");
    for (int i = 0; command_table[i]; i++) {
        printf(".TP\n.BR tetralab\\-%s (1)\n", command_table[i]->name);
        put(command_table[i]->summary, (int)strlen(command_table[i]->summary));
        puts(".");
    }
    puts(".SH OPTIONS\n.TP\n.B \\-\\-help\nShow the commands; behind a command, its options.\n"
         ".TP\n.B \\-\\-version\nShow the version, and the kernel that this machine runs.");
    put_exit_status();
    puts(".SH EXAMPLES\n"
         ".TP\n.B tetralab measure bcts\nHow many lines a player makes, with a 95 % interval.\n"
         ".TP\n.B tetralab learn \\-\\-time 60s\nLearn a player from its scores alone.\n"
         ".SH SEE ALSO\n.BR tetralab\\-mpi (1)\n.PP\n"
         "The documents in share/doc/tetralab: README.md, and docs/commands.md first of all.");
}

void manual_cluster(void) {
    put_head("tetralab-mpi", NULL, "Tetralab on many machines at once");
    puts(".SH SYNOPSIS\n.B mpirun\n.RI [ options ]\n.B tetralab\\-mpi\n.I COMMAND\n.RI [ options ]\n"
         ".SH DESCRIPTION\n"
         "The commands of \\fBtetralab\\fR(1) as one program of many processes. Process 0 runs the command; "
         "the\n"
         "games of \\fBplay\\fR, \\fBmeasure\\fR, \\fBcompare\\fR, \\fBlearn\\fR and \\fBevaluate\\fR\n"
         "are played by all of them. Results do not depend on the number of processes.\n"
         ".SH OPTIONS\nThose of the commands. \\fB\\-\\-jobs\\fR is the number of threads of each process.");
    put_exit_status();
    puts(".SH SEE ALSO\n.BR tetralab (1),\n.BR mpirun (1)\n.PP\n"
         "docs/cluster.md in share/doc/tetralab.");
}
