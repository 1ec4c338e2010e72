// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the boards, from the top: scores and the next piece; the moves; what features give; the
// height of the pile. Each part takes the lines that it needs from those that are left.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "feature/feature.h"
#include "player/explanation.h"
#include "view/screen.h"

enum {
    NUMBER = 24,
    TRACE_LOW = 3,
    TRACE_HIGH = 6,
    MOVES_MOST = 12,
    RIVALS_MOST = 4,
    NAME = 19, // of a feature; 22 where there is room
    WIDE_NAME = 22,
    WEIGHT = 10,
    COLUMN = 9,
    NARROW = 8
};

typedef struct Panel {
    Grid *grid;
    Viewer *viewer;
    const ScreenSigns *signs;
    ViewedBoard board;    // in focus
    int x, width, y, end; // y: the next free line; end: the first one that is not ours
} Panel;

// The shortest form that fits: digits are dropped first.
static const char *number(double value, int width, char out[NUMBER]) {
    if (isnan(value) || isinf(value)) {
        snprintf(out, NUMBER, "%s", isnan(value) ? "-" : "lost");
        return out;
    }
    for (int digits = 6; digits > 1; digits--) {
        snprintf(out, NUMBER, "%.*g", digits, value);
        if ((int)strlen(out) <= width)
            break;
    }
    return out;
}

static void right(Panel *panel, int x, int width, GridStyle style, const char *text) {
    int length = (int)strlen(text);
    grid_words(panel->grid, x + (length < width ? width - length : 0), panel->y, width, style, "%s", text);
}

static int lines_left(const Panel *panel) {
    return panel->end - panel->y;
}

// ---------------------------------------------------------------------------------------------------
// Scores, the next piece

// One board: a line. Several: a table.
static void draw_score(Panel *panel) {
    const Game *game = &panel->board.watched->shown.after.game[panel->board.seat];
    char lines[32], pieces[32];
    grid_words(panel->grid, panel->x, panel->y++, panel->width, GRID_WORDS, "lines %s  pieces %s",
               text_grouped(game->lines, lines), text_grouped(game->pieces, pieces));
}

static void draw_row(Panel *panel, const char *name, const char *const *cell, GridStyle style) {
    static const int widths[] = {7, 8, 5, 4};
    int x = panel->width >= 46 ? 20 : 9;
    grid_words(panel->grid, panel->x, panel->y, x - 1, style, "%s", name);
    for (int i = 0; i < 4 && cell[i]; i++) {
        right(panel, panel->x + x, widths[i], style, cell[i]);
        x += widths[i];
    }
    panel->y++;
}

static void draw_scores(Panel *panel) {
    bool match = panel->board.watched->record.seats > 1;
    draw_row(panel, "", (const char *const[]){"lines", "pieces", match ? "sent" : NULL, "got"}, GRID_FAINT);
    for (int i = 0; i < viewer_boards(panel->viewer) && lines_left(panel) > 2; i++) {
        ViewedBoard viewed = viewer_board(panel->viewer, i);
        const Match *after = &viewed.watched->shown.after;
        const Seat *seat = &after->seat[viewed.seat];
        char text[4][32];
        text_count((double)after->game[viewed.seat].lines, text[0]);
        text_count((double)after->game[viewed.seat].pieces, text[1]);
        text_count((double)seat->sent, text[2]);
        text_count((double)seat->received, text[3]);
        draw_row(panel, viewed.watched->record.player[viewed.seat],
                 (const char *const[]){text[0], text[1], match ? text[2] : NULL, text[3]},
                 i == panel->viewer->focus ? GRID_STRONG : GRID_WORDS);
    }
}

static void draw_piece(Panel *panel, int x, int y, int piece) {
    const Shape *shape = &piece_shape[piece][0];
    const ScreenSigns *signs = panel->signs;
    for (int i = 0; i < shape->width; i++)
        for (int k = 0; k < shape->cells[i]; k++) {
            int row = y + shape->height - 1 - (shape->bottom[i] + k);
            for (int side = 0; side < 2; side++)
                grid_put(panel->grid, x + 2 * i + side, row, signs->filled[side], GRID_FILLED,
                         (SceneColour)(SCENE_PIECE + piece));
        }
}

