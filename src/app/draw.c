// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/draw.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

// Does the user's locale write UTF-8? Only the character set is taken from the environment: numbers keep
// their decimal point.
static bool draw_unicode(void) {
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
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
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

static void draw_row(FILE *out, const Game *game, const Rules *rules, const Signs *signs, int row) {
    fprintf(out, "  %s", signs->wall);
    for (int x = 0; x < rules->width; x++)
        fputs(game->board.column[x] >> row & 1 ? signs->filled : signs->empty, out);
    fputs(signs->wall, out);
}

static void note_row(FILE *out, const Game *game, int line) {
    static const char *const states[] = {[GAME_RUNNING] = "running",
                                         [GAME_OVER] = "over",
                                         [GAME_NO_PIECES] = "no pieces left",
                                         [GAME_STOPPED] = "stopped"};
    char number[32];
    if (line == 0)
        fprintf(out, "   lines   %s", text_grouped(game->lines, number));
    if (line == 1)
        fprintf(out, "   pieces  %s", text_grouped(game->pieces, number));
    if (line == 2)
        fprintf(out, "   game    %s", states[game->state]);
    if (line == 3 && game->piece >= 0)
        fprintf(out, "   in hand %c", piece_letter[game->piece]);
}

static const Signs *known_signs(void) {
    return draw_unicode() ? &unicode_signs : &ascii_signs;
}

static void draw_floor(FILE *out, const Rules *rules, const Signs *signs) {
    fprintf(out, "  %s", signs->left_corner);
    for (int x = 0; x < rules->width; x++)
        fputs(signs->floor, out);
    fputs(signs->right_corner, out);
}

void draw_game(FILE *out, const Game *game, const Rules *rules) {
    const Signs *signs = known_signs();
    for (int row = rules->height - 1; row >= 0; row--) {
        draw_row(out, game, rules, signs, row);
        note_row(out, game, rules->height - 1 - row);
        fputc('\n', out);
    }
    draw_floor(out, rules, signs);
    fputc('\n', out);
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
    const Signs *signs = known_signs();
    int blanks = width - (2 * rules->width + 4);
    write_texts(out, list, count, width, 0);
    for (int row = rules->height - 1; row >= -1; row--) {
        for (int i = 0; i < count; i++) {
            if (row >= 0)
                draw_row(out, list[i].game, rules, signs, row);
            else
                draw_floor(out, rules, signs);
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
