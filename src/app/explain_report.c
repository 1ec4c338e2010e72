// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explain_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/choose_answer.h"
#include "app/draw.h"
#include "app/table.h"
#include "base/json_values.h"
#include "base/text.h"
#include "base/utf8.h"

enum { NUMBER = 24, MOVE = 8, LINE = 80, BESIDE = 3 }; // BESIDE: moves beside each other

static const char *move_name(const ExplainReport *report, int rank, char out[MOVE]) {
    Placement placement = report->ranking->move[rank].move.placement;
    snprintf(out, MOVE, "%c%d:%d", piece_letter[report->game->piece], placement_orientation(placement) & 3,
             placement_column(placement) & 15);
    return out;
}

// Six digits; what is not known is a dash, and what has no move behind it is said so.
static const char *number(double value, char out[NUMBER]) {
    snprintf(out, NUMBER, isnan(value) ? "-" : isinf(value) ? "lost" : "%.6g", value);
    return out;
}

// The moves that are shown: the first ones, and the one that was recorded. <- how many
static int shown_moves(const ExplainReport *report, int rank[PLACEMENTS]) {
    int count = 0, most = report->moves < report->ranking->count ? report->moves : report->ranking->count;
    for (int k = 0; k < report->ranking->count; k++)
        if (k < most || (report->has_recorded && k == report->recorded))
            rank[count++] = k;
    return count;
}

// ---------------------------------------------------------------------------------------------------
// The board

static void print_board(FILE *out, const ExplainReport *report) {
    const Ranking *ranking = report->ranking;
    const Game *game = report->game;
    char notes[6][DRAW_NOTE], move[MOVE], text[NUMBER];
    int count = 0;
    snprintf(notes[count++], DRAW_NOTE, "in hand %c", piece_letter[game->piece]);
    if (game->next >= 0)
        snprintf(notes[count++], DRAW_NOTE, "next    %c", piece_letter[game->next]);
    snprintf(notes[count++], DRAW_NOTE, "move    %s", ranking->chosen ? move_name(report, 0, move) : "none");
    if (ranking->chosen)
        snprintf(notes[count++], DRAW_NOTE, "value   %s", number(ranking->move[0].value, text));
    snprintf(notes[count++], DRAW_NOTE, "moves   %d", ranking->count);
    if (report->has_recorded)
        snprintf(notes[count++], DRAW_NOTE, "record  %s",
                 report->recorded < 0 ? "none" : move_name(report, report->recorded, move));
    draw_board(out, &(DrawnMove){&game->board, game->piece, ranking->chosen ? &ranking->move[0].move : NULL},
               player_rules(report->player), notes, count);
}

// ---------------------------------------------------------------------------------------------------
// Tables

static const char *remark(const ExplainReport *report, int rank) {
    bool recorded = report->has_recorded && rank == report->recorded;
    if (rank == 0 && report->ranking->chosen)
        return recorded ? "chosen, as recorded" : "chosen";
    if (report->ranking->move[rank].ends)
        return recorded ? "ends the game; recorded" : "ends the game";
    if (explanation_gap(report->ranking, rank) == 0)
        return recorded ? "as good; recorded" : "as good: the tie rule decides";
    return recorded ? "recorded" : "";
}

static void print_moves(FILE *out, const ExplainReport *report, const int *rank, int count) {
    static const TableColumn columns[] = {{"rank", 4}, {"move", -5},  {"value", 10}, {"behind", 10},
                                          {"rows", 4}, {"visits", 6}, {"", -20}};
    TableColumn shown[7];
    Table table = {.out = out};
    int many = 0;
    char text[NUMBER], move[MOVE];
    for (int i = 0; i < 7; i++)
        if (i != 5 || report->ranking->planned)
            shown[many++] = columns[i];
    table_head(&table, shown, many);
    for (int i = 0; i < count; i++) {
        const RankedMove *ranked = &report->ranking->move[rank[i]];
        table_cell(&table, "%d", rank[i] + 1);
        table_cell(&table, "%s", move_name(report, rank[i], move));
        table_cell(&table, "%s", number(ranked->value, text));
        table_cell(&table, "%s", number(explanation_gap(report->ranking, rank[i]), text));
        table_cell(&table, "%d", ranked->move.lines);
        if (report->ranking->planned)
            table_cell(&table, "%" PRIu32, ranked->visits);
        table_cell(&table, "%s", remark(report, rank[i]));
    }
}