// Which piece comes after the one that is shown.
static void draw_next(Panel *panel) {
    const WatchedRound *shown = &panel->board.watched->shown;
    ViewedBoard human = viewer_human(panel->viewer);
    const Game *game = human.watched == panel->board.watched || !panel->board.watched->at
                           ? &shown->after.game[panel->board.seat]
                           : &shown->before.game[panel->board.seat];
    int count = viewer_boards(panel->viewer);
    bool beside = count == 1 && panel->width >= 46; // of the score
    int x = beside ? 32 : 0, y = count > 1 ? panel->y - count - 1 : beside ? panel->y - 1 : panel->y;
    if (lines_left(panel) < 3)
        return;
    x += grid_words(panel->grid, panel->x + x, y, panel->width - x, GRID_FAINT, "next  ");
    panel->y = count > 1 ? panel->y + 1 : y + 3;
    if (game->next < 0)
        grid_words(panel->grid, panel->x + x, y, panel->width - x, GRID_WORDS, "none");
    else if (count == 1)
        draw_piece(panel, panel->x + x, y, game->next);
    for (int i = 0; i < 2 && count > 1 && game->next >= 0; i++) // one line, in the table
        grid_put(panel->grid, panel->x + x + i, y, (uint32_t)piece_letter[game->next], GRID_PLACED,
                 (SceneColour)(SCENE_PIECE + game->next));
}

// ---------------------------------------------------------------------------------------------------
// Moves

static const char *move_name(const Panel *panel, const Move *move, char out[NUMBER]) {
    int piece = panel->board.watched->shown.before.game[panel->board.seat].piece;
    snprintf(out, NUMBER, "%c%d:%d", piece_letter[piece], placement_orientation(move->placement),
             placement_column(move->placement));
    return out;
}

static void draw_moves(Panel *panel, const Ranking *ranking, int lines) {
    int made = watched_made(panel->board.watched, panel->board.seat);
    char text[NUMBER];
    const Strategy *strategy = player_strategy(panel->board.watched->player[panel->board.seat]);
    grid_words(panel->grid, panel->x, panel->y, panel->width, GRID_FAINT, "%-14.14s", "moves, ranked");
    right(panel, panel->x + 12, 9, GRID_FAINT, "value");
    right(panel, panel->x + 21, 9, GRID_FAINT, "behind");
    if (panel->width >= 50 && panel->board.watched->record.seats == 1 && !panel->board.watched->live)
        grid_words(panel->grid, panel->x + 32, panel->y, panel->width - 32, GRID_FAINT, "by %s",
                   strategy->name);
    panel->y++;
    for (int k = 0; k < lines && k < ranking->count; k++, panel->y++) {
        const RankedMove *ranked = &ranking->move[k];
        bool played = ranked->move.placement == made;
        GridStyle style = played ? GRID_STRONG : GRID_WORDS;
        if (played)
            grid_put(panel->grid, panel->x, panel->y, panel->signs->mark, style, SCENE_WORDS);
        grid_words(panel->grid, panel->x + 2, panel->y, panel->width, style, "%s",
                   move_name(panel, &ranked->move, text));
        right(panel, panel->x + 12, 9, style, number(ranked->value, 9, text));
        right(panel, panel->x + 21, 9, style, number(explanation_gap(ranking, k), 8, text));
        if (ranked->ends && panel->width >= 46)
            grid_words(panel->grid, panel->x + 32, panel->y, panel->width - 32, GRID_FAINT, "ends the game");
        else if (ranked->move.lines && panel->width >= 46)
            grid_words(panel->grid, panel->x + 32, panel->y, panel->width - 32, style, "%d row%s",
                       ranked->move.lines, ranked->move.lines == 1 ? "" : "s");
    }
}

// ---------------------------------------------------------------------------------------------------
// Features

typedef struct Shares {
    RatingShare share[1 + RIVALS_MOST][RATING_MAX_TERMS]; // of the move made, and of its rivals
    int rank[1 + RIVALS_MOST];
    int moves, terms;
    int order[RATING_MAX_TERMS]; // which terms are shown first
} Shares;

static double difference(const Shares *shares, int term) {
    double most = 0;
    for (int i = 1; i < shares->moves; i++)
        most = fmax(most, fabs(shares->share[0][term].contribution - shares->share[i][term].contribution));
    return most;
}

