// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/viewer.h"

#include <math.h>

const double viewer_speeds[VIEWER_SPEEDS] = {0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 250, 500, 1000, 10000};
enum { MOST_MOVES = 1000 }; // before a page is shown
static const double FRAME = 1.0 / 60, WINDOW = 1;

void viewer_start(Viewer *viewer, double speed) {
    *viewer = (Viewer){.rate = NAN, .last = -INFINITY};
    for (int i = 0; i < VIEWER_SPEEDS; i++)
        if (fabs(log(viewer_speeds[i] / speed)) < fabs(log(viewer_speeds[viewer->speed] / speed)))
            viewer->speed = i;
}

// The human's piece begins in the middle, as it appears.
static void pick_up(Viewer *viewer) {
    ViewedBoard human = viewer_human(viewer);
    if (!human.watched)
        return;
    const Match *match = &human.watched->shown.after;
    const Shape *shape = &piece_shape[match->game[human.seat].piece][0];
    viewer->orientation = 0;
    viewer->column = (match->rules->width - shape->width) / 2;
}

bool viewer_add(Viewer *viewer, Watched *watched) {
    if (!watched)
        return false;
    viewer->table[viewer->tables++] = watched;
    if (watched->human == viewer->focus && watched->record.seats > 1) // one knows one's own moves
        viewer->focus = (watched->human + 1) % watched->record.seats;
    pick_up(viewer);
    return true;
}

void viewer_free(Viewer *viewer) {
    for (int i = 0; i < viewer->tables; i++)
        watched_free(viewer->table[i]);
    viewer->tables = 0;
}

// ---------------------------------------------------------------------------------------------------
// Boards

int viewer_boards(const Viewer *viewer) {
    int count = 0;
    for (int i = 0; i < viewer->tables; i++)
        count += viewer->table[i]->record.seats;
    return count;
}

ViewedBoard viewer_board(const Viewer *viewer, int index) {
    int i = 0;
    while (index >= viewer->table[i]->record.seats)
        index -= viewer->table[i++]->record.seats;
    return (ViewedBoard){viewer->table[i], index};
}

size_t viewer_at(const Viewer *viewer) {
    size_t at = 0;
    for (int i = 0; i < viewer->tables; i++)
        at = viewer->table[i]->at > at ? viewer->table[i]->at : at;
    return at;
}

size_t viewer_rounds(const Viewer *viewer) {
    size_t rounds = 0;
    for (int i = 0; i < viewer->tables; i++)
        rounds = viewer->table[i]->record.rounds > rounds ? viewer->table[i]->record.rounds : rounds;
    return rounds;
}

bool viewer_is_over(const Viewer *viewer) {
    bool over = true;
    for (int i = 0; i < viewer->tables; i++)
        over &= watched_is_over(viewer->table[i]);
    return over;
}

ViewedBoard viewer_human(const Viewer *viewer) {
    for (int i = 0; i < viewer->tables; i++)
        if (watched_is_human(viewer->table[i]))
            return (ViewedBoard){viewer->table[i], viewer->table[i]->human};
    return (ViewedBoard){NULL, -1};
}

// ---------------------------------------------------------------------------------------------------
// Going on and back

bool viewer_forward(Viewer *viewer) {
    bool moved = false;
    for (int i = 0; i < viewer->tables; i++)
        moved |= watched_forward(viewer->table[i], &viewer->error);
    pick_up(viewer);
    return moved;
}

void viewer_seek(Viewer *viewer, size_t round) {
    for (int i = 0; i < viewer->tables; i++)
        watched_seek(viewer->table[i], round);
    pick_up(viewer);
}

// <- the first round with the highest pile
static size_t danger(const Viewer *viewer) {
    int highest = -1;
    size_t round = 0;
    for (int i = 0; i < viewer_boards(viewer); i++) {
        ViewedBoard board = viewer_board(viewer, i);
        int height = board.watched->highest[board.seat];
        size_t first = board.watched->danger[board.seat];
        if (height > highest || (height == highest && first < round)) {
            highest = height;
            round = first;
        }
    }
    return round;
}

