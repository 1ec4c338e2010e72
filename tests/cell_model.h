// SPDX-License-Identifier: GPL-3.0-or-later
// A model of the game that shares nothing with the engine: a grid of characters, pieces as lists of cells
// turned around the origin, falling one row at a time.
#ifndef TETRALAB_TESTS_CELL_MODEL_H
#define TETRALAB_TESTS_CELL_MODEL_H

#include <stdbool.h>
#include <string.h>

#include "game/rules.h"

enum { MODEL_ROWS = BOARD_MAX_HEIGHT + 5 };

typedef struct Cell {
    int x, y;
} Cell;

typedef struct Model {
    int width, height;
    const char *rule; // lenient, strict, touch, original
    char cell[MODEL_ROWS][BOARD_MAX_WIDTH];
} Model;

static const struct {
    int turns;
    Cell cell[4];
} model_piece[7] = {
    {1, {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}}, // O
    {2, {{-2, 0}, {-1, 0}, {0, 0}, {1, 0}}},   // I
    {2, {{-1, -1}, {0, -1}, {0, 0}, {1, 0}}},  // S
    {2, {{0, -1}, {1, -1}, {-1, 0}, {0, 0}}},  // Z
    {4, {{-1, -1}, {-1, 0}, {0, 0}, {1, 0}}},  // L
    {4, {{1, -1}, {-1, 0}, {0, 0}, {1, 0}}},   // J
    {4, {{0, -1}, {-1, 0}, {0, 0}, {1, 0}}},   // T
};

static bool model_free(const Model *model, const Cell *cells, int x, int y, int rows) {
    for (int i = 0; i < 4; i++) {
        int cx = cells[i].x + x, cy = cells[i].y + y;
        if (cx < 0 || cx >= model->width || cy < 0 || cy >= rows || model->cell[cy][cx] == '#')
            return false;
    }
    return true;
}

// Puts the cells down and clears. <- lines, or -1: the game is over
static int model_place(Model *model, const Cell *cells, int x, int y) {
    int lines = 0, limit = !strcmp(model->rule, "touch") ? model->height - 1 : model->height;
    bool lenient = !strcmp(model->rule, "lenient");
    for (int i = 0; i < 4; i++) {
        if (!lenient && cells[i].y + y >= limit)
            return -1;
        model->cell[cells[i].y + y][cells[i].x + x] = '#';
    }
    for (int row = 0; row < MODEL_ROWS; row++) {
        if (memchr(model->cell[row], '.', (size_t)model->width))
            continue;
        for (int above = row; above + 1 < MODEL_ROWS; above++)
            memcpy(model->cell[above], model->cell[above + 1], BOARD_MAX_WIDTH);
        memset(model->cell[MODEL_ROWS - 1], '.', BOARD_MAX_WIDTH);
        lines++;
        row--;
    }
    for (int row = model->height; row < MODEL_ROWS; row++)
        if (memchr(model->cell[row], '#', (size_t)model->width))
            return -1;
    return lines;
}

static void model_turn(Cell *cells) {
    for (int i = 0; i < 4; i++)
        cells[i] = (Cell){-cells[i].y, cells[i].x};
}

typedef struct ModelMove {
    int turn, column, row; // left column and lowest row of the piece
    int lines;             // -1: the game is over
    Model after;
} ModelMove;

static void model_drop(const Model *model, const Cell *cells, int turn, int x, int y, int rows,
                       ModelMove *move) {
    while (model_free(model, cells, x, y - 1, rows))
        y--;
    *move = (ModelMove){.turn = turn, .column = x + cells[0].x, .row = y + cells[0].y, .after = *model};
    for (int i = 1; i < 4; i++) {
        move->column = x + cells[i].x < move->column ? x + cells[i].x : move->column;
        move->row = y + cells[i].y < move->row ? y + cells[i].y : move->row;
    }
    move->lines = model_place(&move->after, cells, x, y);
}

// Every column from above; a piece two rows above the board is free of everything.
static int model_simplified(const Model *model, int piece, ModelMove *list) {
    Cell cells[4];
    int count = 0;
    memcpy(cells, model_piece[piece].cell, sizeof cells);
    for (int turn = 0; turn < model_piece[piece].turns; turn++, model_turn(cells))
        for (int x = -4; x < model->width + 4; x++)
            if (model_free(model, cells, x, model->height + 2, MODEL_ROWS))
                model_drop(model, cells, turn, x, model->height + 2, MODEL_ROWS, &list[count++]);
    return count;
}

static int model_original(const Model *model, int piece, ModelMove *list) {
    Cell cells[4];
    int rows = model->height, x = model->width / 2, y = rows - 1, count = 0;
    memcpy(cells, model_piece[piece].cell, sizeof cells);
    if (!model_free(model, cells, x, y, rows))
        return 0;
    if (!model_free(model, cells, x, y - 1, rows)) {
        model_drop(model, cells, 0, x, y, rows, &list[0]);
        return 1;
    }
    y--;
    for (int turn = 0; turn < model_piece[piece].turns; turn++, model_turn(cells)) {
        if (!model_free(model, cells, x, y, rows))
            break;
        model_drop(model, cells, turn, x, y, rows, &list[count++]);
        for (int step = -1; step <= 1; step += 2)
            for (int at = x + step; model_free(model, cells, at, y, rows); at += step)
                model_drop(model, cells, turn, at, y, rows, &list[count++]);
    }
    return count;
}

// <- how many moves the piece has, in any order; list needs 64 entries
static inline int model_moves(const Model *model, int piece, ModelMove *list) {
    return (strcmp(model->rule, "original") ? model_simplified : model_original)(model, piece, list);
}

static inline Model model_of(const char *rule, int width, int height, const Board *board) {
    Model model = {.width = width, .height = height, .rule = rule};
    memset(model.cell, '.', sizeof model.cell);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            model.cell[y][x] = board->column[x] >> y & 1 ? '#' : '.';
    return model;
}

// --- the same rules for the engine

static const char *const rule_names[] = {"lenient", "strict", "touch", "original"};

static Rules rules_named(const char *rule, int width, int height) {
    Rules rules;
    Error error;
    rules_default(&rules);
    rules.width = width;
    rules.height = height;
    rules.original = !strcmp(rule, "original");
    if (!rules.original && !rules_set(&rules, "overflow", rule, &error))
        fail_msg("%s", error.text);
    return rules;
}

#endif
