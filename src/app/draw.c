// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/draw.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "game/match.h"

// Only the character set is taken from the environment: numbers keep
// their decimal point.
bool draw_unicode(void) {
    static int known; // 0: not yet, 1: no, 2: yes
    if (!known) {
        setlocale(LC_CTYPE, "");
        known = strcmp(nl_langinfo(CODESET), "UTF-8") ? 1 : 2;
    }
    return known == 2;
}

const char *draw_plus_minus(void) {
    return draw_unicode() ? "±" : "+-";
}

int draw_width(const char *text) {
    return utf8_columns(text, strlen(text));
}

void draw_cell(FILE *out, const char *text, int width) {
    int blanks = (width < 0 ? -width : width) - draw_width(text);
    if (width > 0 && blanks > 0)
        fprintf(out, "%*s", blanks, "");
    fputs(text, out);
    if (width < 0 && blanks > 0)
        fprintf(out, "%*s", blanks, "");
}

typedef struct Signs {
    const char *filled, *empty, *wall, *left_corner, *right_corner, *floor;
} Signs;

static const Signs ascii_signs = {"[]", " .", "|", "+", "+", "--"};
static const Signs unicode_signs = {"██", " ·", "│", "└", "┘", "──"};

static const Signs *known_signs(void) {
    return draw_unicode() ? &unicode_signs : &ascii_signs;
}

// The cells of the piece that has come to rest, and the row above its highest one.
static Board placed_cells(const DrawnMove *move, int *top) {
    Board placed = {{0}};
    *top = 0;
    if (move->move) {
        Placement placement = move->move->placement;
        const Shape *shape = &piece_shape[move->piece][placement_orientation(placement)];
        board_put(&placed, shape, placement_column(placement), move->move->row);
        *top = move->move->row + shape->height;
    }
    return placed;
}

// Above the top there are no walls.
static void draw_row(FILE *out, const DrawnMove *move, const Rules *rules, int row) {
    const Signs *signs = known_signs();
    int top;
    Board placed = placed_cells(move, &top);
    const char *wall = row < rules->height ? signs->wall : " ";
    fprintf(out, "  %s", wall);
    for (int x = 0; x < rules->width; x++)
        if (placed.column[x] >> row & 1)
            fprintf(out, "%c%c", piece_letter[move->piece], piece_letter[move->piece]);
        else
            fputs(move->board->column[x] >> row & 1 ? signs->filled
                  : row < rules->height             ? signs->empty
                                                    : "  ",
                  out);
    fputs(wall, out);
}

static void draw_floor(FILE *out, const Rules *rules) {
    const Signs *signs = known_signs();
    fprintf(out, "  %s", signs->left_corner);
    for (int x = 0; x < rules->width; x++)
        fputs(signs->floor, out);
    fputs(signs->right_corner, out);
}

static int rows_of(const DrawnMove *move, const Rules *rules) {
    int top;
    placed_cells(move, &top);
    return top > rules->height ? top : rules->height;
}

void draw_board(FILE *out, const DrawnMove *move, const Rules *rules, char notes[][DRAW_NOTE], int count) {
    for (int row = rows_of(move, rules) - 1; row >= 0; row--) {
        int line = rules->height - 1 - row;
        draw_row(out, move, rules, row);
        if (line >= 0 && line < count)
            fprintf(out, "   %s", notes[line]);
        fputc('\n', out);
    }
    draw_floor(out, rules);
    fputc('\n', out);
}

void draw_game(FILE *out, const Game *game, const DrawnMove *move, const Rules *rules) {
    static const char *const states[] = {[GAME_RUNNING] = "running",
                                         [GAME_OVER] = "over",
                                         [GAME_NO_PIECES] = "no pieces left",
                                         [GAME_STOPPED] = "stopped"};
    char notes[4][DRAW_NOTE], number[32];
    snprintf(notes[0], DRAW_NOTE, "lines   %s", text_grouped(game->lines, number));
    snprintf(notes[1], DRAW_NOTE, "pieces  %s", text_grouped(game->pieces, number));
    snprintf(notes[2], DRAW_NOTE, "game    %s", states[game->state]);
    if (game->piece >= 0)
        snprintf(notes[3], DRAW_NOTE, "in hand %c", piece_letter[game->piece]);
    draw_board(out, move ? move : &(DrawnMove){.board = &game->board}, rules, notes,
               game->piece >= 0 ? 4 : 3);
}

// --- side by side

enum { MAX_COLUMNS = 80, LEAST_WIDTH = 20 }; // a title needs more room than a narrow board gives

// One line of text for each game, in cells as wide as the boards.
static void write_texts(FILE *out, const DrawnGame *list, int count, int width, int line) {
    for (int i = 0; i < count; i++) {
        const Game *game = list[i].game;
        char text[64], number[32];
        if (line == 0)
            utf8_clean(text, (size_t)width - 1, list[i].title, strlen(list[i].title));
        else if (line == 1)
            snprintf(text, sizeof text, "lines  %s", text_grouped(game->lines, number));
        else if (line == 2)
            snprintf(text, sizeof text, "pieces %s", text_grouped(game->pieces, number));
        else
            snprintf(text, sizeof text, "%s", list[i].note);
        fputs("  ", out);
        draw_cell(out, text, i < count - 1 ? -(width - 2) : 0);
    }
    fputc('\n', out);
}

static void draw_side_by_side(FILE *out, const DrawnGame *list, int count, const Rules *rules, int width) {
    int blanks = width - (2 * rules->width + 4), rows = rules->height;
    DrawnMove move[MATCH_MAX_SEATS];
    for (int i = 0; i < count; i++) {
        move[i] = list[i].move ? *list[i].move : (DrawnMove){.board = &list[i].game->board};
        rows = rows_of(&move[i], rules) > rows ? rows_of(&move[i], rules) : rows;
    }
    write_texts(out, list, count, width, 0);
    for (int row = rows - 1; row >= -1; row--) {
        for (int i = 0; i < count; i++) {
            if (row >= 0)
                draw_row(out, &move[i], rules, row);
            else
                draw_floor(out, rules);
            if (i < count - 1)
                fprintf(out, "%*s", blanks, "");
        }
        fputc('\n', out);
    }
    for (int line = 1; line <= 3; line++)
        write_texts(out, list, count, width, line);
}

void draw_games(FILE *out, const DrawnGame *list, int count, const Rules *rules) {
    int width = 2 * rules->width + 6;
    width = width < LEAST_WIDTH ? LEAST_WIDTH : width;
    int fit = MAX_COLUMNS / width;
    for (int i = 0; i < count; i += fit) {
        if (i)
            fputc('\n', out);
        draw_side_by_side(out, list + i, count - i < fit ? count - i : fit, rules, width);
    }
}
