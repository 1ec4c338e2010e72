// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/versus_report.h"

#include <math.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/play_report.h"
#include "app/table.h"
#include "base/fields_json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "measure/results_json.h"

enum { NAME = 80, CELL = 48 };

// "2 bcts": names need not differ, numbers do.
static const char *numbered(const VersusReport *report, int s, char out[NAME]) {
    snprintf(out, NAME, "%d %s", s + 1, player_strategy(report->plan->player[s])->name);
    return out;
}

// --- the table

static void print_table(FILE *out, const VersusReport *report) {
    Table table = {.out = out};
    char name[NAME];
    int names = (int)strlen("player");
    for (int s = 0; s < report->plan->players; s++)
        names = table_wider(names, numbered(report, s, name));
    const TableColumn columns[] = {{"player", -names}, {"wins", 6},  {"95 % interval", 17}, {"pieces", 8},
                                   {"lines", 8},       {"1 row", 7}, {"2 rows", 7},         {"3 rows", 7},
                                   {"4 rows", 7},      {"sent", 7},  {"received", 8},       {"moves/s", 8}};
    TABLE_HEAD(&table, columns);
    for (int s = 0; s < report->plan->players; s++) {
        const PlayerTotal *total = &report->matches->total[s];
        Interval interval = matches_interval(total->wins, report->matches->ended);
        const uint64_t sums[] = {total->pieces,   total->lines,    total->moves[1], total->moves[2],
                                 total->moves[3], total->moves[4], total->sent,     total->received};
        table_cell(&table, "%s", numbered(report, s, name));
        table_grouped(&table, total->wins);
        table_cell(&table, "%.1f %% .. %.1f %%", 100 * interval.low, 100 * interval.high);
        for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
            table_count(&table, (double)sums[i] / (double)report->matches->ended);
        if (total->seconds > 0)
            table_count(&table, (double)total->choices / total->seconds);
        else
            table_cell(&table, "-");
    }
}

// --- sentences

// Are two players of different strength? Only matches that one of them has won can tell.
static void print_verdict(FILE *out, const VersusReport *report) {
    const PlayerTotal *total = report->matches->total;
    int better = total[1].wins > total[0].wins;
    uint64_t wins = total[better].wins, losses = total[!better].wins;
    char name[NAME], other[NAME], a[32], b[32];
    double chance = matches_chance(wins, losses);
    if (wins + losses == 0)
        fprintf(out, "No match was decided: the two cannot be told apart.\n");
    else if (chance > 0.05)
        fprintf(out, "Undecided: two equal players share %s matches as unevenly in %.0f %% of all cases.\n",
                text_grouped(wins + losses, a), 100 * chance);
    else
        utf8_print(
            out,
            "%s beats %s: it wins %s of %s decided matches; between equal players the chance of that is "
            "%.2g %%.\n",
            numbered(report, better, name), numbered(report, !better, other), text_grouped(wins, a),
            text_grouped(wins + losses, b), 100 * chance);
}

static const char *match_count(uint64_t count, char out[CELL]) {
    char number[32];
    snprintf(out, CELL, "%s match%s", text_grouped(count, number), count == 1 ? "" : "es");
    return out;
}

static void print_draws(FILE *out, const VersusReport *report) {
    const Matches *matches = report->matches;
    char a[CELL], b[32], c[24];
    fprintf(out, "%s, %s rounds on average; the columns from pieces to received are means of a match.\n",
            match_count(matches->ended, a), text_count((double)matches->rounds / (double)matches->ended, c));
    if (matches->draws)
        fprintf(out, "%s ended in a draw: the last players were lost in the same round.\n",
                match_count(matches->draws, a));
    if (matches->limit)
        fprintf(out,
                "%s ended undecided, after %s rounds or without pieces: nobody won. --max-rounds sets the "
                "limit.\n",
                match_count(matches->limit, a), text_grouped(report->plan->max_rounds, b));
}

static void print_late(FILE *out, const VersusReport *report) {
    char name[NAME], a[CELL], time[24];
    for (int s = 0; s < report->plan->players; s++)
        if (report->matches->total[s].late)
            utf8_print(out, "%s took longer than %s for a move in %s, and so lost.\n",
                       numbered(report, s, name), text_seconds(report->plan->move_time, time),
                       match_count(report->matches->total[s].late, a));
}

static void print_head(FILE *out, const VersusReport *report) {
    bool same = report->plan->sequence == MATCH_SAME;
    app_print_rules(out, player_rules(report->plan->player[0]),
                    same ? ", the same for all" : ", each its own", report->plan->seed);
    fputs("\n\n", out);
}

void versus_print(FILE *out, const VersusReport *report) {
    print_head(out, report);
    print_table(out, report);
    fputc('\n', out);
    print_draws(out, report);
    print_late(out, report);
    if (report->plan->players == 2)
        print_verdict(out, report);
    if (report->matches->interrupted)
        fprintf(out, "Interrupted: the matches that had ended count, which favours short ones.\n");
}

// --- JSON

