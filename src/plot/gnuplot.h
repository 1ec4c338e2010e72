// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures by the program gnuplot: a script goes in, a file comes out.
//
// gnuplot is found on PATH and started directly, never through a shell, without the user's settings. It reads
// the script from its standard input and prints the picture, which is then written whole or not at all, so
// that no file name ever stands in a script.
#ifndef TETRALAB_PLOT_GNUPLOT_H
#define TETRALAB_PLOT_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

// Does the name end in one of these: .svg, .png, .pdf or .eps?
bool gnuplot_knows(const char *path);

// Can a picture be written to this file: is it named so, and is there room beside it? To be asked before
// the work that the picture is to show.
bool gnuplot_check(const char *path, Error *error);

// <- out: the text as a gnuplot string that means exactly this text: nothing in it is a command, a format or
// mark-up. -> text  UTF-8 without control characters, up to half as long as `out`, as all texts of a Plot are
enum { GNUPLOT_TEXT = 1024 };
const char *gnuplot_string(const char *text, char out[GNUPLOT_TEXT]);

// The first lines of a script: what the ending of `path` asks for, size in pixels, font.
void gnuplot_begin(FILE *script, const char *path, int width, int height);

// Draws. Without gnuplot, or when it fails, the script is kept in PATH.gnuplot and the error says so.
bool gnuplot_draw(const char *path, const char *script, size_t length, Error *error);

#endif
