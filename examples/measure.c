// SPDX-License-Identifier: GPL-3.0-or-later
// Measures two strategies, however strong, and says how many times as many lines the second one makes.
//
//     cc measure.c -o measure $(pkg-config --cflags --libs tetralab)
//     ./measure bcts dt-10 10x20
#include <stdio.h>

#include <tetralab.h>

static tetralab_error error = {"Out of memory."};

static tetralab_player *make_player(const char *name, const tetralab_rules *rules) {
    tetralab_strategy *strategy = tetralab_strategy_load(name, &error);
    tetralab_player *player = strategy ? tetralab_player_new(strategy, rules, NULL, &error) : NULL;
    tetralab_strategy_free(strategy); // the player has a copy
    return player;
}

// Called by the thread that compares, about twenty times a second; false would stop it.
static bool show(void *context, const tetralab_advance *advance) {
    char *const *names = context;
    if (advance->done)
        fprintf(stderr, "\r%s: %.0f %s, %.4g lines so far   ", names[advance->subject], (double)advance->done,
                advance->unit, advance->value);
    return true;
}

static void print_results(const char *json, char *const *names, const char *board) {
    printf("%s on %s: %.0f lines, 95 %% interval %.0f to %.0f\n", names[0], board,
           tetralab_result_number(json, "measurements.0.mean_lines"),
           tetralab_result_number(json, "measurements.0.mean_ci95.0"),
           tetralab_result_number(json, "measurements.0.mean_ci95.1"));
    printf("%s makes %.2f times as many lines as %s, 95 %% interval %.2f to %.2f\n", names[1],
           tetralab_result_number(json, "ratio"), names[0], tetralab_result_number(json, "ci95.0"),
           tetralab_result_number(json, "ci95.1"));
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: measure STRATEGY STRATEGY [BOARD], as in measure bcts dt-10 10x20\n");
        return 2;
    }
    const char *board = argc > 3 ? argv[3] : "10x20";
    tetralab_rules *rules = tetralab_rules_new();
    tetralab_settings *settings = tetralab_settings_new("compare", &error);
    tetralab_player *players[2] = {NULL, NULL};
    char *json = NULL;
    bool good = rules && settings && tetralab_rules_set(rules, "board", board, &error) &&
                tetralab_settings_set(settings, "precision", "10%", &error);
    good = good && (players[0] = make_player(argv[1], rules)) && (players[1] = make_player(argv[2], rules));
    if (good) {
        const tetralab_player *const both[2] = {players[0], players[1]};
        json = tetralab_run("compare", NULL, both, 2, settings, show, argv + 1, &error);
        good = json != NULL;
        fprintf(stderr, "\r%60s\r", "");
    }
    if (good)
        print_results(json, argv + 1, board);
    else
        fprintf(stderr, "measure: %s\n", error.text);
    tetralab_free(json);
    tetralab_player_free(players[0]);
    tetralab_player_free(players[1]);
    tetralab_settings_free(settings);
    tetralab_rules_free(rules);
    return good ? 0 : 1;
}
