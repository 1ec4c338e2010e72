// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of boards for reproductions, which need no axes and no gnuplot: "boards", those of a text, and
// "game", a recorded game move by move.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "picture/boards.h"
#include "reproduce/drawing.h"
#include "reproduce/drawing_kinds.h"

enum { MAX_MOVES = 120 };

bool drawing_shows_boards(const Definition *definition) {
    DrawingKeys keys;
    return drawing_panels(definition) == 1 && drawing_read(&keys, definition, 0, NULL) &&
           keys.kind >= DRAWING_BOARDS;
}

static bool make_scene(Scene *scene, DrawingKind kind, const char *path, const char *text, Error *error) {
    Record record;
    if (kind == DRAWING_BOARDS)
        return boards_scene_text(scene, &(BoardsPlan){.from = 0}, path, text, error);
    bool good = record_parse(&record, path, text, strlen(text), error) &&
                boards_scene_record(scene, &(BoardsPlan){.from = 1, .to = MAX_MOVES}, path, &record, error);
    record_free(&record);
    return good;
}

char *drawing_boards(const Definition *definition, const char *scale, const char *dir, size_t *length,
                     Error *error) {
    DrawingKeys keys;
    Scene scene = {0};
    char *svg = NULL, *text = NULL;
    if (!drawing_read(&keys, definition, 0, error))
        return NULL;
    char *path = definition_expand(definition, scale, keys.file, dir, 0);
    if (!path)
        error_set(error, "Out of memory for the picture of %s.", definition->name);
    else if (access(path, F_OK))
        error_set(error, "%s: there is nothing to draw yet: its \"file\" is not there.", definition->name);
    else
        text = text_read_file(path, length, error);
    if (text && make_scene(&scene, keys.kind, path, text, error))
        svg = scene_svg(&scene, length, error);
    scene_free(&scene);
    free(text);
    free(path);
    return svg;
}
