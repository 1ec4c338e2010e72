// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for files of values: the check sums are put right first, else nothing behind them would ever be
// reached. What is accepted must be usable: every board of the set has a number and a value.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exact/board_set.h"
#include "exact/value_file.h"

static void require(bool fact) {
    if (!fact)
        abort();
}

static void seal(void *bytes, size_t length) {
    ValueHeader *header = bytes;
    header->body_sum = value_file_sum(1, header + 1, (length - sizeof *header) / 8);
    header->head_sum = value_file_sum(1, header, offsetof(ValueHeader, head_sum) / 8);
}

static void use(const ValueFile *file) {
    const ValueHeader *header = file->header;
    require(!file->round == !file->choices && (!file->round || file->checkpoint));
    uint64_t sum = file->round ? file->round->step : 0; // all of it is there to be read
    for (uint64_t i = 0; file->choices && i < PIECES * header->boards; i++)
        sum += file->choices[i];
    __asm__ volatile("" : : "r"(sum));
    int cells = (int)(header->width * (header->height - (header->overflow == OVERFLOW_TOUCH)));
    BoardSet set;
    require(board_set_make(&set, file->bits, cells));
    require(set.boards == header->boards);
    for (uint64_t board = 0; board < (uint64_t)1 << cells && board < 1 << 20; board++)
        if (board_set_has(&set, board)) {
            uint32_t number = board_set_number(&set, board);
            require((file->values ? (double)file->values[number] : file->checkpoint[number]) >= 0);
        }
    board_set_free(&set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = {""};
    if (size == 0)
        return 0;
    ValueKind kind = data[0] % 2 ? VALUES_FINAL : VALUES_CHECKPOINT;
    size_t length = size - 1;
    void *bytes = malloc(length ? length : 1); // its own block: reading past the end is seen
    require(bytes != NULL);
    memcpy(bytes, data + 1, length);
    if (length >= sizeof(ValueHeader))
        seal(bytes, length);
    ValueFile file = {0};
    if (value_file_parse(&file, "input.values", bytes, length, kind, &error))
        use(&file);
    else
        require(error.text[0] != 0);
    free(bytes);
    return 0;
}
