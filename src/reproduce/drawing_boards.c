// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions that show boards: "boards", those of a text, and "game", a recorded game move by
// move, read like a text. The cells of the piece that was placed last have a colour of their own, unless rows
// were removed.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "game/record.h"
#include "reproduce/drawing_kinds.h"

enum { MAX_BOARDS = 120, MAX_BESIDE = 12, MARGIN = 3, BETWEEN = 5 }; // margin, between: in cells

typedef struct Boards {
    Drawing *d;
    PlotSeries *walls, *cells, *placed;
    int width, height, beside, count;
    Board before;
    uint64_t lines; // removed before
} Boards;

static Boards begin(Drawing *d, int width, int height, int beside) {
    PlotPanel *panel = d->panel;
    PlotSeries *cells = plot_series(panel, (PlotStyle){.mark = PLOT_CELLS, .colour = PLOT_SKY}, "");
    PlotSeries *placed = plot_series(panel, (PlotStyle){.mark = PLOT_CELLS, .colour = PLOT_RED}, "");
    panel->bare = true;
    panel->legend = PLOT_LEGEND_NONE;
    return (Boards){.d = d,
                    .cells = cells,
                    .placed = placed,
                    .walls = plot_series(panel, (PlotStyle){PLOT_LINE, PLOT_GREY, 1.5, false, 0, 0}, ""),
                    .width = width,
                    .height = height,
                    .beside = beside};
}

// -> placed  the columns with nothing but the cells of the last piece; NULL: not known
static void add_board(Boards *boards, const Board *board, const Board *placed, const char *caption) {
    if (boards->count == MAX_BOARDS)
        return;
    double left = boards->count % boards->beside * (boards->width + MARGIN);
    double floor = -(double)(boards->count / boards->beside * (boards->height + BETWEEN));
    double right = left + boards->width, top = floor + boards->height;
    plot_add(boards->walls, left, top);
    plot_add(boards->walls, left, floor);
    plot_add(boards->walls, right, floor);
    plot_add(boards->walls, right, top);
    plot_gap(boards->walls);
    for (int x = 0; x < boards->width; x++)
        for (int y = 0; y < boards->height; y++)
            if (board->column[x] >> y & 1)
                plot_add(placed && placed->column[x] >> y & 1 ? boards->placed : boards->cells,
                         left + x + 0.5, floor + y + 0.5);
    plot_note(boards->d->panel, left, top, caption);
    boards->count++;
}

// ---------------------------------------------------------------------------------------------------
// A text of boards

static bool add_text(Drawing *d, const char *path, const char *text) {
    size_t width = 0, rows = 0, longest = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t cells = strspn(line, "#.");
        rows = cells ? rows + 1 : 0;
        width = cells > width ? cells : width;
        longest = rows > longest ? rows : longest;
    }
    if (width < BOARD_MIN_WIDTH || width > BOARD_MAX_WIDTH || longest > BOARD_MAX_HEIGHT)
        return error_set(d->error, "%.300s holds no boards of at most %d columns and %d rows.", path,
                         BOARD_MAX_WIDTH, BOARD_MAX_HEIGHT);
    Boards boards = begin(d, (int)width, (int)longest, MAX_BESIDE);
    Board board;
    int line = 1, status;
    while ((status = board_read(path, &text, &line, (int)width, (int)longest, &board, d->error)) > 0)
        add_board(&boards, &board, NULL, "");
    return status == 0;
}

// ---------------------------------------------------------------------------------------------------
// A recorded game

static void add_round(void *context, const Match *match) {
    Boards *boards = context;
    const Game *game = &match->game[0];
    uint64_t removed = game->lines - boards->lines;
    char caption[64];
    if (match->rounds) {
        Board placed = game->board;
        for (int x = 0; x < boards->width; x++)
            placed.column[x] &= ~boards->before.column[x];
        snprintf(caption, sizeof caption, removed ? "%" PRIu64 ": +%" PRIu64 : "%" PRIu64, match->rounds,
                 removed);
        add_board(boards, &game->board, removed ? NULL : &placed, caption);
    }
    boards->before = game->board;
    boards->lines = game->lines;
}

static bool add_record(Drawing *d, const char *path, const char *text) {
    Record record;
    Match match;
    bool good = record_parse(&record, path, text, strlen(text), d->error);
    if (good && record.seats > 1)
        good = error_set(d->error, "%.300s is a match; a game of one player is wanted.", path);
    if (good) {
        Boards boards = begin(d, record.rules.width, record.rules.height, MAX_BESIDE);
        record_play(&record, &match, add_round, &boards);
        snprintf(d->about, sizeof d->about, "%d moves of %.30s; +: rows removed", boards.count,
                 record.player[0]);
    }
    record_free(&record);
    return good;
}

// ---------------------------------------------------------------------------------------------------

// A file that is not there yet has nothing to show.
static bool draw_file(Drawing *d, bool (*add)(Drawing *d, const char *path, const char *text)) {
    char *path = definition_expand(d->definition, d->scale, d->keys.file, d->dir, 0);
    size_t length;
    if (!path)
        return drawing_no_memory(d);
    bool there = !access(path, F_OK);
    char *text = there ? text_read_file(path, &length, d->error) : NULL;
    bool good = !there || (text && add(d, path, text));
    free(text);
    free(path);
    return good;
}

bool drawing_boards(Drawing *d) {
    return draw_file(d, add_text);
}

bool drawing_game(Drawing *d) {
    return draw_file(d, add_record);
}
