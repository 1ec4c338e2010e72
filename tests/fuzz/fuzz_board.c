// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as boards: the first two bytes choose the size. What is accepted must lie on the board, have no
// full row, and read back from its own print.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "game/board.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const Board *board, int width, int height) {
    char text[(BOARD_MAX_WIDTH + 1) * BOARD_MAX_HEIGHT + 1];
    Board again;
    if (board_pile_height(board, BOARD_COLUMNS) > height || board_full_rows(board, width) != 0)
        abort();
    board_print(board, width, height, text);
    Reader reader = reader_start("text", text, strlen(text), NULL);
    if (board_read(&reader, width, height, &again) != 1 || memcmp(board, &again, sizeof again) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    int width = BOARD_MIN_WIDTH + data[0] % (BOARD_MAX_WIDTH - BOARD_MIN_WIDTH + 1);
    int height = BOARD_MIN_HEIGHT + data[1] % (BOARD_MAX_HEIGHT - BOARD_MIN_HEIGHT + 1);
    char *text = malloc(size - 2 + (size == 2)); // ends exactly there, so that reading too far is noticed
    if (!text)
        return 0;
    memcpy(text, data + 2, size - 2);
    int status;
    Board board;
    Error error = {""};
    Reader reader = reader_start("fuzz", text, size - 2, &error);
    while ((status = board_read(&reader, width, height, &board)) > 0)
        check(&board, width, height);
    if (status < 0 && !error.text[0])
        abort();
    free(text);
    return 0;
}
