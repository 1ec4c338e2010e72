// SPDX-License-Identifier: GPL-3.0-or-later
// Histories of learning runs made up for tests of their pictures, and looking into these. To be included
// after cmocka.h.
#ifndef TETRALAB_TESTS_HISTORY_FIXTURE_H
#define TETRALAB_TESTS_HISTORY_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/run_folder.h"
#include "learning_fixture.h"
#include "plot/plot.h"

typedef struct MadeHistory {
    LearningHistory history;
    MadeUp *made;
} MadeHistory;

static inline void history_free(MadeHistory *h) {
    free(h->history.generation);
    free(h->history.label);
    free(h->made);
}

// -> shorter  generations that each run has fewer than the one before it
static inline void history_make(MadeHistory *h, int runs, int generations, int shorter, int size) {
    *h = (MadeHistory){.history = {.runs = runs, .size = size, .kind = OBJECTIVE_GAMES, .directions = true}};
    LearningHistory *history = &h->history;
    history->generation = calloc((size_t)(runs * generations), sizeof *history->generation);
    h->made = calloc((size_t)(runs * generations), sizeof *h->made);
    history->label = calloc((size_t)size, sizeof *history->label);
    assert_true(history->generation && history->label && h->made);
    for (int k = 0; k < size; k++)
        snprintf(history->label[k], sizeof history->label[k], "number-%d", k);
    snprintf(history->title, sizeof history->title, "method, features");
    for (int run = 0; run < runs; run++)
        for (int g = 1; g <= generations - run * shorter; g++) {
            MadeUp *made = &h->made[history->count];
            generation_make(made, run, (uint64_t)g, size);
            history->generation[history->count++] = made->generation;
        }
}

static inline const PlotPanel *panel_of(const Plot *plot, const char *title) {
    for (int k = 0; k < plot->panels; k++)
        if (!strncmp(plot->panel[k]->title, title, strlen(title)))
            return plot->panel[k];
    fail_msg("There is no panel \"%s\".", title);
    return NULL;
}

// <- the series with this title; NULL: there is none
static inline const PlotSeries *series_of(const PlotPanel *panel, const char *title) {
    for (int k = 0; k < panel->count; k++)
        if (!strcmp(panel->series[k]->title, title))
            return panel->series[k];
    return NULL;
}

// <- NAN: there is no such point
static inline double value_at(const PlotSeries *series, double x) {
    assert_non_null(series);
    for (size_t k = 0; k < series->count; k++)
        if (series->point[k].x == x)
            return series->point[k].y;
    return NAN;
}

static inline void assert_close(double value, double wanted) {
    if (!(fabs(value - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.12g is not %.12g", value, wanted);
}

static inline void assert_holds(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in: %.600s", part, text);
}

#endif
