// SPDX-License-Identifier: GPL-3.0-or-later
// Panels of learning runs over each other; overlay.h says what they show.
#include "plot/overlay.h"

#include <gsl/gsl_sort.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plot/runtime.h"

enum {
    CELL_WIDTH = 430, // of a panel, pixels
    CELL_HEIGHT = 400,
    LEAST_WIDTH = 820,
    HEADS = 90,      // above all panels
    MAX_COLUMNS = 3, // panels beside each other
    MAX_WEIGHTS = 60,
    MAX_THICK = 12 // lines of a vector; beyond so many they are thin
};

typedef enum PanelKind { PANEL_LINES, PANEL_CANDIDATES, PANEL_VECTOR, PANEL_RUNTIME } PanelKind;

typedef struct Panel {
    const char *quantity, *title;
    PanelKind kind;
    bool log;
} Panel;

#define PANELS(X)                                                                                            \
    X("score", "curve", "lines of the answer", LINES, true)                                                  \
    X("best", "best", "lines of the best candidate", LINES, true)                                            \
    X("mean", "mean", "lines of the candidates, mean", LINES, true)                                          \
    X("worst", "worst", "lines of the worst candidate", LINES, true)                                         \
    X("candidates", "best", "lines: answer and candidates", CANDIDATES, true)                                \
    X("sigma", "sigma", "step size", LINES, true)                                                            \
    X("pieces", "pieces", "pieces played by a run so far", LINES, false)                                     \
    X("seconds", "seconds", "seconds so far", LINES, false)                                                  \
    X("race", "share", "games that races took, %", LINES, false)                                             \
    X("limit", "limit", "r_limit of races", LINES, false)                                                    \
    X("runtime", "best", "targets reached, % of runs and targets", RUNTIME, false)                           \
    X("weights", "weight", "weights", VECTOR, false)                                                         \
    X("deviations", "deviation", "deviation of each weight", VECTOR, true)                                   \
    X("axes", "axes", "square roots of the eigenvalues", VECTOR, true)

static const Panel panels[] = {
#define PANEL(name, quantity, title, kind, log) {quantity, title, PANEL_##kind, log},
    PANELS(PANEL)
#undef PANEL
};
const char *const overlay_panels[] = {
#define PANEL(name, quantity, title, kind, log) name,
    PANELS(PANEL)
#undef PANEL
        NULL};
enum { KINDS = sizeof panels / sizeof *panels, SCORE = 0, MEAN = 2 };

typedef struct Overlay {
    const OverlayPlan *plan;
    Plot *plot;
    RunAxis axis;
    bool has_curve; // all folders
    bool chosen;    // by name: what has no numbers is an error
    bool named;     // the folders have their place in a legend
    bool alike;     // the vectors of all folders have the same names
    bool told;      //   and these have theirs
    double end;     // the most that a run has spent
    Runtime runtime;
} Overlay;

// ---------------------------------------------------------------------------------------------------
// Panels

static void label_axis(const Overlay *o, PlotAxis *axis) {
    int games = 0;
    for (int k = 0; k < o->plan->folders; k++)
        games += o->plan->folder[k].history->kind == OBJECTIVE_GAMES;
    const char *const labels[] = {[RUNS_BY_GENERATION] = "generation",
                                  [RUNS_BY_EVALUATIONS] =
                                      games == o->plan->folders ? "games for selection, of one run"
                                      : games ? "games or repetitions for selection, of one run"
                                              : "repetitions for selection, of one run",
                                  [RUNS_BY_PIECES] = "pieces for selection, of one run",
                                  [RUNS_BY_SECONDS] = "seconds"};
    plot_label_axis(axis, labels[o->axis]);
}

static PlotPanel *add_panel(const Overlay *o, const Panel *kind, const char *title) {
    PlotPanel *panel = plot_panel(o->plot, title);
    panel->y.log = kind->log;
    panel->x.log = o->plan->log_x;
    panel->x.exact = !o->plan->log_x;
    panel->x.whole = o->axis != RUNS_BY_SECONDS;
    label_axis(o, &panel->x);
    plot_range_add(&panel->x.range, 0, o->plan->log_x);
    plot_range_add(&panel->x.range, o->end, o->plan->log_x);
    return panel;
}