static void jump(Viewer *viewer, size_t round) {
    viewer->paused = true;
    viewer_seek(viewer, round);
}

// What keys do. -> by  how far, back if it is below 0

static void step(Viewer *viewer, int by) {
    size_t at = viewer_at(viewer), back = by < 0 ? (size_t)-by : 0;
    viewer->paused = true;
    if (back)
        viewer_seek(viewer, at > back ? at - back : 0);
    for (; by > 0 && viewer_forward(viewer); by--)
        continue;
}

static void to_the_end(Viewer *viewer, int by) {
    jump(viewer, by < 0 ? 0 : viewer_rounds(viewer));
}

static void to_danger(Viewer *viewer, int by) {
    (void)by;
    jump(viewer, danger(viewer));
}

static void change_speed(Viewer *viewer, int by) {
    int speed = viewer->speed + by;
    if (speed >= 0 && speed < VIEWER_SPEEDS)
        viewer->speed = speed;
}

static void pause(Viewer *viewer, int by) {
    (void)by;
    viewer->paused = !viewer->paused;
    viewer->last = -INFINITY;
}

static void change_focus(Viewer *viewer, int by) {
    viewer->focus = (viewer->focus + by) % viewer_boards(viewer);
}

// ---------------------------------------------------------------------------------------------------
// The human

// <- the board that the human plays on; *piece: what is in hand
static const Match *hand(const Viewer *viewer, int *piece) {
    ViewedBoard human = viewer_human(viewer);
    const Match *match = &human.watched->shown.after;
    *piece = match->game[human.seat].piece;
    return match;
}

static void turn(Viewer *viewer, int by) {
    int piece, width = hand(viewer, &piece)->rules->width, count = piece_orientations[piece];
    viewer->orientation = (viewer->orientation + by + count) % count;
    const Shape *shape = &piece_shape[piece][viewer->orientation];
    if (viewer->column + shape->width > width)
        viewer->column = width - shape->width;
}

static void shift(Viewer *viewer, int by) {
    int piece, width = hand(viewer, &piece)->rules->width, column = viewer->column + by;
    if (column >= 0 && column + piece_shape[piece][viewer->orientation].width <= width)
        viewer->column = column;
}

static void drop(Viewer *viewer, int by) {
    ViewedBoard human = viewer_human(viewer);
    const Match *match = &human.watched->shown.after;
    Placement move = placement_make(viewer->orientation, viewer->column);
    (void)by;
    if (!game_can_move(&match->game[human.seat], match->rules, move)) {
        viewer->message = "The piece cannot get there.";
        return;
    }
    watched_move(human.watched, move, &viewer->error);
    pick_up(viewer);
}

// ---------------------------------------------------------------------------------------------------
// Keys

#define BACK_OR_FORWARD "one move back or forward"
#define DANGER          "the most dangerous moment: the highest pile so far"
#define ENDS            "the first move, the last one"
#define FALL            "let it fall: it falls only then"
static const ViewerKey watch_keys[] = {
    {{' ', 'p'}, {0}, pause, 0, "space", "pause", "space p", "pause, or go on"},
    {{VIEWER_RIGHT, 'n'}, {VIEWER_LEFT, 'b'}, step, 1, "<- ->", "step", "<- ->  b n", BACK_OR_FORWARD},
    {{VIEWER_PAGE_DOWN}, {VIEWER_PAGE_UP}, step, 10, NULL, NULL, "PgUp PgDn", "ten moves back or forward"},
    {{'+', '='}, {'-'}, change_speed, 1, "+ -", "speed", "+ -", "faster, slower"},
    {{'d'}, {0}, to_danger, 0, "d", "danger", "d", DANGER},
    {{VIEWER_END, 'G'}, {VIEWER_HOME, 'g'}, to_the_end, 1, NULL, NULL, "Home End  g G", ENDS},
    {{'\t'}, {0}, change_focus, 1, "tab", "player", "tab", "the next player's moves"},
    {.keys = "?", .what = "help", .all = "?", .effect = "this page"},
    {.keys = "q", .what = "quit", .all = "q  Ctrl-C", .effect = "quit"},
    {.all = NULL}};
