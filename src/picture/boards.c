// SPDX-License-Identifier: GPL-3.0-or-later
#include "picture/boards.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

// Where everything is, in pixels. A unit is a board with the lines below it, or a round of a match: the
// boards of all seats.
typedef struct Layout {
    int cell, dot, width, height; // of a board, in cells
    int seats, lines;             // of words below a board
    int beside, above;            // units beside each other; where the first row of units begins
    int gap, seat_step, unit_width, unit_height;
} Layout;

enum { ROWS_ABOVE = 2 /* for a piece that rests above the top */, WALL = 2, TITLE_LINES = 2 };

static void measure_units(Layout *layout, const BoardsPlan *plan, bool title) {
    layout->dot = layout->cell >= 14 ? layout->cell / 10 : 1;
    layout->gap = layout->cell > 8 ? layout->cell : 8;
    layout->seat_step = layout->width * layout->cell + 2 * WALL + layout->gap;
    layout->unit_width = layout->seats * layout->seat_step + (layout->seats > 1 ? layout->gap : 0);
    layout->unit_height =
        (layout->height + ROWS_ABOVE) * layout->cell + WALL + (layout->lines + 1) * SCENE_LINE * layout->dot;
    layout->above = title ? (TITLE_LINES * SCENE_LINE + 4) * layout->dot : 0;
    layout->beside = plan->beside;
}

static int unit_x(const Layout *layout, int unit, int seat) {
    return layout->gap + unit % layout->beside * layout->unit_width + seat * layout->seat_step;
}

static int unit_y(const Layout *layout, int unit) {
    return layout->gap / 2 + layout->above + unit / layout->beside * layout->unit_height;
}

// The size of a picture of so many units.
static bool set_size(Scene *scene, const Layout *layout, int units, Error *error) {
    int across = units < layout->beside ? units : layout->beside;
    int down = (units + layout->beside - 1) / layout->beside;
    scene->width = layout->gap + across * layout->unit_width;
    scene->height = layout->gap + layout->above + down * layout->unit_height;
    return (scene->width <= SCENE_MAX_SIDE && scene->height <= SCENE_MAX_SIDE) ||
           error_set(error,
                     "The picture would have %d by %d pixels, and %d is the most: choose smaller cells or "
                     "fewer boards.",
                     scene->width, scene->height, SCENE_MAX_SIDE);
}

// ---------------------------------------------------------------------------------------------------
// One board

// A cell of the piece placed last: joined to its other cells, with a line around the whole.
static void add_placed(Scene *scene, const Layout *layout, const FilmBoard *board, int column, int row, int x,
                       int y) {
    int thick = layout->cell >= 16 ? 2 : 1, space = layout->cell > 4, side = layout->cell - space;
    bool left = column > 0 && board->placed[column - 1] >> row & 1;
    bool right = column + 1 < BOARD_COLUMNS && board->placed[column + 1] >> row & 1;
    bool below = row > 0 && board->placed[column] >> (row - 1) & 1;
    bool above = board->placed[column] >> (row + 1) & 1;
    int width = side + right * space, height = side + below * space;
    scene_rectangle(scene, board->cell[row][column], x, y, width, height);
    if (!left)
        scene_rectangle(scene, SCENE_MARK, x, y, thick, height);
    if (!right)
        scene_rectangle(scene, SCENE_MARK, x + side - thick, y, thick, height);
    if (!above)
        scene_rectangle(scene, SCENE_MARK, x, y, width, thick);
    if (!below)
        scene_rectangle(scene, SCENE_MARK, x, y + side - thick, width, thick);
}

static void add_cell(Scene *scene, const Layout *layout, const FilmBoard *board, int column, int row, int x,
                     int y) {
    int side = layout->cell - (layout->cell > 4); // a space between cells
    SceneColour colour = board->full >> row & 1 ? SCENE_FULL : board->cell[row][column];
    if (board->placed[column] >> row & 1)
        add_placed(scene, layout, board, column, row, x, y);
    else if (row < layout->height || colour != SCENE_EMPTY)
        scene_rectangle(scene, colour, x, y, side, side);
}

// The walls, the floor and the cells; a piece that rests above the top is shown there.
static void add_board(Scene *scene, const Layout *layout, const FilmBoard *board, int left, int top) {
    int cell = layout->cell, x0 = left + WALL, floor = top + (layout->height + ROWS_ABOVE) * cell;
    int ceiling = floor - layout->height * cell, right = x0 + layout->width * cell;
    scene_rectangle(scene, SCENE_WALL, left, ceiling, WALL, floor - ceiling + WALL);
    scene_rectangle(scene, SCENE_WALL, right, ceiling, WALL, floor - ceiling + WALL);
    scene_rectangle(scene, SCENE_WALL, left, floor, right - left + WALL, WALL);
    for (int row = 0; row < layout->height + ROWS_ABOVE && row < FILM_ROWS - 1; row++)
        for (int column = 0; column < layout->width; column++)
            add_cell(scene, layout, board, column, row, x0 + column * cell, floor - (row + 1) * cell);
}

