// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab draw: boards, recorded games and matches as pictures.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/app.h"
#include "base/text.h"
#include "picture/boards.h"

typedef enum DrawFormat { DRAW_SVG, DRAW_PNG, DRAW_GIF } DrawFormat;
static const char *const format_words[] = {"svg", "png", "gif", NULL};

typedef struct DrawOptions {
    AppOptions app;
    const char *out;
    int format; // a DrawFormat; -1: by the name of the file
    uint64_t from, to, last, cell, beside;
    double speed;
    bool dark;
} DrawOptions;

enum { LAST_ROUNDS = 12, LAST_FRAMES = 200 };

static const Field draw_field[] = {
    {"out", APP_OUTPUT(FIELD_AT(DrawOptions, out)),
     .help = "Where the picture goes; its ending says what it is: .svg, .png or .gif, a film. - writes it to "
             "standard output."},
    {"format", FIELD_WORD, FIELD_AT(DrawOptions, format), .words = format_words, .preset = NAN,
     .otherwise = "by the ending of --out", .argument = "KIND",
     .help = "What to write, whatever the ending."},
    {"last", FIELD_WHOLE, FIELD_AT(DrawOptions, last), .preset = NAN, .otherwise = "12; 200 for a film",
     .least = 1, .most = BOARDS_MAX_FRAMES, .argument = "N",
     .help = "Of a recorded game, the last N moves; of a match, the last N rounds."},
    {"from", FIELD_WHOLE, FIELD_AT(DrawOptions, from), .preset = NAN, .otherwise = "see --last",
     .argument = "K", .help = "Instead of --last: from move K on; 0 is the empty board."},
    {"to", FIELD_WHOLE, FIELD_AT(DrawOptions, to), .preset = INFINITY, .otherwise = "the end",
     .argument = "K", .help = "Up to move K. With the same K for both, that move alone."},
    {"cell", FIELD_WHOLE, FIELD_AT(DrawOptions, cell), .preset = NAN, .otherwise = "20; 10 for many boards",
     .least = BOARDS_LEAST_CELL, .most = BOARDS_MAX_CELL, .argument = "PIXELS",
     .help = "The side of a cell."},
    {"beside", FIELD_WHOLE, FIELD_AT(DrawOptions, beside), .preset = NAN, .otherwise = "as it fits",
     .least = 1, .most = BOARDS_MAX, .argument = "N", .help = "Boards in one row of the picture."},
    {"speed", FIELD_REAL, FIELD_AT(DrawOptions, speed), .preset = 5, .least = 0.1, .most = 50,
     .argument = "V", .help = "Moves a second of a film."},
    {"dark", FIELD_FLAG, FIELD_AT(DrawOptions, dark), .help = "Bright on dark paper."},
};

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), size = strlen(ending);
    return length > size && path[length - size - 1] == '.' && !strcasecmp(path + length - size, ending);
}

// <-> format  SVG where nothing says otherwise
static bool choose_format(const DrawOptions *options, DrawFormat *format, Error *error) {
    if (!options->out)
        return error_set(error, "say where the picture goes: --out game.svg, game.png or game.gif.");
    if (options->format >= 0)
        *format = (DrawFormat)options->format;
    if (options->format >= 0 || !strcmp(options->out, "-"))
        return true;
    for (int i = 0; format_words[i]; i++)
        if (ends_with(options->out, format_words[i])) {
            *format = (DrawFormat)i;
            return true;
        }
    return error_set(error,
                     "--out %.200s: the name must end in .svg, .png or .gif, or --format say which it is.",
                     options->out);
}

// Which rounds of a record: the last ones, unless the first one is given.
static BoardsPlan plan_of(const DrawOptions *options, const Arguments *arguments, DrawFormat format,
                          uint64_t rounds) {
    uint64_t to = options->to < rounds ? options->to : rounds;
    uint64_t last = options->last ? options->last : format == DRAW_GIF ? LAST_FRAMES : LAST_ROUNDS;
    uint64_t from = to > last ? to - last + 1 : 1;
    return (BoardsPlan){.from = arguments_given(arguments, "from") ? options->from
                                : from < to                        ? from
                                                                   : to,
                        .to = options->to,
                        .cell = (int)options->cell,
                        .beside = (int)options->beside,
                        .speed = options->speed,
                        .dark = options->dark};
}

static char *encode(const Scene *scene, DrawFormat format, size_t *length, Error *error) {
    return format == DRAW_PNG ? scene_png(scene, length, error) : scene_svg(scene, length, error);
}

static char *draw_boards(const char *name, const char *text, const BoardsPlan *plan, DrawFormat format,
                         size_t *length, Error *error) {
    Scene scene = {0};
    char *bytes = NULL;
    if (format == DRAW_GIF)
        error_set(error,
                  "%.200s holds boards; a film (.gif) is made of a recorded game: 'tetralab play "
                  "STRATEGY --record FILE'.",
                  name);
    else if (boards_scene_text(&scene, plan, name, text, error))
        bytes = encode(&scene, format, length, error);
    scene_free(&scene);
    return bytes;
}

static char *draw_record(const char *name, const Record *record, const BoardsPlan *plan, DrawFormat format,
                         size_t *length, Error *error) {
    Scene scene = {0};
    char *bytes = NULL;
    if (format == DRAW_GIF)
        return boards_film(plan, name, record, length, error);
    if (boards_scene_record(&scene, plan, name, record, error))
        bytes = encode(&scene, format, length, error);
    scene_free(&scene);
    return bytes;
}

// <- the bytes of the picture; NULL: failed
static char *draw(const DrawOptions *options, const Arguments *arguments, DrawFormat format, size_t *length,
                  Error *error) {
    const char *name = arguments->operand[0];
    size_t size;
    char *bytes = NULL, *text = text_read_file(name, &size, error);
    Record record;
    if (!text)
        return NULL;
    if (strncmp(text, "tetralab record", strlen("tetralab record"))) {
        BoardsPlan plan = plan_of(options, arguments, format, 0);
        bytes = draw_boards(name, text, &plan, format, length, error);
    } else {
        if (record_parse(&record, name, text, size, error)) {
            BoardsPlan plan = plan_of(options, arguments, format, record.rounds);
            bytes = draw_record(name, &record, &plan, format, length, error);
        }
        record_free(&record);
    }
    free(text);
    return bytes;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const DrawOptions *options = chosen;
    DrawFormat format = DRAW_SVG;
    size_t length;
    if (arguments->operands != 1)
        error_set(error, "name one file: boards as text, or a game recorded by 'tetralab play STRATEGY "
                         "--record FILE'.");
    if (arguments->operands != 1 || !choose_format(options, &format, error))
        return EXIT_USAGE;
    if (arguments_given(arguments, "from") && arguments_given(arguments, "last")) {
        error_set(error, "--from and --last both say where to begin: give one of them.");
        return EXIT_USAGE;
    }
    char *bytes = draw(options, arguments, format, &length, error);
    bool good = bytes && text_write_file(options->out, bytes, length, error);
    free(bytes);
    return good ? EXIT_DONE : EXIT_FAILED;
}

const Command command_draw =
    COMMAND("draw", "FILE", DrawOptions, draw_field,
            "Draw boards or a recorded game or match as SVG, PNG or animated GIF",
            "FILE holds boards (rows of '#' and '.', from the top, blank lines between them)\n"
            "or what 'play --record' or 'versus --record' wrote. Pieces are shown where they\n"
            "come to rest, before full rows are removed; the piece placed last is outlined.\n");
