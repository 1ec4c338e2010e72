// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/viewer.h"

#include <math.h>
#include <string.h>

const double viewer_speeds[VIEWER_SPEEDS] = {0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 250, 500, 1000, 10000};
enum { MOST_MOVES = 1000, PAGE = 10 }; // MOST_MOVES: before a page is shown
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
        rounds = watched_rounds(viewer->table[i]) > rounds ? watched_rounds(viewer->table[i]) : rounds;
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
        moved |= watched_forward(viewer->table[i], &viewer->error) == WATCHED_MOVED;
    pick_up(viewer);
    return moved;
}

void viewer_seek(Viewer *viewer, size_t round) {
    for (int i = 0; i < viewer->tables; i++)
        watched_seek(viewer->table[i], round);
    pick_up(viewer);
}

size_t viewer_danger(const Viewer *viewer) {
    const Watched *first = viewer->table[0];
    int highest = first->highest[watched_danger(first)];
    size_t round = first->danger[watched_danger(first)];
    for (int i = 1; i < viewer->tables; i++) {
        const Watched *table = viewer->table[i];
        int seat = watched_danger(table);
        if (table->highest[seat] > highest ||
            (table->highest[seat] == highest && table->danger[seat] < round)) {
            highest = table->highest[seat];
            round = table->danger[seat];
        }
    }
    return round;
}

static void back(Viewer *viewer, size_t rounds) {
    size_t at = viewer_at(viewer);
    viewer->paused = true;
    viewer_seek(viewer, at > rounds ? at - rounds : 0);
}

static void ahead(Viewer *viewer, int rounds) {
    viewer->paused = true;
    for (int i = 0; i < rounds && viewer_forward(viewer);)
        i++;
}

static void jump(Viewer *viewer, size_t round) {
    viewer->paused = true;
    viewer_seek(viewer, round);
}

// ---------------------------------------------------------------------------------------------------
// The human

static void turn(Viewer *viewer, const Match *match, int piece, int by) {
    int count = piece_orientations[piece];
    viewer->orientation = (viewer->orientation + by + count) % count;
    const Shape *shape = &piece_shape[piece][viewer->orientation];
    if (viewer->column + shape->width > match->rules->width)
        viewer->column = match->rules->width - shape->width;
}

static void shift(Viewer *viewer, const Match *match, int piece, int by) {
    const Shape *shape = &piece_shape[piece][viewer->orientation];
    int column = viewer->column + by;
    if (column >= 0 && column + shape->width <= match->rules->width)
        viewer->column = column;
}

static void drop(Viewer *viewer, ViewedBoard human) {
    const Match *match = &human.watched->shown.after;
    Placement move = placement_make(viewer->orientation, viewer->column);
    if (!game_can_move(&match->game[human.seat], match->rules, move)) {
        viewer->message = "The piece cannot get there.";
        return;
    }
    watched_move(human.watched, move, &viewer->error);
    pick_up(viewer);
}

// <- is it a key for the human's piece?
static bool human_key(Viewer *viewer, int key) {
    ViewedBoard human = viewer_human(viewer);
    if (!human.watched)
        return false;
    const Match *match = &human.watched->shown.after;
    int piece = match->game[human.seat].piece;
    switch (key) {
    case VIEWER_LEFT:
    case 'h':
        shift(viewer, match, piece, -1);
        return true;
    case VIEWER_RIGHT:
    case 'l':
        shift(viewer, match, piece, 1);
        return true;
    case VIEWER_UP:
    case 'k':
        turn(viewer, match, piece, 1);
        return true;
    case 'j':
        turn(viewer, match, piece, -1);
        return true;
    case ' ':
    case VIEWER_DOWN:
    case '\n':
        drop(viewer, human);
        return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Keys

static void change_speed(Viewer *viewer, int by) {
    int speed = viewer->speed + by;
    if (speed >= 0 && speed < VIEWER_SPEEDS)
        viewer->speed = speed;
}

static void pause(Viewer *viewer) {
    viewer->paused = !viewer->paused;
    viewer->last = -INFINITY;
}

static void watch_key(Viewer *viewer, int key) {
    switch (key) {
    case ' ':
    case 'p':
        pause(viewer);
        break;
    case VIEWER_RIGHT:
    case 'n':
        ahead(viewer, 1);
        break;
    case VIEWER_LEFT:
    case 'b':
        back(viewer, 1);
        break;
    case VIEWER_PAGE_DOWN:
        ahead(viewer, PAGE);
        break;
    case VIEWER_PAGE_UP:
        back(viewer, PAGE);
        break;
    case VIEWER_HOME:
    case 'g':
        jump(viewer, 0);
        break;
    case VIEWER_END:
    case 'G':
        jump(viewer, viewer_rounds(viewer));
        break;
    case 'd':
        jump(viewer, viewer_danger(viewer));
        break;
    case '+':
    case '=':
        change_speed(viewer, 1);
        break;
    case '-':
        change_speed(viewer, -1);
        break;
    case '\t':
        viewer->focus = (viewer->focus + 1) % viewer_boards(viewer);
        break;
    }
}

void viewer_key(Viewer *viewer, int key) {
    bool help = viewer->help;
    viewer->message = NULL;
    viewer->help = false;
    if (key == 'q' || key == 'Q')
        viewer->quit = true;
    else if (key == '?')
        viewer->help = !help;
    else if (!help && !human_key(viewer, key))
        watch_key(viewer, key);
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