// Words of at most so many letters.
static void add_cut(Scene *scene, SceneColour colour, int x, int y, int dot, int letters, const char *words) {
    char cut[256];
    size_t room = letters < 4 ? 4 : letters < (int)sizeof cut ? (size_t)letters + 1 : sizeof cut;
    scene_words(scene, colour, x, y, dot, utf8_clean(cut, room, words, strlen(words)));
}

// Words below a board, cut to its width.
static void add_line(Scene *scene, const Layout *layout, SceneColour colour, int left, int top, int line,
                     const char *words) {
    int letters = (layout->width * layout->cell + 2 * WALL + layout->gap / 2) / (SCENE_LETTER * layout->dot);
    int y = top + (layout->height + ROWS_ABOVE) * layout->cell + WALL + (SCENE_LINE * line + 4) * layout->dot;
    add_cut(scene, colour, left, y, layout->dot, letters, words);
}

// ---------------------------------------------------------------------------------------------------
// A text of boards

static bool text_size(const char *name, const char *text, Layout *layout, Error *error) {
    size_t width = 0, rows = 0, longest = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t cells = strspn(line, "#.");
        rows = cells ? rows + 1 : 0;
        width = cells > width ? cells : width;
        longest = rows > longest ? rows : longest;
    }
    if (width < BOARD_MIN_WIDTH || width > BOARD_MAX_WIDTH || longest > BOARD_MAX_HEIGHT)
        return error_set(error, "%.300s holds no boards of %d to %d columns and at most %d rows.", name,
                         BOARD_MIN_WIDTH, BOARD_MAX_WIDTH, BOARD_MAX_HEIGHT);
    layout->width = (int)width;
    layout->height = (int)longest;
    return true;
}

