// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/versus_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/play_report.h"
#include "base/text.h"
#include "base/utf8.h"
#include "plot/intervals.h"

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

// --- CSV and pictures

void versus_table(Table *table, const void *rows, int count) {
    static const TableColumn columns[] = {{"number"},  {"player"},  {"matches"}, {"wins"},     {"low"},
                                          {"high"},    {"pieces"},  {"lines"},   {"rows_1"},   {"rows_2"},
                                          {"rows_3"},  {"rows_4"},  {"sent"},    {"received"}, {"late"},
                                          {"choices"}, {"seconds"}, {"seed"}};
    const VersusReport *report = rows;
    (void)count;
    TABLE_HEAD(table, columns);
    for (int s = 0; s < report->plan->players; s++) {
        const PlayerTotal *total = &report->matches->total[s];
        Interval interval = matches_interval(total->wins, report->matches->ended);
        const uint64_t sums[] = {total->pieces,   total->lines,    total->moves[1], total->moves[2],
                                 total->moves[3], total->moves[4], total->sent,     total->received,
                                 total->late,     total->choices};
        table_cell(table, "%d", s + 1);
        table_cell(table, "%s", player_strategy(report->plan->player[s])->name);
        table_cell(table, "%" PRIu64, report->matches->ended);
        table_cell(table, "%" PRIu64, total->wins);
        table_number(table, interval.low);
        table_number(table, interval.high);
        for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
            table_cell(table, "%" PRIu64, sums[i]);
        table_cell(table, "%.3f", total->seconds);
        table_cell(table, "%" PRIu64, report->plan->seed);
    }
}

static const char *percent(double value, char out[24]) {
    snprintf(out, 24, "%.1f %%", value);
    return out;
}

bool versus_plot(Plot *plot, const void *rows, int count, Error *error) {
    const VersusReport *report = rows;
    const Matches *matches = report->matches;
    const Rules *rules = player_rules(report->plan->player[0]);
    IntervalsRow row[MATCH_MAX_SEATS];
    char name[MATCH_MAX_SEATS][NAME], subtitle[200], number[32], undecided[32];
    (void)count;
    for (int s = 0; s < report->plan->players; s++) {
        Interval interval = matches_interval(matches->total[s].wins, matches->ended);
        row[s] = (IntervalsRow){numbered(report, s, name[s]),
                                {100 * (double)matches->total[s].wins / (double)matches->ended, NAN},
                                {{100 * interval.low, 100 * interval.high}}};
    }
    snprintf(subtitle, sizeof subtitle,
             "%s matches on %dx%d, %s without a winner, seed %" PRIu64 "; bars are 95 %% intervals",
             text_grouped(matches->ended, number), rules->width, rules->height,
             text_grouped(matches->draws + matches->limit, undecided), report->plan->seed);
    const IntervalsPlan plan = {.title = "Matches won",
                                .subtitle = subtitle,
                                .label = "matches won, %",
                                .rule = 100.0 / report->plan->players,
                                .rule_text = "equal players, no draws",
                                .text = percent};
    return intervals_make(plot, &plan, row, report->plan->players, error);
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
    else if (wins - losses <= 1)
        fprintf(out, "Undecided: %s to %s, as near to even as can be.\n", text_grouped(wins, a),
                text_grouped(losses, b));
    else if (chance > 0.05)
        fprintf(out,
                "Undecided: %s to %s; two equal players part so far or farther in %.0f %% of all cases.\n",
                text_grouped(wins, a), text_grouped(losses, b), 100 * chance);
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

void versus_draw(FILE *out, const Match *match, const DrawnMove *moves, const char *const *names) {
    DrawnGame list[MATCH_MAX_SEATS];
    char titles[MATCH_MAX_SEATS][NAME + 40], notes[MATCH_MAX_SEATS][CELL];
    for (int s = 0; s < match->seats; s++) {
        snprintf(titles[s], sizeof titles[s], "%d %s", s + 1, names[s]);
        list[s] =
            (DrawnGame){&match->game[s], titles[s], seat_note(match, s, notes[s]), moves ? &moves[s] : NULL};
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