// A feature with a value for each column has as many rows: column-heights 1, 2, ...
static const char *term_name(const Explanation *explanation, int term, char out[48]) {
    const RatingShare *share = &explanation->share[term];
    bool several = (term > 0 && share[-1].feature == share->feature) ||
                   (term + 1 < explanation->terms && share[1].feature == share->feature);
    int length = snprintf(out, 48, "%s", feature_info[share->feature].name);
    if (several)
        snprintf(out + length, 48 - (size_t)length, " %d", share->index + 1);
    return out;
}

static int names_width(const Explanation *explanation) {
    int width = 7;
    char name[48];
    for (int i = 0; i < explanation->terms; i++)
        width = table_wider(width, term_name(explanation, i, name));
    return width;
}

// The first columns of both tables: the feature and its weight.
static void begin_row(Table *table, const Explanation *explanation, int term) {
    char text[NUMBER], name[48];
    table_cell(table, "%s", term_name(explanation, term, name));
    table_cell(table, "%s", number(explanation->share[term].weight, text));
}

static void print_shares(FILE *out, const ExplainReport *report, const int *rank, int count) {
    const Explanation *explanation = report->explanation;
    TableColumn columns[2 + 2 * BESIDE] = {{"feature", -names_width(explanation)}, {"weight", 8}};
    char names[BESIDE][MOVE], text[NUMBER];
    Table table = {.out = out};
    for (int i = 0; i < count; i++) {
        columns[2 + 2 * i] = (TableColumn){move_name(report, rank[i], names[i]), 5};
        columns[3 + 2 * i] = (TableColumn){"gives", 8};
    }
    table_head(&table, columns, 2 + 2 * count);
    for (int t = 0; t < explanation->terms; t++) {
        begin_row(&table, explanation, t);
        for (int i = 0; i < count; i++) {
            const RatingShare *share = &explanation->share[rank[i] * explanation->terms + t];
            table_cell(&table, "%s", number(share->value, text));
            table_cell(&table, "%s", number(share->contribution, text));
        }
    }
    table_cell(&table, "together");
    table_cell(&table, "%s", "");
    for (int i = 0; i < count; i++) {
        table_cell(&table, "%s", "");
        table_cell(&table, "%s", number(report->ranking->move[rank[i]].rating, text));
    }
}

static const char *range_text(const WeightRange *range, char out[2 * NUMBER]) {
    if (!range->possible)
        snprintf(out, 2 * NUMBER, "never");
    else if (isinf(range->low) && isinf(range->high))
        snprintf(out, 2 * NUMBER, "always");
    else if (isinf(range->low))
        snprintf(out, 2 * NUMBER, "below %.4g", range->high);
    else if (isinf(range->high))
        snprintf(out, 2 * NUMBER, "above %.4g", range->low);
    else
        snprintf(out, 2 * NUMBER, "%.4g..%.4g", range->low, range->high);
    return out;
}

static void print_ranges(FILE *out, const ExplainReport *report, const int *rank, int count) {
    const Explanation *explanation = report->explanation;
    TableColumn columns[2 + BESIDE] = {{"feature", -names_width(explanation)}, {"weight", 8}};
    char names[BESIDE][MOVE], text[2 * NUMBER];
    Table table = {.out = out};
    for (int i = 0; i < count; i++)
        columns[2 + i] = (TableColumn){move_name(report, rank[i], names[i]), 15};
    table_head(&table, columns, 2 + count);
    for (int t = 0; t < explanation->terms; t++) {
        begin_row(&table, explanation, t);
        for (int i = 0; i < count; i++)
            table_cell(&table, "%s", range_text(&explanation->range[rank[i] * explanation->terms + t], text));
    }
}

// The weight that would have to change the least, in proportion to what it is.
static void print_nearest(FILE *out, const ExplainReport *report, int rank) {
    const Explanation *explanation = report->explanation;
    double nearest = INFINITY;
    char move[MOVE], name[48];
    int best = -1;
    for (int t = 0; t < explanation->terms; t++) {
        const WeightRange *range = &explanation->range[rank * explanation->terms + t];
        double weight = explanation->share[t].weight,
               change = fmax(range->low - weight, weight - range->high);
        if (range->possible && weight != 0 && change / fabs(weight) < nearest) {
            nearest = change / fabs(weight);
            best = t;
        }
    }
    fprintf(out, "%s ", move_name(report, rank, move));
    if (player_strategy(report->player)->ties == TIES_RANDOM && explanation_gap(report->ranking, rank) == 0) {
        fputs("may be chosen with the weights as they are: it is as good, and ties are broken at random.\n",
              out);
        return;
    }
    if (best < 0) {
        fputs("is not chosen whatever single weight is changed.\n", out);
        return;
    }
    const WeightRange *range = &explanation->range[rank * explanation->terms + best];
    double weight = explanation->share[best].weight;
    bool up = range->low >= weight;
    fprintf(out, "takes the least change, %.3g %%, in %s: %s %.4g instead of %.4g.\n", 100 * nearest,
            term_name(explanation, best, name), up ? "above" : "below", up ? range->low : range->high,
            weight);
}

