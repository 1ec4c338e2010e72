// SPDX-License-Identifier: GPL-3.0-or-later
// Files that come with the program and are read when they are needed: the definitions of reproductions, the
// page.
#ifndef TETRALAB_BASE_DATA_FOLDER_H
#define TETRALAB_BASE_DATA_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { DATA_PATH = 4400 };

// Looks beside the program (a build folder), then where `make install` puts data: first by the way from the
// program, since an installed tree may be moved, then at the place that was configured.
// -> name  "reproductions", "web/index.html"
// <- its path, in out; NULL: it is in none of these places, which the error names
const char *data_find(const char *name, char out[DATA_PATH], Error *error);

// Reads all JSON files of such a folder, in the order of their names, numbers in them by their values.
// -> take  gets the path and the text of each; <- false: that is enough, the error says why
// <- false: also if the folder is not found, or a file cannot be read
typedef bool DataTaker(void *context, const char *path, const char *text, size_t length, Error *error);
bool data_read(const char *folder, DataTaker *take, void *context, Error *error);

#endif
