// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of the public interface: handles that must be there, and what the program says to the same
// question.
#ifndef TETRALAB_TESTS_API_FIXTURE_H
#define TETRALAB_TESTS_API_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tetralab.h>

static tetralab_error error;

#define assert_done(call)                                                                                    \
    do {                                                                                                     \
        if (!(call))                                                                                         \
            fail_msg("%s", error.text);                                                                      \
    } while (0)

// The call fails and its sentence holds these words.
#define assert_refused(call, words)                                                                          \
    do {                                                                                                     \
        *error.text = 0;                                                                                     \
        assert_false(call);                                                                                  \
        if (!strstr(error.text, words))                                                                      \
            fail_msg("\"%s\" is not in \"%s\"", words, error.text);                                          \
    } while (0)

static inline tetralab_rules *new_rules(const char *board) {
    tetralab_rules *rules = tetralab_rules_new();
    assert_non_null(rules);
    assert_done(tetralab_rules_set(rules, "board", board, &error));
    return rules;
}

static inline tetralab_player *player_under(const char *name, const tetralab_rules *rules,
                                            const char *kernel) {
    tetralab_strategy *strategy = tetralab_strategy_load(name, &error);
    assert_done(strategy);
    tetralab_player *player = tetralab_player_new(strategy, rules, kernel, &error);
    assert_done(player);
    tetralab_strategy_free(strategy);
    return player;
}

static inline tetralab_player *new_player(const char *name, const char *board) {
    tetralab_rules *rules = new_rules(board);
    tetralab_player *player = player_under(name, rules, NULL);
    tetralab_rules_free(rules);
    return player;
}

// -> words  "precision", "20%", "method", "games", NULL
static inline tetralab_settings *new_settings(const char *task, const char *const *words) {
    tetralab_settings *settings = tetralab_settings_new(task, &error);
    assert_done(settings);
    for (; *words; words += 2)
        assert_done(tetralab_settings_set(settings, words[0], words[1], &error));
    return settings;
}
#define SETTINGS(task, ...) new_settings(task, (const char *const[]){__VA_ARGS__, NULL})

#ifdef TETRALAB_PROGRAM
// <- what the program prints to its standard output; free() it
static inline char *program_says(const char *arguments) {
    enum { ROOM = 1 << 20 };
    char command[8192], *text = calloc(1, ROOM);
    snprintf(command, sizeof command, "exec 2>/dev/null; %s %s", TETRALAB_PROGRAM, arguments);
    FILE *pipe = popen(command, "r");
    assert_true(pipe && text);
    assert_true(fread(text, 1, ROOM - 1, pipe) > 0);
    assert_int_equal(pclose(pipe), 0);
    return text;
}

static inline bool is_line_with(const char *line, size_t length, const char *word) {
    return memmem(line, length, word, strlen(word));
}

// The same number, at the end of the line, with 15 digits and with 17?
static inline bool is_same_number(const char *a, size_t m, const char *b, size_t n) {
    size_t same = 0;
    while (same < m && same < n && a[same] == b[same])
        same++;
    while (same > 0 && a[same - 1] != ' ')
        same--;
    if (!strchr("-0123456789", a[same]))
        return false;
    double x = strtod(a + same, NULL), y = strtod(b + same, NULL);
    return x - y <= 1e-14 * (x < 0 ? -x : x) && y - x <= 1e-14 * (x < 0 ? -x : x);
}

// Two JSON texts are equal but for times, the last digits of numbers and the name of the folder.
static inline void assert_same_json(const char *a, const char *b) {
    while (*a || *b) {
        size_t m = strcspn(a, "\n"), n = strcspn(b, "\n");
        bool other = (is_line_with(a, m, "\"seconds") && is_line_with(b, n, "\"seconds")) ||
                     (is_line_with(a, m, "\"out\":") && is_line_with(b, n, "\"out\":"));
        if (!other && (m != n || memcmp(a, b, m)) &&
            (!m || !n || !strchr("0123456789.,", a[m - 1]) || !is_same_number(a, m, b, n)))
            fail_msg("\"%.*s\" is not \"%.*s\"", (int)m, a, (int)n, b);
        a += m + (a[m] == '\n');
        b += n + (b[n] == '\n');
    }
}
#endif

// Stops the call as soon as something is done.
typedef struct Stopper {
    bool never;
    int calls, after; // after: calls that followed the one that stopped it
    tetralab_advance last;
} Stopper;

static inline bool stopper(void *context, const tetralab_advance *advance) {
    Stopper *asked = context;
    asked->after += asked->calls && !asked->never && asked->last.done;
    asked->calls++;
    asked->last = *advance;
    return asked->never || !advance->done;
}

#endif
