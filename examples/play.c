// SPDX-License-Identifier: GPL-3.0-or-later
// Plays whole games of a strategy and prints the mean of their lines with its 95 % interval.
//
//     cc play.c -o play $(pkg-config --cflags --libs tetralab)
//     ./play bcts 10x16 100
#include <stdio.h>
#include <stdlib.h>

#include <tetralab.h>

static void print_summary(const tetralab_summary *summary, const tetralab_player *player) {
    printf("mean    %.0f lines, 95 %% interval %.0f to %.0f\n", summary->mean, summary->exact.low,
           summary->exact.high);
    printf("median  %.0f, from %.0f to %.0f\n", summary->median, (double)summary->minimum,
           (double)summary->maximum);
    printf("games   %.0f, with %.0f pieces; kernel %s\n", (double)summary->games, (double)summary->pieces,
           tetralab_player_kernel(player));
}

// Games on all cores, from seed 1: the same scores on every machine.
static bool play(const tetralab_player *player, uint64_t games, tetralab_error *error) {
    tetralab_score *scores = malloc(games * sizeof *scores);
    tetralab_summary summary;
    if (!scores) {
        snprintf(error->text, sizeof error->text, "Out of memory for the scores.");
        return false;
    }
    bool good = tetralab_play(player, 1, games, 0, scores, NULL, NULL, NULL, error) &&
                tetralab_summarise(scores, games, &summary, error);
    if (good)
        print_summary(&summary, player);
    free(scores);
    return good;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "bcts", *board = argc > 2 ? argv[2] : "10x12";
    long games = argc > 3 ? strtol(argv[3], NULL, 10) : 50;
    if (games < 1 || games > TETRALAB_MAX_GAMES) {
        fprintf(stderr, "usage: play [STRATEGY [BOARD [GAMES]]], as in play bcts 10x16 100\n");
        return 2;
    }
    tetralab_error error = {"Out of memory."};
    tetralab_rules *rules = tetralab_rules_new();
    tetralab_strategy *strategy = tetralab_strategy_load(name, &error);
    tetralab_player *player = NULL;
    if (rules && strategy && tetralab_rules_set(rules, "board", board, &error))
        player = tetralab_player_new(strategy, rules, NULL, &error);
    if (player)
        printf("%s (%s) on %s\n", name, tetralab_strategy_source(strategy), board);
    bool good = player && play(player, (uint64_t)games, &error);
    if (!good)
        fprintf(stderr, "play: %s\n", error.text);
    tetralab_player_free(player);
    tetralab_strategy_free(strategy);
    tetralab_rules_free(rules);
    return good ? 0 : 1;
}
