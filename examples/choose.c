// SPDX-License-Identifier: GPL-3.0-or-later
// Where would a strategy put this piece? Reads a board from the standard input, rows from the top, '#' filled
// and '.' empty, and draws it with the piece in place ('@'), then the board after the move.
//
//     cc choose.c -o choose $(pkg-config --cflags --libs tetralab)
//     printf '########.#\n########.#\n####.###.#\n' | ./choose I bcts
#include <stdio.h>
#include <string.h>

#include <tetralab.h>

enum { MAX_TEXT = 1024 };

// The board is as wide as its first row.
static bool set_size(tetralab_rules *rules, const char *text, tetralab_error *error) {
    char size[32];
    snprintf(size, sizeof size, "%dx20", (int)strcspn(text, "\r\n"));
    return tetralab_rules_set(rules, "board", size, error);
}

static void draw(const uint32_t *columns, const uint32_t *piece, int width, int rows) {
    for (int y = rows - 1; y >= 0; y--) {
        for (int x = 0; x < width; x++)
            putchar(piece[x] >> y & 1 ? '@' : columns[x] >> y & 1 ? '#' : '.');
        putchar('\n');
    }
}

static int pile_height(const uint32_t *columns, int width) {
    int height = 0;
    for (int x = 0; x < width; x++)
        while (columns[x] >> height)
            height++;
    return height;
}

static bool show_move(const tetralab_rules *rules, uint32_t *columns, tetralab_move *move,
                      tetralab_error *error) {
    uint32_t cells[4], piece[TETRALAB_MAX_WIDTH] = {0}, none[TETRALAB_MAX_WIDTH] = {0};
    int width = tetralab_rules_width(rules), high = tetralab_rules_height(rules);
    int wide = tetralab_piece_shape(move->piece, move->orientation, cells, error);
    for (int i = 0; i < wide; i++)
        piece[move->column + i] = cells[i] << move->row;
    int rows = pile_height(columns, width), top = pile_height(piece, width);
    rows = rows > top ? rows : top;
    printf("%c in orientation %d at column %d, row %d; lines: %d\n", move->piece, move->orientation,
           move->column, move->row, move->lines);
    draw(columns, piece, width, rows);
    if (wide < 0 || !tetralab_place(rules, columns, move, 0, error))
        return false;
    printf("%s\n", move->ends ? "the game is over" : "after it:");
    draw(columns, none, width, rows < high ? rows : high);
    return true;
}

static bool choose(tetralab_rules *rules, const tetralab_strategy *strategy, const char *text, char letter,
                   tetralab_error *error) {
    uint32_t columns[TETRALAB_MAX_WIDTH];
    tetralab_move move;
    if (!set_size(rules, text, error) || !tetralab_board_parse(rules, text, columns, error))
        return false;
    tetralab_player *player = tetralab_player_new(strategy, rules, NULL, error);
    bool good = player && tetralab_choose(player, columns, letter, 0, &move, error);
    if (good && move.orientation < 0)
        printf("Every move ends the game.\n");
    else
        good = good && show_move(rules, columns, &move, error);
    tetralab_player_free(player);
    return good;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3 || strlen(argv[1]) != 1) {
        fprintf(stderr, "usage: choose PIECE [STRATEGY] <BOARD, as in choose T bcts <board.txt\n");
        return 2;
    }
    char text[MAX_TEXT];
    text[fread(text, 1, MAX_TEXT - 1, stdin)] = 0;
    tetralab_error error = {"Out of memory."};
    tetralab_rules *rules = tetralab_rules_new();
    tetralab_strategy *strategy = tetralab_strategy_load(argc > 2 ? argv[2] : "bcts", &error);
    bool good = rules && strategy && choose(rules, strategy, text, argv[1][0], &error);
    if (!good)
        fprintf(stderr, "choose: %s\n", error.text);
    tetralab_strategy_free(strategy);
    tetralab_rules_free(rules);
    return good ? 0 : 1;
}
