// SPDX-License-Identifier: GPL-3.0-or-later
// Reads lines that come from other people's programs: everything is checked.
#include "player/question.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/fields_json.h"
#include "base/json_parse.h"

static const Field question_field[] = { // read by hand
    {"id", FIELD_JSON},
    {"board", FIELD_JSON},
    {"piece", FIELD_JSON},
    {"next", FIELD_JSON},
    {"queue", FIELD_JSON}};
static const Fields question_table[] = {FIELDS(question_field)};

// ---------------------------------------------------------------------------------------------------
// Boards

// -> row  0 is the highest that is given
static bool take_row(Board *board, const char *text, size_t length, int row, int rows, const Rules *rules,
                     Error *error) {
    if (length != (size_t)rules->width)
        return error_set(error, "Row %d of \"board\" has %zu character%s; the board has %d columns.", row + 1,
                         length, length == 1 ? "" : "s", rules->width);
    for (int x = 0; x < rules->width; x++)
        if (text[x] == '#')
            board->column[x] |= 1u << (rows - 1 - row);
        else if (text[x] != '.')
            return error_set(error,
                             "Row %d of \"board\" has something else than '#' and '.' at character %d.",
                             row + 1, x + 1);
    return true;
}

static bool read_rows(Board *board, const json_t *list, const Rules *rules, Error *error) {
    size_t rows = json_array_size(list);
    if (rows > (size_t)rules->height)
        return error_set(error, "\"board\" has %zu rows; the board has %d.", rows, rules->height);
    for (size_t row = 0; row < rows; row++) {
        const json_t *text = json_array_get(list, row);
        if (!json_is_string(text))
            return error_set(error, "Entry %zu of \"board\" is not a text, but the first one is.", row + 1);
        if (!take_row(board, json_string_value(text), json_string_length(text), (int)row, (int)rows, rules,
                      error))
            return false;
    }
    return true;
}

// Rows with a line end between them; line ends behind the last one mean nothing.
static bool read_text(Board *board, const char *text, size_t length, const Rules *rules, Error *error) {
    json_t *list = json_array();
    bool done = list;
    while (length && text[length - 1] == '\n')
        length--;
    for (const char *end = text + length, *next; done && text < end; text = next + 1) {
        next = memchr(text, '\n', (size_t)(end - text));
        next = next ? next : end;
        done = !json_array_append_new(list, json_stringn_nocheck(text, (size_t)(next - text)));
    }
    done = done ? read_rows(board, list, rules, error) : error_set(error, "Out of memory for a board.");
    json_decref(list);
    return done;
}

static bool read_columns(Board *board, const json_t *list, const Rules *rules, Error *error) {
    if (json_array_size(list) != (size_t)rules->width)
        return error_set(error, "\"board\" has %zu columns; the board has %d.", json_array_size(list),
                         rules->width);
    for (int x = 0; x < rules->width; x++) {
        const json_t *number = json_array_get(list, (size_t)x);
        double value = json_is_number(number) ? json_number_value(number) : -1;
        if (!(value >= 0 && value < 4294967296.0 && value == floor(value)))
            return error_set(
                error,
                "Entry %d of \"board\" is not a column: give a whole number below 2^32, bit 0 the "
                "floor.",
                x + 1);
        board->column[x] = (uint32_t)value;
    }
    return true;
}

static bool read_board(Board *board, const json_t *value, const Rules *rules, Error *error) {
    *board = (Board){{0}};
    if (!value || (json_is_array(value) && !json_array_size(value)))
        return true;
    if (json_is_string(value))
        return read_text(board, json_string_value(value), json_string_length(value), rules, error);
    if (!json_is_array(value))
        return error_set(error, "\"board\" must be a text, a list of rows or a list of columns.");
    return json_is_string(json_array_get(value, 0)) ? read_rows(board, value, rules, error)
                                                    : read_columns(board, value, rules, error);
}

// ---------------------------------------------------------------------------------------------------
// Pieces

static bool add_letter(Question *question, const char *letter, size_t length, const char *what,
                       Error *error) {
    int piece = length == 1 && *letter ? piece_from_letter(*letter) : -1;
    if (piece < 0)
        return error_set(error, "%s: expected letters of pieces, O, I, S, Z, L, J and T.", what);
    if (question->pieces == QUESTION_PIECES)
        return error_set(error, "%s: more than %d pieces are known; give fewer.", what, QUESTION_PIECES);
    question->piece[question->pieces++] = (uint8_t)piece;
    return true;
}

bool question_letters(Question *question, const char *letters, const char *what, Error *error) {
    for (; *letters; letters++)
        if (!add_letter(question, letters, 1, what, error))
            return false;
    return true;
}

// A text or a list; null says nothing.
static bool read_pieces(Question *question, const json_t *value, const char *what, Error *error) {
    const char *text = json_string_value(value);
    size_t count = text ? json_string_length(value) : json_array_size(value);
    if (!text && !json_is_array(value) && !json_is_null(value))
        return error_set(error, "%s must be a text of letters or a list of them.", what);
    for (size_t i = 0; i < count; i++) { // one byte after the other, so that a 0 byte is no end
        const json_t *entry = json_array_get(value, i);
        if (!add_letter(question, text ? text + i : json_string_value(entry),
                        text ? 1 : json_string_length(entry), what, error))
            return false;
    }
    return true;
}

// What the line says takes the place of what was there; the pieces after the one in hand stay if it only
// says which that is.
static bool read_members(Question *question, const json_t *object, Error *error) {
    const json_t *piece = json_object_get(object, "piece"), *next = json_object_get(object, "next"),
                 *queue = json_object_get(object, "queue");
    if (queue && (piece || next))
        return error_set(error, "\"queue\" begins with the piece in hand: give it without \"piece\" and "
                                "\"next\".");
    if (queue) {
        question->pieces = 0;
        return read_pieces(question, queue, "\"queue\"", error);
    }
    Question before = *question;
    if (piece) {
        question->pieces = 0;
        if (!read_pieces(question, piece, "\"piece\"", error))
            return false;
        if (question->pieces != 1)
            return error_set(error, "\"piece\" must be one letter; those after it are \"next\".");
        for (int i = 1; i < before.pieces; i++)
            question->piece[question->pieces++] = before.piece[i];
    }
    if (!next)
        return true;
    if (!question->pieces)
        return error_set(error, "\"piece\" is missing: the piece in hand.");
    question->pieces = 1;
    return read_pieces(question, next, "\"next\"", error);
}

// ---------------------------------------------------------------------------------------------------

bool question_parse(Question *question, const char *text, size_t length, const Rules *rules, Error *error) {
    question->id[0] = 0;
    json_t *root = json_parse_line(text, length, error);
    if (!root)
        return false;
    bool good = (json_is_object(root) || error_set(error, "expected an object, {...}, found a list.")) &&
                json_find_id(question->id, root, text, length, error) &&
                fields_refuse_unknown(question_table, 1, root, "a question", NULL, error) &&
                read_board(&question->board, json_object_get(root, "board"), rules, error) &&
                read_members(question, root, error);
    json_decref(root);
    return good;
}

bool question_position(const Question *question, const Rules *rules, Position *position, Error *error) {
    if (!question->pieces)
        return error_set(error, "There is no piece: give it as \"piece\", or with --piece for all boards.");
    if (!position_check(rules, &question->board, error))
        return false;
    position_start(position, rules, &question->board);
    for (int i = 0; i < question->pieces; i++)
        position_add(position, question->piece[i]);
    position_seed(position);
    return true;
}