static json_t *player_json(const VersusReport *report, int s) {
    const PlayerTotal *total = &report->matches->total[s];
    double matches = (double)report->matches->ended;
    json_t *object = json_object(), *rows = json_array();
    json_object_set_new(object, "strategy", json_name(player_strategy(report->plan->player[s])->name));
    json_object_set_new(object, "wins", json_whole(total->wins));
    json_object_set_new(object, "ci95", interval_json(matches_interval(total->wins, report->matches->ended)));
    const struct {
        const char *name;
        uint64_t sum;
    } means[] = {{"mean_pieces", total->pieces},
                 {"mean_lines", total->lines},
                 {"mean_attack_rows_sent", total->sent},
                 {"mean_attack_rows_received", total->received}};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        json_object_set_new(object, means[i].name, json_real((double)means[i].sum / matches));
    for (int n = 1; n < MATCH_ROWS; n++)
        json_array_append_new(rows, json_whole(total->moves[n]));
    json_object_set_new(object, "moves_by_rows", rows);
    json_object_set_new(object, "lost_by_time", json_whole(total->late));
    json_object_set_new(object, "seconds_per_move",
                        total->choices ? json_real(total->seconds / (double)total->choices) : json_null());
    return object;
}

// The winner of every match, 1 being the first player, 0 nobody, null a match that was not played to its end.
static void add_outcomes(json_t *object, const Matches *matches) {
    json_t *winners = json_array(), *rounds = json_array();
    for (uint64_t i = 0; i < matches->matches; i++) {
        const MatchOutcome *outcome = &matches->outcome[i];
        bool ended = outcome->end != MATCH_RUNNING;
        json_array_append_new(winners, ended ? json_integer(outcome->winner + 1) : json_null());
        json_array_append_new(rounds, ended ? json_integer(outcome->rounds) : json_null());
    }
    json_object_set_new(object, "winners", winners);
    json_object_set_new(object, "rounds", rounds);
}

json_t *versus_json(const VersusReport *report) {
    const MatchesPlan *plan = report->plan;
    const Matches *matches = report->matches;
    json_t *object = json_object(), *players = json_array();
    json_object_set_new(object, "games", json_whole(matches->ended));
    json_object_set_new(object, "wins", json_whole(matches->total[0].wins));
    json_object_set_new(object, "ci95",
                        interval_json(matches_interval(matches->total[0].wins, matches->ended)));
    json_object_set_new(object, "draws", json_whole(matches->draws));
    json_object_set_new(object, "undecided", json_whole(matches->limit));
    for (int s = 0; s < plan->players; s++)
        json_array_append_new(players, player_json(report, s));
    json_object_set_new(object, "players", players);
    json_object_set_new(object, "mean_rounds", json_real((double)matches->rounds / (double)matches->ended));
    json_object_set_new(object, "interrupted", json_boolean(matches->interrupted));
    json_object_set_new(object, "sequence", json_string(match_sequence_words[plan->sequence]));
    json_object_set_new(object, "max_rounds", json_whole(plan->max_rounds));
    json_object_set_new(object, "move_time", plan->move_time > 0 ? json_real(plan->move_time) : json_null());
    fields_save(rules_fields, player_rules(plan->player[0]), object);
    json_object_set_new(object, "seed", json_whole(plan->seed));
    json_object_set_new(object, "seconds", json_real(matches->seconds));
    json_object_set_new(object, "kernel", json_string(report->kernel));
    json_object_set_new(object, "version", json_string(TETRALAB_VERSION));
    add_outcomes(object, matches);
    return object;
}

// --- boards

static const char *seat_note(const Match *match, int s, char out[CELL]) {
    if (match->seat[s].late)
        return "lost: too slow";
    if (!match_is_alive(match, s))
        return "lost";
    if (match->winner == s)
        return "won";
    int piece = match->game[s].piece;
    snprintf(out, CELL, "in hand %c", piece >= 0 ? piece_letter[piece] : '-');
    return out;
}

void versus_draw(FILE *out, const Match *match, const char *const *names) {
    DrawnGame list[MATCH_MAX_SEATS];
    char titles[MATCH_MAX_SEATS][NAME + 40], notes[MATCH_MAX_SEATS][CELL];
    for (int s = 0; s < match->seats; s++) {
        snprintf(titles[s], sizeof titles[s], "%d %s", s + 1, names[s]);
        list[s] = (DrawnGame){&match->game[s], titles[s], seat_note(match, s, notes[s])};
    }
    draw_games(out, list, match->seats, match->rules);
}

void versus_print_end(FILE *out, const Match *match, const char *const *names) {
    static const char *const sentences[] = {[MATCH_RUNNING] = "not finished",
                                            [MATCH_WON] = "",
                                            [MATCH_DRAWN] = "a draw",
                                            [MATCH_LIMIT] = "undecided",
                                            [MATCH_STOPPED] = "stopped"};
    char rounds[32];
    text_grouped(match->rounds, rounds);
    if (match->end == MATCH_WON)
        utf8_print(out, "%d %s wins after %s rounds.\n", match->winner + 1, names[match->winner], rounds);
    else
        fprintf(out, "After %s rounds: %s.\n", rounds, sentences[match->end]);
}