static const ViewerKey human_keys[] = {
    {{VIEWER_RIGHT, 'l'}, {VIEWER_LEFT, 'h'}, shift, 1, "<- ->", "move", "<- ->  h l", "move the piece"},
    {{VIEWER_UP, 'k'}, {'j'}, turn, 1, "up", "turn", "up k, j", "turn it, turn it the other way"},
    {{' ', VIEWER_DOWN, '\n'}, {0}, drop, 0, "space", "drop", "space down Enter", FALL},
    {{'n'}, {'b'}, step, 1, "b n", "look back", "b n", BACK_OR_FORWARD "; play goes on at the last one"},
    {{'d'}, {0}, to_danger, 0, NULL, NULL, "d", DANGER},
    {{'G'}, {'g'}, to_the_end, 1, NULL, NULL, "g G", ENDS},
    {{'\t'}, {0}, change_focus, 1, "tab", "player", "tab", "the next player's moves"},
    {.keys = "?", .what = "help", .all = "?", .effect = "this page"},
    {.keys = "q", .what = "quit", .all = "q  Ctrl-C", .effect = "quit"},
    {.all = NULL}};

const ViewerKey *viewer_keys(const Viewer *viewer) {
    return viewer_human(viewer).watched ? human_keys : watch_keys;
}

// <- is it among these keys?
static bool press(Viewer *viewer, const ViewerKey *row, int key) {
    for (; row->act; row++)
        for (int i = 0; i < VIEWER_SAME_KEYS; i++)
            if (key == row->key[i] || key == row->back[i]) {
                row->act(viewer, key == row->key[i] ? row->by : -row->by);
                return true;
            }
    return false;
}

void viewer_key(Viewer *viewer, int key) {
    bool help = viewer->help;
    viewer->message = NULL;
    viewer->help = false;
    if (key == 'q' || key == 'Q')
        viewer->quit = true;
    else if (key == '?')
        viewer->help = !help;
    else if (!help && key && !press(viewer, viewer_keys(viewer), key))
        press(viewer, watch_keys, key);
}

// ---------------------------------------------------------------------------------------------------
// Time

static bool goes_on(const Viewer *viewer) {
    return !viewer->paused && !viewer->help && !viewer->error.text[0] && !viewer_is_over(viewer) &&
           !viewer_human(viewer).watched;
}

// Several moves may be made before a page is shown.
static double interval(const Viewer *viewer) {
    return fmax(1 / viewer_speeds[viewer->speed], FRAME);
}

double viewer_wait(const Viewer *viewer, double now) {
    return goes_on(viewer) ? fmax(0, viewer->last + interval(viewer) - now) : INFINITY;
}

static void measure_rate(Viewer *viewer, uint64_t moves, double now) {
    if (now - viewer->window_start > 3 * WINDOW) { // it stood still
        viewer->window_start = now;
        viewer->window_moves = 0;
        return;
    }
    viewer->window_moves += moves;
    if (now - viewer->window_start >= WINDOW) {
        viewer->rate = (double)viewer->window_moves / (now - viewer->window_start);
        viewer->window_start = now;
        viewer->window_moves = 0;
    }
}

static bool is_late(const Viewer *viewer, double start) {
    return viewer->clock && viewer->clock() - start > FRAME;
}

// Whoever is late does not make up for it: players may be slow.
bool viewer_tick(Viewer *viewer, double now) {
    if (!goes_on(viewer) || viewer_wait(viewer, now) > 0)
        return false;
    double speed = viewer_speeds[viewer->speed], passed = now - viewer->last;
    int due = passed < 1 ? (int)(passed * speed + 1e-9) : 1, moves = 0;
    due = due < 1 ? 1 : due > MOST_MOVES ? MOST_MOVES : due;
    while (moves < due && !(moves && is_late(viewer, now)) && viewer_forward(viewer))
        moves++;
    measure_rate(viewer, (uint64_t)moves, now);
    bool behind = !(passed < 3 * interval(viewer));
    viewer->last = behind ? now : viewer->last + due / speed;
    return true;
}
