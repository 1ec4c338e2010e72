// SPDX-License-Identifier: GPL-3.0-or-later
// The players of a run folder. The player of several runs is the mean of their answers (Boumaza, How to
// design good Tetris players, section 4.3); where nothing but the direction of a vector counts, of vectors of
// length 1, so that a run whose vectors became long does not outweigh the others.
#include "learn/run_players.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

void run_features_name(const Encoding *encoding, char out[32]) {
    const char *set = encoding_set_name(encoding);
    snprintf(out, 32, "%d feature%s", encoding->features, encoding->features == 1 ? "" : "s");
    if (set)
        snprintf(out, 32, "%s", set);
}

void run_features_text(const Encoding *encoding, char out[RUN_FEATURES]) {
    char name[32], text[16 + MIX_MOST * (MIX_NAME + 2)] = "a mix of";
    const Mix *mix = &encoding->mix;
    run_features_name(encoding, name);
    for (int s = 0; s < mix->strategies; s++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s %s", s ? "," : "",
                 mix->strategy[s].name);
    if (!mix->strategies)
        snprintf(text, sizeof text, "%s%s", strchr(name, ' ') ? "" : "features ", name);
    utf8_clean(out, RUN_FEATURES, text, strlen(text));
}

void run_rules_name(const Rules *rules, char out[64]) {
    const char *pieces = rules->pieces.name;
    char clean[40];
    utf8_clean(clean, sizeof clean, pieces, strlen(pieces));
    bool uniform = !strcmp(pieces, "uniform");
    snprintf(out, 64, "%dx%d%s%s", rules->width, rules->height, uniform ? "" : " ", uniform ? "" : clean);
}

// The last part of the path, if it is a name.
static const char *folder_name(const char *folder, int *length) {
    const char *end = folder + strlen(folder), *from;
    while (end > folder + 1 && end[-1] == '/')
        end--;
    for (from = end; from > folder && from[-1] != '/'; from--)
        continue;
    *length = (int)(end - from);
    bool dots = (*length == 1 || *length == 2) && strspn(from, ".") >= (size_t)*length;
    if (*length && !dots)
        return from;
    *length = (int)strlen("learned");
    return "learned";
}

void run_players_name(const LearningPlan *plan, const char *folder, char out[64]) {
    char text[512], features[32], rules[64];
    int length = 0;
    const char *base = folder ? folder_name(folder, &length) : NULL;
    run_features_name(&plan->objective.encoding, features);
    run_rules_name(&plan->objective.rules, rules);
    if (plan->name[0])
        snprintf(text, sizeof text, "%s", plan->name);
    else if (base)
        snprintf(text, sizeof text, "%.*s-%.20s", length < 36 ? length : 36, base, rules);
    else
        snprintf(text, sizeof text, "learned-%.6s-%.12s-%.12s-seed%" PRIu64,
                 optimiser_words[plan->optimiser.method], features, rules, plan->seed);
    for (char *c = text; !plan->name[0] && *c; c++)
        *c = *c == ' ' ? '-' : *c;
    utf8_clean(out, 64, text, strlen(text));
}

const char *run_path(const char *folder, const char *name, char out[RUN_PATH]) {
    snprintf(out, RUN_PATH, "%.4300s/%.98s", folder, name);
    return out;
}

bool run_players_make(RunPlayers *players, const LearningPlan *plan, const char *folder, Error *error) {
    const Objective *objective = &plan->objective;
    *players = (RunPlayers){.runs = plan->runs,
                            .size = encoding_size(&objective->encoding),
                            .seed = plan->seed,
                            .encoding = objective->encoding};
    snprintf(players->method, sizeof players->method, "%s", optimiser_words[plan->optimiser.method]);
    snprintf(players->objective, sizeof players->objective, "%s", objective_words[objective->kind]);
    run_players_name(plan, folder, players->name);
    run_features_text(&objective->encoding, players->features);
    run_rules_name(&objective->rules, players->rules);
    size_t runs = (size_t)players->runs;
    players->answer = calloc(runs * (size_t)players->size, sizeof *players->answer);
    players->generations = calloc(runs, sizeof *players->generations);
    return (players->answer && players->generations) ||
           error_set(error, "Out of memory for %d runs.", players->runs);
}

