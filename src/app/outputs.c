// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/outputs.h"

#include <inttypes.h>
#include <string.h>

#include "game/rules.h"
#include "plot/measured.h"
#include "reproduce/published_means.h"

bool outputs_write(const AppOptions *options, TableMaker *table, OutputPlotter *make, const void *rows,
                   int count, Error *error) {
    if (!table_write(options->csv, TABLE_CSV, table, rows, count, error))
        return false;
    Plot plot = {.panels = 0};
    Error why = {""};
    bool good = !options->plot || (make(&plot, rows, count, &why)
                                       ? plot_draw(&plot, options->plot, error)
                                       : error_set(error, "%.200s: %.300s", options->plot, why.text));
    plot_free(&plot);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Measurements

typedef struct NamedRow {
    char name[200];
} NamedRow;

static void name_row(const MeasureRow *row, bool rules, bool seed, NamedRow *named) {
    const Rules *its = row->rules;
    bool uniform = !strcmp(its->pieces.name, "uniform"), lenient = its->overflow == OVERFLOW_LENIENT;
    char where[100] = "", number[40] = "";
    if (rules)
        snprintf(where, sizeof where, ", %dx%d%s%s%.30s%s%s%s", its->width, its->height,
                 its->original ? " original" : "", uniform ? "" : " ", uniform ? "" : its->pieces.name,
                 lenient ? "" : " ", lenient ? "" : rules_overflow_name(its->overflow),
                 its->gameover == GAMEOVER_EVALUATE ? " evaluate" : "");
    if (seed)
        snprintf(number, sizeof number, ", seed %" PRIu64, row->seed);
    snprintf(named->name, sizeof named->name, "%.50s%s%s", row->strategy, where, number);
}

bool outputs_plot_measured(Plot *plot, const void *rows, int count, Error *error) {
    const MeasureRow *row = rows;
    MeasuredPlayer player[MEASURED_MAX_PLAYERS];
    NamedRow named[MEASURED_MAX_PLAYERS];
    int shown = 0, first = -1;
    bool rules = false, seed = false;
    for (int k = 0; k < count; k++) {
        if (!row[k].count && !row[k].finished)
            continue;
        first = first < 0 ? k : first;
        rules = rules || rules_difference(row[k].rules, row[first].rules);
        seed = seed || row[k].seed != row[first].seed;
    }
    for (int k = 0; k < count; k++) {
        if (!row[k].count && !row[k].finished)
            continue;
        if (shown == MEASURED_MAX_PLAYERS)
            return error_set(error, "A plot shows %d measurements at most.", MEASURED_MAX_PLAYERS);
        name_row(&row[k], rules, seed, &named[shown]);
        player[shown] = (MeasuredPlayer){named[shown].name, row[k].mean_lines, row[k].interval,
                                         published_means(row[k].strategy, row[k].rules, app_settings)};
        shown++;
    }
    if (!shown)
        return error_set(error, "No measurement has a result yet.");
    MeasuredTitle title = {.rules = rules || seed ? NULL : row[first].rules, .seed = row[first].seed};
    return measured_comparison(plot, &title, player, shown, error);
}
