// SPDX-License-Identifier: GPL-3.0-or-later
// Learns a player by CMA-ES, tells about every generation, and prints the weights and the strategy file.
//
//     cc learn.c -o learn $(pkg-config --cflags --libs tetralab)
//     ./learn 20 10x10 > learned.json
#include <stdio.h>

#include <tetralab.h>

static tetralab_error error = {"Out of memory."};

// Called by the thread that learns; false would stop it with what was learned so far.
static bool tell(void *context, const tetralab_generation *generation) {
    (void)context;
    fprintf(stderr, "generation %.0f: best score %.3f, mean %.3f, sigma %.3f, %.0f pieces\n",
            (double)generation->generation, generation->best, generation->mean, generation->sigma,
            (double)generation->pieces);
    return true;
}

static bool print_player(const tetralab_learned *learned) {
    const double *weights = tetralab_learned_vector(learned, -1);
    for (int i = 0; i < tetralab_learned_size(learned); i++)
        fprintf(stderr, "%-20s %10.4f\n", tetralab_learned_label(learned, i), weights[i]);
    tetralab_strategy *strategy = tetralab_learned_strategy(learned, -1, &error);
    char *text = strategy ? tetralab_strategy_to_json(strategy, &error) : NULL;
    if (text)
        puts(text);
    bool good = text != NULL;
    tetralab_free(text);
    tetralab_strategy_free(strategy);
    return good;
}

int main(int argc, char **argv) {
    const char *generations = argc > 1 ? argv[1] : "20", *board = argc > 2 ? argv[2] : "10x10";
    tetralab_rules *rules = tetralab_rules_new();
    tetralab_settings *settings = tetralab_settings_new("learn", &error);
    tetralab_learned *learned = NULL;
    bool good = rules && settings && tetralab_rules_set(rules, "board", board, &error) &&
                tetralab_settings_set(settings, "generations", generations, &error) &&
                tetralab_settings_set(settings, "features", "du", &error);
    good = good && (learned = tetralab_learn(rules, settings, tell, NULL, NULL, &error)) &&
           print_player(learned);
    if (!good)
        fprintf(stderr, "learn: %s\n", error.text);
    tetralab_learned_free(learned);
    tetralab_settings_free(settings);
    tetralab_rules_free(rules);
    return good ? 0 : 1;
}