void run_players_free(RunPlayers *players) {
    free(players->answer);
    free(players->generations);
    *players = (RunPlayers){0};
}

void run_players_set(RunPlayers *players, int run, uint64_t generations, const double *answer) {
    size_t size = (size_t)players->size;
    memcpy(players->answer + (size_t)run * size, answer, size * sizeof *answer);
    players->generations[run] = generations;
}

const double *run_players_answer(const RunPlayers *players, int run) {
    return players->answer + (size_t)run * (size_t)players->size;
}

void run_players_mean(const RunPlayers *players, double *mean) {
    int runs = 0, size = players->size;
    bool directions = players->runs > 1 && encoding_directions(&players->encoding);
    for (int k = 0; k < players->runs; k++)
        runs += players->generations[k] > 0;
    memset(mean, 0, (size_t)size * sizeof *mean);
    for (int k = 0; k < players->runs; k++) {
        const double *answer = run_players_answer(players, k);
        if (!players->generations[k])
            continue;
        double length = directions ? encoding_length(answer, size) : 1;
        for (int i = 0; i < size; i++)
            mean[i] += answer[i] / length / runs;
    }
}

// -> run  -1: all of them
static void write_source(const RunPlayers *players, int run, char source[192]) {
    uint64_t most = 0, least = UINT64_MAX;
    char generations[48], runs[32] = "", text[400];
    for (int k = 0; k < players->runs; k++)
        if (run < 0 || k == run) {
            most = players->generations[k] > most ? players->generations[k] : most;
            least = players->generations[k] < least ? players->generations[k] : least;
        }
    snprintf(generations, sizeof generations, "%" PRIu64, least);
    if (most > least)
        snprintf(generations, sizeof generations, "%" PRIu64 " to %" PRIu64, least, most);
    if (run >= 0 && players->runs > 1)
        snprintf(runs, sizeof runs, ", run %d", run + 1);
    else if (players->runs > 1)
        snprintf(runs, sizeof runs, ", mean of %d runs", players->runs);
    snprintf(text, sizeof text, "Learned by %s: %s, objective %s on %s, seed %" PRIu64 "%s, %s generation%s.",
             players->method, players->features, players->objective, players->rules, players->seed, runs,
             generations, most == 1 ? "" : "s");
    utf8_clean(source, 192, text, strlen(text));
}

void run_players_strategy(const RunPlayers *players, int run, Strategy *strategy) {
    char name[64], suffix[16] = "";
    double mean[ENCODING_MAX];
    const double *vector = run < 0 ? mean : run_players_answer(players, run);
    if (run >= 0)
        snprintf(suffix, sizeof suffix, "-run%d", run + 1);
    else
        run_players_mean(players, mean);
    utf8_clean(name, sizeof name - strlen(suffix), players->name, strlen(players->name));
    strcat(name, suffix);
    encoding_strategy(&players->encoding, vector, name, strategy);
    write_source(players, run, strategy->source);
}

// -> run  -1: the mean of all
static bool write_strategy(const RunPlayers *players, const char *folder, int run, Error *error) {
    Strategy strategy;
    char file[24] = "best.json", path[RUN_PATH];
    if (run >= 0)
        snprintf(file, sizeof file, "run-%d.json", run + 1);
    run_players_strategy(players, run, &strategy);
    char *text = strategy_to_json(&strategy);
    bool good = text ? text_replace(run_path(folder, file, path), text, strlen(text), false, error)
                     : error_set(error, "Out of memory for a player.");
    free(text);
    return good;
}

bool run_players_write(const RunPlayers *players, const char *folder, int run, Error *error) {
    return write_strategy(players, folder, -1, error) &&
           (players->runs == 1 || write_strategy(players, folder, run, error));
}