// Reads all boards. -> scene  NULL: counts them only. <- how many, or -1
static int go_through(Scene *scene, const Layout *layout, const char *name, const char *text, Error *error) {
    Board board;
    FilmBoard film;
    Reader reader = reader_start(name, text, strlen(text), error);
    int status, count = 0;
    while ((status = board_read(&reader, layout->width, layout->height, &board)) > 0) {
        if (++count > BOARDS_MAX) {
            error_set(error, "%.300s holds more than %d boards, the most for one picture.", name, BOARDS_MAX);
            return -1;
        }
        if (!scene)
            continue;
        film_board(&film, &board);
        add_board(scene, layout, &film, unit_x(layout, count - 1, 0), unit_y(layout, count - 1));
    }
    if (status == 0 && count == 0)
        error_set(error, "%.300s: there is no board in this file.", name);
    return status < 0 || count == 0 ? -1 : count;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

bool boards_scene_text(Scene *scene, const BoardsPlan *plan, const char *name, const char *text,
                       Error *error) {
    Layout layout = {.seats = 1, .lines = 0};
    int count;
    *scene = (Scene){.dark = plan->dark};
    if (!text_size(name, text, &layout, error) || (count = go_through(NULL, &layout, name, text, error)) < 0)
        return false;
    layout.cell = plan->cell ? plan->cell : count > 4 ? 10 : 20;
    measure_units(&layout, plan, false);
    layout.beside = plan->beside ? plan->beside : smaller(count, count > 4 ? 12 : 4);
    return set_size(scene, &layout, count, error) && go_through(scene, &layout, name, text, error) > 0;
}

// ---------------------------------------------------------------------------------------------------
// A record

typedef struct Strip {
    Scene *scene;
    Layout layout;
    const BoardsPlan *plan;
    uint64_t lines[MATCH_MAX_SEATS]; // removed before
} Strip;

// The rounds that are there of those that are wanted. <- how many; 0: none, with the error
static uint64_t find_rounds(const BoardsPlan *plan, const char *name, const Record *record, uint64_t most,
                            Error *error) {
    uint64_t to = plan->to < record->rounds ? plan->to : record->rounds;
    if (plan->from > to) {
        error_set(error, "%.200s has %zu rounds: from %" PRIu64 " to %" PRIu64 " there is nothing to show.",
                  name, record->rounds, plan->from, to);
        return 0;
    }
    if (to - plan->from >= most) {
        error_set(error,
                  "%" PRIu64 " rounds of %.200s are too many for one picture; the most are %" PRIu64 ".",
                  to - plan->from + 1, name, most);
        return 0;
    }
    return to - plan->from + 1;
}

static void add_unit(Strip *strip, const FilmRound *round) {
    const Layout *layout = &strip->layout;
    int unit = (int)(round->number - strip->plan->from);
    for (int s = 0; s < layout->seats; s++) {
        uint64_t lines = round->match->game[s].lines, removed = lines - strip->lines[s];
        int x = unit_x(layout, unit, s), y = unit_y(layout, unit);
        char words[64];
        snprintf(words, sizeof words, removed ? "%" PRIu64 " +%" PRIu64 : "%" PRIu64, round->number, removed);
        add_board(strip->scene, layout, &round->board[s], x, y);
        add_line(strip->scene, layout, SCENE_FAINT, x, y, 0, words);
    }
}

static void strip_round(void *context, const FilmRound *round) {
    Strip *strip = context;
    if (round->number >= strip->plan->from && round->number <= strip->plan->to)
        add_unit(strip, round);
    for (int s = 0; s < strip->layout.seats; s++)
        strip->lines[s] = round->match->game[s].lines;
}

static void add_title(Scene *scene, const Layout *layout, const Record *record, int rounds) {
    char words[1200] = "", rest[96];
    for (int s = 0; s < record->seats; s++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", s ? " - " : "",
                 record->player[s]);
    snprintf(rest, sizeof rest, "seed %" PRIu64 ", %s %" PRIu64 "%s", record->seed,
             record->seats > 1 ? "match" : "game", record->number, rounds > 1 ? "; +: rows removed" : "");
    int x = layout->gap, y = layout->gap / 2, dot = layout->dot;
    int letters = (scene->width - x) / (SCENE_LETTER * dot);
    add_cut(scene, SCENE_WORDS, x, y, dot, letters, words);
    add_cut(scene, SCENE_FAINT, x, y + SCENE_LINE * dot, dot, letters, rest);
}

static Layout record_layout(const BoardsPlan *plan, const Record *record, int cell, int lines, bool title) {
    Layout layout = {.cell = plan->cell ? plan->cell : cell,
                     .width = record->rules.width,
                     .height = record->rules.height,
                     .seats = record->seats,
                     .lines = lines};
    measure_units(&layout, plan, title);
    return layout;
}

bool boards_scene_record(Scene *scene, const BoardsPlan *plan, const char *name, const Record *record,
                         Error *error) {
    int rounds = (int)find_rounds(plan, name, record, BOARDS_MAX, error);
    Strip strip = {.scene = scene, .plan = plan};
    *scene = (Scene){.dark = plan->dark};
    if (!rounds)
        return false;
    strip.layout = record_layout(plan, record, rounds * record->seats > 4 ? 10 : 20, 1, true);
    if (!strip.layout.beside) {
        int fit = (rounds * record->seats > 4 ? 12 : 4) / record->seats;
        strip.layout.beside = smaller(rounds, fit > 0 ? fit : 1);
    }
    if (!set_size(scene, &strip.layout, rounds, error))
        return false;
    add_title(scene, &strip.layout, record, rounds);
    film_play(record, strip_round, &strip);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// A film

typedef struct Cinema {
    Scene scene;
    Layout layout;
    const BoardsPlan *plan;
    Gif *gif;
    Error *error;
    bool failed;
} Cinema;

static const char *state_of(const FilmRound *round, int seat) {
    const Match *match = round->match;
    if (match->end == MATCH_RUNNING)
        return "";
    if (match->winner == seat)
        return "won";
    return match_is_alive(match, seat) ? "stopped" : match->seats > 1 ? "lost" : "game over";
}

static void film_unit(Cinema *cinema, const FilmRound *round) {
    const Layout *layout = &cinema->layout;
    for (int s = 0; s < layout->seats; s++) {
        const Game *game = &round->match->game[s];
        int x = unit_x(layout, 0, s), y = unit_y(layout, 0);
        char words[80], number[32];
        add_board(&cinema->scene, layout, &round->board[s], x, y);
        add_line(&cinema->scene, layout, SCENE_WORDS, x, y, 0, round->record->player[s]);
        snprintf(words, sizeof words, "lines  %s", text_grouped(game->lines, number));
        add_line(&cinema->scene, layout, SCENE_FAINT, x, y, 1, words);
        snprintf(words, sizeof words, "pieces %s", text_grouped(game->pieces, number));
        add_line(&cinema->scene, layout, SCENE_FAINT, x, y, 2, words);
        add_line(&cinema->scene, layout, SCENE_WORDS, x, y, 3, state_of(round, s));
    }
}

static void film_round(void *context, const FilmRound *round) {
    Cinema *cinema = context;
    if (cinema->failed || round->number < cinema->plan->from || round->number > cinema->plan->to)
        return;
    scene_clear(&cinema->scene);
    film_unit(cinema, round);
    cinema->failed = !gif_add(cinema->gif, &cinema->scene, cinema->error);
}

char *boards_film(const BoardsPlan *plan, const char *name, const Record *record, size_t *length,
                  Error *error) {
    Cinema cinema = {.scene.dark = plan->dark, .plan = plan, .error = error};
    if (!find_rounds(plan, name, record, BOARDS_MAX_FRAMES, error))
        return NULL;
    cinema.layout = record_layout(plan, record, 20, 4, false);
    cinema.layout.beside = 1;
    if (!set_size(&cinema.scene, &cinema.layout, 1, error))
        return NULL;
    cinema.gif = gif_begin(&cinema.scene, (int)(100 / plan->speed + 0.5), error);
    if (!cinema.gif)
        return NULL;
    film_play(record, film_round, &cinema);
    scene_free(&cinema.scene);
    return gif_end(cinema.gif, cinema.failed ? NULL : length, cinema.failed ? NULL : error);
}