// If there are not lines for all, those that tell the moves apart stand first.
static void sort_terms(Shares *shares, int lines) {
    for (int i = 0; i < shares->terms; i++)
        shares->order[i] = i;
    if (shares->terms <= lines)
        return;
    for (int i = 1; i < shares->terms; i++) {
        int moved = shares->order[i], at = i;
        for (; at > 0 && difference(shares, moved) > difference(shares, shares->order[at - 1]); at--)
            shares->order[at] = shares->order[at - 1];
        shares->order[at] = moved;
    }
}

// Where there is room, weights are shown too, and columns are wider.
static bool is_wide(const Panel *panel) {
    return panel->width >= WIDE_NAME + 6 + WEIGHT + 2 * COLUMN;
}
static int column_width(bool wide) {
    return wide ? COLUMN : NARROW;
}
// <- columns before the contributions
static int values_at(bool wide) {
    return wide ? WIDE_NAME + 6 + WEIGHT : NAME + 6;
}

// The move that was made first, then the best of the others.
static void find_shares(const Panel *panel, const Ranking *ranking, Shares *shares) {
    bool wide = is_wide(panel);
    int rivals = (panel->width - values_at(wide)) / column_width(wide) - 1;
    rivals = rivals < 0 ? 0 : rivals > RIVALS_MOST ? RIVALS_MOST : rivals;
    const Watched *watched = panel->board.watched;
    int seat = panel->board.seat, made = watched_made(watched, seat), first = 0;
    const Game *game = &watched->shown.before.game[seat];
    for (int k = 0; k < ranking->count; k++)
        if (ranking->move[k].move.placement == made)
            first = k;
    shares->rank[0] = first;
    shares->moves = ranking->count ? 1 : 0;
    for (int k = 0; k < ranking->count && shares->moves <= rivals; k++)
        if (k != first)
            shares->rank[shares->moves++] = k;
    shares->terms = 0;
    for (int i = 0; i < shares->moves; i++)
        shares->terms = ranking_features(watched->player[seat], &game->board, game->piece,
                                         &ranking->move[shares->rank[i]].move, shares->share[i]);
}

static void draw_term(Panel *panel, const Shares *shares, int term, bool wide) {
    int column = column_width(wide);
    const RatingShare *share = &shares->share[0][term];
    char text[NUMBER], name[32];
    int names = wide ? WIDE_NAME : NAME, x = panel->x + names;
    bool several = feature_info[share->feature].values != ONE;
    if (several)
        snprintf(name, sizeof name, "%.*s %d", names - 4, feature_info[share->feature].name,
                 share->index + 1);
    grid_words(panel->grid, panel->x, panel->y, names - 1, GRID_WORDS, "%s",
               several ? name : feature_info[share->feature].name);
    right(panel, x, 6, GRID_WORDS, number(share->value, 6, text));
    x += 6;
    if (wide) {
        grid_words(panel->grid, x, panel->y, 2, GRID_FAINT, " x");
        right(panel, x + 2, WEIGHT - 2, GRID_WORDS, number(share->weight, WEIGHT - 3, text));
        x += WEIGHT;
    }
    for (int i = 0; i < shares->moves; i++)
        right(panel, x + i * column, column, i ? GRID_FAINT : GRID_STRONG,
              number(shares->share[i][term].contribution, column - 1, text));
    panel->y++;
}

static void draw_features(Panel *panel, const Ranking *ranking, Shares *shares, int lines) {
    bool wide = is_wide(panel), all = shares->terms <= lines - 1;
    int names = wide ? WIDE_NAME : NAME, column = column_width(wide), x = panel->x + values_at(wide);
    char text[NUMBER];
    if (!shares->terms || lines < 2)
        return;
    sort_terms(shares, lines - 1);
    grid_words(panel->grid, panel->x, panel->y, panel->width, GRID_FAINT, "feature");
    right(panel, panel->x + names, wide ? 6 + WEIGHT : 6, GRID_FAINT, wide ? "value x weight" : "value");
    for (int i = 0; i < shares->moves; i++)
        right(panel, x + i * column, column, i ? GRID_FAINT : GRID_STRONG,
              move_name(panel, &ranking->move[shares->rank[i]].move, text));
    panel->y++;
    int shown = all ? shares->terms : lines - 2;
    for (int i = 0; i < shown; i++)
        draw_term(panel, shares, shares->order[i], wide);
    if (!all)
        grid_words(panel->grid, panel->x, panel->y++, panel->width, GRID_FAINT, "and %d more features",
                   shares->terms - shown);
}

