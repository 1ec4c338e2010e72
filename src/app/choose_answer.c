// SPDX-License-Identifier: GPL-3.0-or-later
// Written piece by piece, not as a tree of JSON values first: a hundred thousand answers a second.
#include "app/choose_answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "feature/feature.h"

// 15 digits: 3.4 is printed as 3.4. What is not finite is null. Whole numbers, the most frequent ones, have
// their own way since it is several times as fast.
static void print_number(FILE *out, double value) {
    if (!isfinite(value))
        fputs("null", out);
    else if (fabs(value) < 1e15 && value == (double)(int64_t)value)
        fprintf(out, "%" PRId64, (int64_t)value);
    else
        fprintf(out, "%.15g", value);
}

static void print_begin(FILE *out, const char *id) {
    if (*id)
        fprintf(out, "{\"id\":%s,", id);
    else
        putc('{', out);
}

static void print_move(FILE *out, const Game *game, const Ranking *ranking, int k) {
    const RankedMove *ranked = &ranking->move[k];
    Placement placement = ranked->move.placement;
    fprintf(out, "\"move\":\"%c%d:%d\",\"orientation\":%d,\"column\":%d,\"row\":%d,\"lines\":%d,\"ends\":%s",
            piece_letter[game->piece], placement_orientation(placement), placement_column(placement),
            placement_orientation(placement), placement_column(placement), ranked->move.row,
            ranked->move.lines, ranked->ends ? "true" : "false");
    fputs(",\"value\":", out);
    print_number(out, ranked->value);
    if (ranking->planned)
        fprintf(out, ",\"visits\":%" PRIu32, ranked->visits);
}

typedef double NumberOf(const RatingShare *share);
static double value_of(const RatingShare *share) {
    return share->value;
}
static double weight_of(const RatingShare *share) {
    return share->weight;
}
static double contribution_of(const RatingShare *share) {
    return share->contribution;
}

// A number, or a list of them for a feature with several values.
static void print_numbers(FILE *out, const char *name, const RatingShare *share, int count, NumberOf *of) {
    fprintf(out, "\"%s\":%s", name, count > 1 ? "[" : "");
    for (int i = 0; i < count; i++) {
        if (i)
            putc(',', out);
        print_number(out, of(&share[i]));
    }
    fputs(count > 1 ? "]" : "", out);
}

static void print_range(FILE *out, const WeightRange *range) {
    if (!range->possible) {
        fputs("null", out);
        return;
    }
    putc('[', out);
    print_number(out, range->low);
    putc(',', out);
    print_number(out, range->high);
    putc(']', out);
}

static void print_ranges(FILE *out, const WeightRange *range, int count) {
    fprintf(out, ",\"chosen_between\":%s", count > 1 ? "[" : "");
    for (int i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        print_range(out, &range[i]);
    }
    fputs(count > 1 ? "]" : "", out);
}

static void print_features(FILE *out, const ChooseAnswer *answer, int k) {
    RatingShare share[RATING_MAX_TERMS];
    const RankedMove *ranked = &answer->ranking->move[k];
    const Explanation *explanation = answer->explanation;
    int count =
        ranking_features(answer->player, &answer->game->board, answer->game->piece, &ranked->move, share);
    fputs(",\"rating\":", out);
    print_number(out, ranked->rating);
    fputs(",\"features\":{", out);
    for (int i = 0, values; i < count; i += values) {
        for (values = 1; i + values < count && share[i + values].feature == share[i].feature;)
            values++;
        fprintf(out, "%s\"%s\":{", i ? "," : "", feature_info[share[i].feature].name);
        print_numbers(out, "value", share + i, values, value_of);
        putc(',', out);
        print_numbers(out, "weight", share + i, values, weight_of);
        putc(',', out);
        print_numbers(out, "contribution", share + i, values, contribution_of);
        if (explanation && explanation->range)
            print_ranges(out, explanation->range + k * explanation->terms + i, values);
        putc('}', out);
    }
    putc('}', out);
}

void choose_print_members(FILE *out, const ChooseAnswer *answer) {
    const Ranking *ranking = answer->ranking;
    if (ranking->chosen)
        print_move(out, answer->game, ranking, 0);
    else
        fputs("\"move\":null,\"value\":null", out);
    if (answer->moves)
        fputs(",\"moves\":[", out);
    for (int k = 0; k < answer->moves && k < ranking->count; k++) {
        fputs(k ? ",{" : "{", out);
        print_move(out, answer->game, ranking, k);
        if (answer->explanation) {
            fputs(",\"behind\":", out);
            print_number(out, explanation_gap(ranking, k));
        }
        if (answer->features)
            print_features(out, answer, k);
        putc('}', out);
    }
    fputs(answer->moves ? "]" : "", out);
}

void choose_print(FILE *out, const char *id, const ChooseAnswer *answer) {
    print_begin(out, id);
    choose_print_members(out, answer);
    fputs("}\n", out);
}

void choose_print_error(FILE *out, const char *id, uint64_t line, const Error *error) {
    json_t *text = json_string(error->text);
    char *quoted = text ? json_dumps(text, JSON_ENCODE_ANY) : NULL;
    print_begin(out, id);
    fprintf(out, "\"line\":%" PRIu64 ",\"error\":%s}\n", line,
            quoted ? quoted : "\"Out of memory for the answer.\"");
    free(quoted);
    json_decref(text);
}