static void label_of(const Overlay *o, int k, bool medians, char out[PLOT_TEXT]) {
    const OverlayFolder *folder = &o->plan->folder[k];
    int runs = folder->history->runs;
    if (runs > 1)
        snprintf(out, PLOT_TEXT, "%.80s%s%s%d runs", folder->label, *folder->label ? ", " : "",
                 medians ? "median of " : "", runs);
    else
        snprintf(out, PLOT_TEXT, "%.100s", folder->label);
}

// Bands first: lines are drawn over them. The first band says in the legend what all of them are.
static void add_lines(const Overlay *o, PlotPanel *panel, const char *name) {
    const OverlayPlan *plan = o->plan;
    RunQuantity what;
    run_quantity(&what, name);
    bool told = false;
    for (int k = 0; k < plan->folders; k++) {
        PlotStyle band = plot_line_style(k, 0);
        band.mark = PLOT_BAND;
        if (plan->folder[k].history->runs < 2)
            continue;
        runs_add_band(plot_series(panel, band, told ? "" : "band: quartiles of the runs"),
                      plan->folder[k].history, RUNS_ALL, &what, 0, o->axis, runs_lower, runs_upper);
        told = true;
    }
    for (int k = 0; k < plan->folders; k++) {
        char label[PLOT_TEXT];
        label_of(o, k, true, label);
        runs_add_line(plot_series(panel, plot_line_style(k, 2.5), label), plan->folder[k].history, RUNS_ALL,
                      &what, 0, o->axis, runs_median);
    }
}

// Answer, best candidate and mean of the candidates have colours; of several folders, the folders do.
static void add_candidates(const Overlay *o, PlotPanel *panel) {
    static const char *const what[][2] = {
        {"curve", "answer"}, {"best", "best candidate"}, {"mean", "mean of candidates"}};
    bool alone = o->plan->folders == 1;
    for (int k = 0; k < 3 * o->plan->folders; k++) {
        const OverlayFolder *folder = &o->plan->folder[k / 3];
        PlotStyle style = plot_line_style(alone ? k : k / 3, k % 3 ? 2 : 2.5);
        RunQuantity quantity;
        char label[PLOT_TEXT];
        if (k % 3 == 0 && !o->has_curve)
            continue;
        snprintf(label, sizeof label, "%.80s%s%s%s", alone ? "" : folder->label, alone ? "" : ": ",
                 what[k % 3][1], folder->history->runs > 1 ? ", median" : "");
        style.dashed = alone ? 0 : k % 3;
        run_quantity(&quantity, what[k % 3][0]);
        runs_add_line(plot_series(panel, style, label), folder->history, RUNS_ALL, &quantity, 0, o->axis,
                      runs_median);
    }
    panel->legend = PLOT_LEGEND_BELOW;
}

static void add_runtime(const Overlay *o, PlotPanel *panel) {
    const OverlayPlan *plan = o->plan;
    panel->y.exact = true;
    panel->y.range = (PlotRange){0, 100};
    for (int k = 0; k < plan->folders; k++) {
        char label[PLOT_TEXT];
        label_of(o, k, false, label);
        runtime_add(&o->runtime, plot_series(panel, plot_line_style(k, 2.5), label), plan->folder[k].history,
                    o->axis);
    }
}

// Legends of folders and of vectors stand once, below all panels. A single run needs none of the first kind.
static void give_legend(bool *given, PlotPanel *panel) {
    panel->legend = *given ? PLOT_LEGEND_NONE : PLOT_LEGEND_ALL_PANELS;
    *given = true;
}

