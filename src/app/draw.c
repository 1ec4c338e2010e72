// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/draw.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "base/text.h"

// Only the character set is taken from the environment: numbers keep their decimal point.
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

void draw_game(FILE *out, const Game *game, const Rules *rules) {
    const Signs *signs = draw_unicode() ? &unicode_signs : &ascii_signs;
    for (int row = rules->height - 1; row >= 0; row--) {
        draw_row(out, game, rules, signs, row);
        note_row(out, game, rules->height - 1 - row);
        fputc('\n', out);
    }
    fprintf(out, "  %s", signs->left_corner);
    for (int x = 0; x < rules->width; x++)
        fputs(signs->floor, out);
    fprintf(out, "%s\n", signs->right_corner);
}
