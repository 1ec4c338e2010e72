// SPDX-License-Identifier: GPL-3.0-or-later
// Learns a player by CMA-ES, tells about every generation, and prints the weights and the strategy file.
//
//     cc learn.c -o learn $(pkg-config --cflags --libs tetralab)
//     ./learn 20 10x10 > learned.json
#include <stdio.h>

#include <tetralab.h>

static tetralab_error error = {"Out of memory."};

// Called by the thread that learns; false would stop it with what was learned so far.
static bool tell(void *context, const tetralab_advance *advance) {
    (void)context;
    if (advance->news) // a generation is complete
        fprintf(stderr, "generation %.0f: best score %.3f, mean %.3f, sigma %.3f, %.0f pieces\n",
                tetralab_result_number(advance->news, "generation"),
                tetralab_result_number(advance->news, "best"), tetralab_result_number(advance->news, "mean"),
                tetralab_result_number(advance->news, "sigma"), (double)advance->pieces);
    return true;
}

static void print_player(const char *json) {
    char path[32], *label;
    for (int i = 0; snprintf(path, sizeof path, "labels.%d", i), (label = tetralab_result_text(json, path));
         i++) {
        snprintf(path, sizeof path, "weights.%d", i);
        fprintf(stderr, "%-20s %10.4f\n", label, tetralab_result_number(json, path));
        tetralab_free(label);
    }
    char *strategy = tetralab_result_text(json, "strategy");
    puts(strategy ? strategy : "");
    tetralab_free(strategy);
}

int main(int argc, char **argv) {
    const char *generations = argc > 1 ? argv[1] : "20", *board = argc > 2 ? argv[2] : "10x10";
    tetralab_rules *rules = tetralab_rules_new();
    tetralab_settings *settings = tetralab_settings_new("learn", &error);
    char *json = NULL;
    bool good = rules && settings && tetralab_rules_set(rules, "board", board, &error) &&
                tetralab_settings_set(settings, "generations", generations, &error) &&
                tetralab_settings_set(settings, "features", "du", &error);
    good = good && (json = tetralab_run("learn", rules, NULL, 0, settings, tell, NULL, &error));
    if (good)
        print_player(json);
    else
        fprintf(stderr, "learn: %s\n", error.text);
    tetralab_free(json);
    tetralab_settings_free(settings);
    tetralab_rules_free(rules);
    return good ? 0 : 1;
}