// Of very many weights the largest ones at the end.
static void choose_drawn(const LearningHistory *history, size_t size, bool drawn[ENCODING_MAX]) {
    double sum[ENCODING_MAX] = {0}, largest[MAX_WEIGHTS], least = 0;
    RunQuantity weight;
    run_quantity(&weight, "weight");
    for (int run = 0; run < history->runs; run++) {
        size_t count;
        const Generation *list = run_generations(history, run, &count);
        for (size_t k = 0; count && k < size; k++)
            sum[k] += fabs(run_quantity_value(&weight, history, &list[count - 1], (int)k));
    }
    if (size > MAX_WEIGHTS) {
        gsl_sort_largest(largest, MAX_WEIGHTS, sum, 1, size);
        least = largest[MAX_WEIGHTS - 1];
    }
    for (size_t k = 0; k < size; k++)
        drawn[k] = !(sum[k] < least);
}

static void add_vector(Overlay *o, const Panel *kind, const OverlayFolder *folder) {
    const LearningHistory *history = folder->history;
    RunQuantity what;
    run_quantity(&what, kind->quantity);
    bool axes = !strcmp(kind->quantity, "axes"), weights = !strcmp(kind->quantity, "weight");
    int size = axes ? history->size : history->size - history->switches, shown = 0;
    bool drawn[ENCODING_MAX];
    char title[PLOT_TEXT];
    snprintf(title, sizeof title, "%s%s%s%s%.60s%s", weights && size > MAX_WEIGHTS ? "largest " : "",
             kind->title, weights && history->directions ? ", length 1" : "",
             o->plan->folders > 1 ? ": " : "", o->plan->folders > 1 ? folder->label : "",
             history->runs < 2 ? ""
             : weights         ? ", mean of the runs"
                               : ", median of the runs");
    PlotPanel *panel = add_panel(o, kind, title);
    panel->legend = axes ? PLOT_LEGEND_NONE : PLOT_LEGEND_BELOW;
    choose_drawn(history, (size_t)size, drawn);
    for (int k = 0; k < size; k++)
        if (axes ? k < MAX_WEIGHTS : drawn[k])
            runs_add_line(plot_series(panel, plot_line_style(axes ? 0 : shown++, size <= MAX_THICK ? 2 : 1.3),
                                      axes ? "" : history->label[k]),
                          history, RUNS_ALL, &what, k, o->axis, weights ? runs_mean : runs_median);
    if (!plot_panel_shows(panel))
        plot_drop_panel(o->plot);
    else if (!axes && o->alike)
        give_legend(&o->told, panel);
}

static void add_kind(Overlay *o, int kind) {
    const Panel *it = &panels[kind];
    bool no_curve = kind == SCORE && !o->has_curve;
    if (it->kind == PANEL_VECTOR) {
        for (int k = 0; k < o->plan->folders; k++)
            add_vector(o, it, &o->plan->folder[k]);
        return;
    }
    PlotPanel *panel = add_panel(o, it, no_curve ? panels[MEAN].title : it->title);
    if (it->kind == PANEL_RUNTIME)
        add_runtime(o, panel);
    else if (it->kind == PANEL_CANDIDATES)
        add_candidates(o, panel);
    else
        add_lines(o, panel, no_curve ? panels[MEAN].quantity : it->quantity);
    if (!strcmp(it->quantity, "share"))
        panel->y.range = (PlotRange){0, 100};
    if (!plot_panel_shows(panel))
        plot_drop_panel(o->plot);
    else if (it->kind != PANEL_CANDIDATES)
        give_legend(&o->named, panel);
}

// ---------------------------------------------------------------------------------------------------
// Which panels

static int find_panel(const char *name, size_t length) {
    for (int k = 0; k < KINDS; k++)
        if (strlen(overlay_panels[k]) == length && !memcmp(overlay_panels[k], name, length))
            return k;
    return -1;
}

static bool is_vector(const PlotPanel *panel) {
    for (int k = 0; k < KINDS; k++)
        if (panels[k].kind == PANEL_VECTOR && strstr(panel->title, panels[k].title))
            return true;
    return false;
}

