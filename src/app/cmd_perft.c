// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab perft: how many sequences of placements there are, by depth and first piece.
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/table.h"
#include "base/fields_json.h"
#include "base/text.h"
#include "game/perft.h"

typedef struct PerftOptions {
    AppOptions app;
    uint64_t depth;
    const char *piece, *from;
} PerftOptions;

// Which pieces occur in the sequences: those with a weight. Laws with a memory have no such tree.
static bool choose_pieces(const PerftOptions *options, unsigned *pieces, int *first, Error *error) {
    const PieceSource *source = &options->app.rules.pieces;
    *pieces = 0;
    *first = -1;
    if (source->law != PIECES_INDEPENDENT)
        return error_set(
            error, "perft counts independent pieces, so --pieces must be uniform, hard, sz or weights.");
    for (int piece = 0; piece < PIECES; piece++)
        *pieces |= (unsigned)(source->weight[piece] > 0) << piece;
    if (!options->piece)
        return true;
    *first = strlen(options->piece) == 1 ? piece_from_letter(options->piece[0]) : -1;
    if (*first < 0)
        return error_set(error, "--piece %.20s: expected one letter of OISZLJT.", options->piece);
    if (!(*pieces >> *first & 1))
        return error_set(error, "--piece %c: this piece never comes with --pieces %.100s.",
                         piece_letter[*first], source->name);
    return true;
}

// Reads the first board of the file.
static bool read_start(const char *path, const Rules *rules, Board *board, Error *error) {
    size_t length;
    char *text = text_read_file(path, &length, error);
    if (!text)
        return false;
    Reader reader = reader_start(path, text, strlen(text), error);
    int status = board_read(&reader, rules->width, rules->height, board);
    free(text);
    return status == 0 ? error_set(error, "%.200s: there is no board in this file.", path) : status > 0;
}

static void add_row(Table *table, int depth, const char *piece, const PerftCount *count) {
    table_cell(table, "%d", depth);
    table_cell(table, "%s", piece);
    table_grouped(table, count->sequences);
    table_grouped(table, count->lines);
    table_grouped(table, count->ended);
    fflush(stdout);
}

static json_t *count_json(const PerftCount *count) {
    return json_pack("{s:I, s:I, s:I}", "sequences", (json_int_t)count->sequences, "lines",
                     (json_int_t)count->lines, "ended", (json_int_t)count->ended);
}

// One depth: a row for each first piece and one for all of them. -> table  NULL: none is wanted
static json_t *run_depth(const Rules *rules, const Board *board, unsigned pieces, int first, int depth,
                         Table *table) {
    PerftCount all = {0};
    json_t *by_piece = json_object();
    for (int piece = 0; piece < PIECES; piece++) {
        if (!(pieces >> piece & 1) || (first >= 0 && piece != first))
            continue;
        char letter[2] = {piece_letter[piece], 0};
        PerftCount count = perft_count(rules, board, pieces, piece, depth);
        json_object_set_new(by_piece, letter, count_json(&count));
        all.sequences += count.sequences;
        all.lines += count.lines;
        all.ended += count.ended;
        if (table)
            add_row(table, depth, letter, &count);
    }
    if (table && first < 0)
        add_row(table, depth, "all", &all);
    json_t *object = count_json(&all);
    json_object_set_new(object, "depth", json_integer(depth));
    json_object_set_new(object, "first", by_piece);
    return object;
}

static json_t *run_all(const PerftOptions *options, const Board *board, unsigned pieces, int first) {
    static const TableColumn columns[] = {
        {"depth", 5}, {"first", -5}, {"sequences", 22}, {"lines", 20}, {"ended", 20}};
    Table table = {.out = stdout};
    json_t *depths = json_array(), *object = json_object();
    fields_save(rules_fields, &options->app.rules, object);
    if (!options->app.quiet)
        TABLE_HEAD(&table, columns);
    for (int depth = 1; depth <= (int)options->depth; depth++)
        json_array_append_new(depths, run_depth(&options->app.rules, board, pieces, first, depth,
                                                options->app.quiet ? NULL : &table));
    json_object_set_new(object, "depths", depths);
    return object;
}

static const Field perft_field[] = {
    {"depth", FIELD_WHOLE, FIELD_AT(PerftOptions, depth), .preset = 2, .least = 1, .most = PERFT_MAX_DEPTH,
     .argument = "D",
     .help = "Count sequences of 1 up to D placements; each step takes about 162 times as long as the one "
             "before."},
    {"piece", FIELD_STRING, FIELD_AT(PerftOptions, piece), .preset = NAN, .otherwise = "all", .argument = "P",
     .help = "Only sequences whose first piece is P, one of OISZLJT."},
    {"from", FIELD_STRING, FIELD_AT(PerftOptions, from), .preset = NAN, .otherwise = "the empty board",
     .file = FIELD_READS, .argument = "FILE", .help = "Start from the first board in FILE."},
    {APP_JSON,
     .help = "Also write the counts as JSON to FILE; - writes them to standard output instead of the table."},
};

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const PerftOptions *options = chosen;
    Board board = {{0}};
    unsigned pieces;
    int first;
    if (arguments->operands > 0)
        error_set(error, "perft takes options only: give the depth as --depth 3.");
    if (arguments->operands > 0 || !rules_check(&options->app.rules, error) ||
        !choose_pieces(options, &pieces, &first, error))
        return EXIT_USAGE;
    if (options->from && !read_start(options->from, &options->app.rules, &board, error))
        return EXIT_FAILED;
    json_t *json = run_all(options, &board, pieces, first);
    return app_write_json(json, options->app.json, error) ? EXIT_DONE : EXIT_FAILED;
}

const Command command_perft = COMMAND(
    "perft", "", PerftOptions, perft_field, "Count sequences of placements by depth, to compare programs",
    "sequences: how many there are in which no placement ends the game; lines: the rows\n"
    "that their last placements remove; ended: how many end with the last placement.\n",
    .has_rules = true);