// As many moves as fit beside each other, then the next ones.
typedef void PrintTable(FILE *out, const ExplainReport *report, const int *rank, int count);
static void print_blocks(FILE *out, const char *title, const ExplainReport *report, const int *rank,
                         int count, PrintTable *print) {
    fprintf(out, "\n%s\n", title);
    for (int i = 0; i < count; i += BESIDE) {
        fputc('\n', out);
        print(out, report, rank + i, count - i < BESIDE ? count - i : BESIDE);
    }
}

static void print_wrapped(FILE *out, const char *text) {
    fputc('\n', out);
    while (strlen(text) > LINE) {
        int length = LINE;
        while (length > 1 && text[length] != ' ')
            length--;
        fprintf(out, "%.*s\n", length, text);
        text += length + 1;
    }
    fprintf(out, "%s\n", text);
}

void explain_print(FILE *out, const ExplainReport *report) {
    const Explanation *explanation = report->explanation;
    int rank[PLACEMENTS], count = shown_moves(report, rank);
    utf8_print(out, "%s%s%s\n\n", player_strategy(report->player)->name, report->where ? ", " : "",
               report->where ? report->where : "");
    print_board(out, report);
    fputc('\n', out);
    print_moves(out, report, rank, count);
    if (explanation->limits)
        print_wrapped(out, explanation->limits);
    if (explanation->terms && !isnan(explanation->share[0].contribution))
        print_blocks(out, "What each feature is after the move, and what it gives: that times its weight.",
                     report, rank, count, print_shares);
    if (explanation->range)
        print_blocks(out, "One weight changed, the others as they are: with which the move is chosen.",
                     report, rank, count, print_ranges);
    for (int i = 0; i < count && explanation->range; i++)
        if (rank[i] > 0) {
            fputs(i <= 1 ? "\n" : "", out);
            print_nearest(out, report, rank[i]);
        }
}

// ---------------------------------------------------------------------------------------------------
// JSON

static void print_text(FILE *out, const char *key, const char *text) {
    json_t *value = json_name(text);
    char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    fprintf(out, "\"%s\":%s,", key, quoted ? quoted : "null");
    free(quoted);
    json_decref(value);
}

static void print_question(FILE *out, const ExplainReport *report) {
    const Rules *rules = player_rules(report->player);
    const Game *game = report->game;
    int rows = board_pile_height(&game->board, rules->width);
    fputs("\"board\":[", out);
    for (int y = rows - 1; y >= 0; y--) {
        fputs(y < rows - 1 ? ",\"" : "\"", out);
        for (int x = 0; x < rules->width; x++)
            fputc(game->board.column[x] >> y & 1 ? '#' : '.', out);
        fputc('"', out);
    }
    fprintf(out, "],\"piece\":\"%c\",", piece_letter[game->piece]);
    if (game->next >= 0)
        fprintf(out, "\"next\":\"%c\",", piece_letter[game->next]);
}

char *explain_json(const ExplainReport *report, size_t *length) {
    char *text = NULL, move[MOVE];
    FILE *out = open_memstream(&text, length);
    if (out) {
        fputc('{', out);
        print_text(out, "strategy", player_strategy(report->player)->name);
        print_question(out, report);
        if (report->has_recorded && report->recorded >= 0)
            fprintf(out, "\"recorded\":\"%s\",", move_name(report, report->recorded, move));
        else if (report->has_recorded)
            fputs("\"recorded\":null,", out);
        if (report->explanation->limits)
            print_text(out, "limits", report->explanation->limits);
        choose_print_members(out, &(ChooseAnswer){report->player, report->game, report->ranking, PLACEMENTS,
                                                  report->explanation->terms > 0, report->explanation});
        fputs("}\n", out);
    }
    return text_closed(out, &text);
}