static bool has(const Overlay *o, const char *quantity) {
    RunQuantity what;
    run_quantity(&what, quantity);
    for (int k = 0; k < o->plan->folders; k++) {
        const LearningHistory *history = o->plan->folder[k].history;
        for (int i = 0; i < history->count; i++) {
            double value = run_quantity_value(&what, history, &history->generation[i], 0);
            if (!isnan(value) && value != 0)
                return true;
        }
    }
    return false;
}

static bool add_all(Overlay *o, Error *error) {
    for (int k = 0; k < KINDS; k++) {
        bool race = !strcmp(overlay_panels[k], "race") || !strcmp(overlay_panels[k], "limit");
        if ((race && !has(o, "limit")) || panels[k].kind == PANEL_CANDIDATES)
            continue; // they stand in panels of their own
        if (panels[k].kind == PANEL_VECTOR &&
            o->plot->panels + o->plan->folders > PLOT_MAX_PANELS) // a folder each
            continue;
        add_kind(o, k);
    }
    return o->plot->panels || error_set(error, "There are no numbers to draw.");
}

bool overlay_check_panels(const char *list, Error *error) {
    char words[FIELD_WORDS_TEXT];
    for (const char *at = list; *at && strcmp(list, "all") != 0; at += strcspn(at, ","), at += *at == ',') {
        size_t length = strcspn(at, ",");
        if (find_panel(at, length) < 0)
            return error_set(error, "There is no panel \"%.*s\"; there are all, %s.",
                             (int)fmin((double)length, 60), at,
                             field_words(overlay_panels, "", "and", words));
    }
    return *list || error_set(error, "Name at least one panel, such as score.");
}

