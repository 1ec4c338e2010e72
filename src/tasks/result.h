// SPDX-License-Identifier: GPL-3.0-or-later
// What a member of a result says. Whoever writes a result as JSON describes its members in such a table,
// beside the function that writes them.
#ifndef TETRALAB_TASKS_RESULT_H
#define TETRALAB_TASKS_RESULT_H

typedef enum ResultFlags {
    RESULT_PLAIN,
    RESULT_FIRST = 1,   // a person wants to see it first
    RESULT_INFINITE = 2 // null means infinite, not unknown
} ResultFlags;

typedef struct ResultMember {
    const char *name;    // "players.wins": of each object in the list (or of the object) "players"
    const char *unit;    // of a number, or of those in a list or interval; "": it has none; NULL: no number
    const char *meaning; // a sentence
    int flags;
} ResultMember;

// What every result says about the rules (game/rules.h) and about who made it.
#define RESULT_RULES                                                                                         \
    {"board", NULL, "Width and height.", RESULT_FIRST}, {"overflow", NULL, "What ended a game.", 0},         \
        {"gameover", NULL, "How moves that end the game were valued.", 0},                                   \
        {"rules", NULL, "simplified or original.", 0}, {                                                     \
        "piece_source", NULL, "The law of the pieces.", 0                                                    \
    }
#define RESULT_SEED                                                                                          \
    {"seed", "", "Of all random numbers.", 0}, {                                                             \
        "kernel", NULL, "What computed the features.", 0                                                     \
    }
#define RESULT_VERSION                                                                                       \
    { "version", NULL, "Of the program or library.", 0 }

#endif
