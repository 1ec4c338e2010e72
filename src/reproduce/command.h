// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of a reproduction. Each runs in a process of its own, a copy of this one: it may take all memory,
// fail or be interrupted without the others, and it is exactly what a user gets who types it.
#ifndef TETRALAB_REPRODUCE_COMMAND_H
#define TETRALAB_REPRODUCE_COMMAND_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"

// The program itself: runs a command line, the first word of which is its name, and writes nothing that is
// not below the folder. <- 0: it succeeded
typedef int CommandRunner(const char *folder, int count, char **word);

// What the options of a command line are set to, defaults included: an object, the name of each option with
// its value as a text. <- json_decref it. NULL: the error says what is wrong with the line
// -> word  as for a CommandRunner
typedef json_t *CommandSettings(int count, char **word, Error *error);

// The words of a command line.
enum { COMMAND_MAX_WORDS = 200 };
typedef struct CommandWords {
    char *word[COMMAND_MAX_WORDS]; // owned, but for the first and what is added behind `count`
    int count;
} CommandWords;

// First the words, then the folder: spaces in its path part nothing. There is room for eight more words and
// a NULL. command_words_free it, also after an error.
bool command_words(const char *command, const char *dir, CommandWords *words, Error *error);
void command_words_free(CommandWords *words);

// -> command  without "tetralab" and --json; {dir} in it is the folder, whose path may hold spaces
// -> output   the file for its JSON; its table goes nowhere
// <- false: the error names the command
bool command_run(const char *command, const char *dir, const char *output, CommandRunner *runner,
                 Error *error);

// <- the text with the folder's path for {dir}; free() it. NULL: no memory
char *command_fill(const char *text, const char *dir);

// <- the file below `dir` that keeps the output of a command; -> name  the command with the definition's name
//    for {dir}; path needs 4,096 bytes
const char *command_output(const char *dir, const char *name, char *path);

#endif