static bool add_named(Overlay *o, Error *error) {
    for (const char *at = o->plan->panels; *at;) {
        size_t length = strcspn(at, ",");
        int kind = find_panel(at, length), before = o->plot->panels;
        if (before + (panels[kind].kind == PANEL_VECTOR ? o->plan->folders : 1) > PLOT_MAX_PANELS)
            return error_set(error, "A picture has %d panels at most: ask for fewer, or give fewer folders.",
                             PLOT_MAX_PANELS);
        add_kind(o, kind);
        if (!o->plan->may_miss &&
            (o->plot->panels == before || (!strcmp(panels[kind].quantity, "share") && !has(o, "limit"))))
            return error_set(error, "The runs have no numbers for the panel \"%s\".", overlay_panels[kind]);
        at += length + (at[length] == ',');
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// The whole

static bool asks_runtime(const OverlayPlan *plan) {
    for (const char *at = plan->panels; *at; at += strcspn(at, ","), at += *at == ',')
        if (!strncmp(at, "runtime", 7) && (!at[7] || at[7] == ','))
            return true;
    return false;
}

static void set_title(const Overlay *o) {
    const OverlayPlan *plan = o->plan;
    char title[200], rest[400] = "", low[24], high[24];
    if (plan->folders == 1)
        snprintf(title, sizeof title, "Learning: %s", plan->folder[0].history->title);
    for (int k = 0, at = 0; plan->folders > 1 && k < plan->folders && at < 120; k++)
        at += snprintf(title + at, sizeof title - (size_t)at, "%s%.40s",
                       !k                       ? "Learning: "
                       : k == plan->folders - 1 ? " and "
                                                : ", ",
                       plan->folder[k].label);
    if (o->runtime.targets && (asks_runtime(plan) || !o->chosen))
        snprintf(rest, sizeof rest, "%d target%s from %s to %s lines, reached by the best score seen",
                 o->runtime.targets, o->runtime.targets == 1 ? "" : "s",
                 text_count(o->runtime.target[0], low),
                 text_count(o->runtime.target[o->runtime.targets - 1], high));
    plot_title(o->plot, title, rest);
}

static void set_size(Plot *plot, const OverlayPlan *plan) {
    int columns = plot->panels < MAX_COLUMNS ? plot->panels : MAX_COLUMNS;
    if (plot->panels == 4)
        columns = 2;
    plot->columns = columns ? columns : 1;
    int rows = (plot->panels + plot->columns - 1) / plot->columns;
    plot->laid_out = true;
    plot->exact = plan->height > 0;
    plot->width = plan->width ? plan->width : (int)fmax(LEAST_WIDTH, CELL_WIDTH * plot->columns);
    plot->height = plan->height ? plan->height : HEADS + CELL_HEIGHT * rows;
}

static bool check(const OverlayPlan *plan, Error *error) {
    if (plan->folders < 1 || plan->folders > OVERLAY_MAX_FOLDERS)
        return error_set(error, "A plot shows 1 to %d folders, not %d.", OVERLAY_MAX_FOLDERS, plan->folders);
    for (int k = 0; k < plan->folders; k++)
        if (plan->folder[k].history->count < 1)
            return error_set(error, "%.200s: no generation is complete, so there is nothing to draw.",
                             plan->folder[k].label);
    return true;
}

static bool have_same_names(const LearningHistory *a, const LearningHistory *b) {
    bool same = a->size == b->size && a->switches == b->switches;
    for (int k = 0; same && k < a->size; k++)
        same = !strcmp(a->label[k], b->label[k]);
    return same;
}

static void look(Overlay *o) {
    const OverlayPlan *plan = o->plan;
    const LearningHistory *first = plan->folder[0].history;
    o->alike = o->has_curve = true;
    o->named = plan->folders == 1 && first->runs == 1;
    o->chosen = strcmp(plan->panels, "all") != 0;
    o->axis = plan->axis >= 0      ? (RunAxis)plan->axis
              : asks_runtime(plan) ? RUNS_BY_EVALUATIONS
                                   : RUNS_BY_GENERATION;
    runtime_begin(&o->runtime, plan->target, plan->targets);
    for (int k = 0; k < plan->folders; k++) {
        const LearningHistory *history = plan->folder[k].history;
        bool any = false;
        for (int i = 0; i < history->count; i++) {
            any = any || !isnan(history->generation[i].curve);
            o->end = fmax(o->end, run_spent(&history->generation[i], o->axis));
        }
        o->has_curve = o->has_curve && any;
        o->alike = o->alike && have_same_names(first, history);
        if (!plan->target)
            runtime_see(&o->runtime, history);
    }
    runtime_choose(&o->runtime);
}

// Where there are two legends, one colour has two meanings.
static void name_legends(const Overlay *o) {
    PlotPanel *panel[PLOT_MAX_PANELS];
    int count = 0;
    for (int k = 0; k < o->plot->panels; k++)
        if (o->plot->panel[k]->legend == PLOT_LEGEND_ALL_PANELS)
            panel[count++] = o->plot->panel[k];
    for (int k = 0; count > 1 && k < count; k++)
        panel[k]->legend_name = is_vector(panel[k]) ? "weights:" : "runs:";
}

bool overlay_make(Plot *plot, const OverlayPlan *plan, Error *error) {
    Overlay o = {.plan = plan, .plot = plot};
    plot_begin(plot, 0, 0);
    plot->budget = 20000;
    if (!check(plan, error) || !overlay_check_panels(plan->panels, error))
        return false;
    look(&o);
    bool good = o.chosen ? add_named(&o, error) : add_all(&o, error);
    name_legends(&o);
    set_title(&o);
    set_size(plot, plan);
    return good;
}

bool overlay_learned(Plot *plot, const LearningHistory *history, Error *error) {
    const OverlayFolder folder = {history, ""};
    bool race = false;
    for (int k = 0; k < history->count; k++)
        race = race || history->generation[k].limit > 0;
    const OverlayPlan plan = {.folder = &folder,
                              .folders = 1,
                              .panels = race ? "candidates,sigma,race,limit,weights,deviations,axes"
                                             : "candidates,sigma,pieces,weights,deviations,axes",
                              .may_miss = true,
                              .axis = RUNS_BY_GENERATION};
    return overlay_make(plot, &plan, error);
}