// Moves and features share the lines: a few moves first, then the features, then more moves.
static void draw_choice(Panel *panel, int lines) {
    const Watched *watched = panel->board.watched;
    const Ranking *ranking = watched_ranking(panel->board.watched, panel->board.seat);
    if (!ranking) {
        const char *why = !watched->at                          ? ""
                          : watched->human == panel->board.seat ? "These moves are yours."
                          : !watched->player[panel->board.seat] ? "No strategy was named to judge the moves."
                          : match_is_alive(&watched->shown.before, panel->board.seat)
                              ? "A bot of another program is asked only once."
                              : "The game is over.";
        grid_words(panel->grid, panel->x, panel->y, panel->width, GRID_FAINT, "%s", why);
        panel->y += 2;
        return;
    }
    Shares shares;
    find_shares(panel, ranking, &shares);
    int end = panel->y + lines, moves = lines - 1 - (shares.terms ? shares.terms + 2 : 0);
    moves = moves < 2 ? 2 : moves > MOVES_MOST ? MOVES_MOST : moves;
    draw_moves(panel, ranking, moves);
    panel->y++;
    draw_features(panel, ranking, &shares, end - panel->y);
}

// ---------------------------------------------------------------------------------------------------
// The height of the pile

static void draw_trace(Panel *panel, ViewedBoard viewed, int lines) {
    const Watched *watched = viewed.watched;
    const Rules *rules = watched->shown.after.rules;
    size_t at = watched->at, width = (size_t)panel->width;
    size_t first = at >= width ? at - width + 1 : 0;
    char round[32];
    bool other = viewed.watched != panel->board.watched || viewed.seat != panel->board.seat;
    int x = other ? grid_words(panel->grid, panel->x, panel->y, 20, GRID_FAINT,
                               "%s: ", watched->record.player[viewed.seat])
                  : 0;
    grid_words(panel->grid, panel->x + x, panel->y, panel->width - x, GRID_FAINT,
               panel->width >= 48 ? "height of the pile %d, highest %d in move %s"
                                  : "pile %d, highest %d: move %s",
               watched_height(watched, at, viewed.seat), watched->highest[viewed.seat],
               text_grouped(watched->danger[viewed.seat], round));
    panel->y++;
    for (size_t r = first; r <= at; r++) {
        int eighths = watched_height(watched, r, viewed.seat) * lines * 8 / rules->height;
        for (int line = 0; line < lines; line++) {
            int part = eighths - 8 * line;
            uint32_t code = panel->signs->trace[part < 0 ? 0 : part > 8 ? 8 : part];
            if (part > 0)
                grid_put(panel->grid, panel->x + (int)(r - first), panel->y + lines - 1 - line, code,
                         r == watched->danger[viewed.seat] ? GRID_STRONG : GRID_WORDS, SCENE_WORDS);
        }
    }
    panel->y += lines;
}

void panel_draw(Grid *grid, Viewer *viewer, ScreenArea area, const ScreenSigns *signs) {
    Panel panel = {.grid = grid,
                   .viewer = viewer,
                   .signs = signs,
                   .board = viewer_board(viewer, viewer->focus),
                   .x = area.x,
                   .width = area.width,
                   .y = area.y,
                   .end = area.y + area.height};
    int trace = area.height >= 30 ? TRACE_HIGH : TRACE_LOW;
    (viewer_boards(viewer) > 1 ? draw_scores : draw_score)(&panel);
    draw_next(&panel);
    int lines = lines_left(&panel) - (1 + trace);
    if (lines >= 4)
        draw_choice(&panel, lines);
    panel.y = panel.y + 1 < panel.end - (1 + trace) ? panel.y + 1 : panel.end - (1 + trace);
    if (area.height > 1 + trace)
        draw_trace(&panel, panel.board, trace);
    for (int i = 0; i < viewer_boards(viewer) && lines_left(&panel) >= 1 + TRACE_LOW; i++)
        if (i != viewer->focus)
            draw_trace(&panel, viewer_board(viewer, i), TRACE_LOW);
}
