// SPDX-License-Identifier: GPL-3.0-or-later
// Detects failed allocations: jansson drops members silently. A program counts failed allocations from its
// start, and whoever writes JSON or reads lines of it asks once instead of after every member.
#ifndef TETRALAB_BASE_JSON_MEMORY_H
#define TETRALAB_BASE_JSON_MEMORY_H

#include <jansson.h>
#include <stdbool.h>

// For programs, before any JSON is made: a library must not change what other users of jansson have.
void json_memory_watch(void);

// <- was there an allocation that failed, since the watch began? It stays true.
bool json_memory_failed(void);

// <- the text of the value, as json_dumps makes it; free() it. NULL: no memory, now or when it was built
char *json_text(const json_t *json, size_t flags);

// <- the text of results: indented, a newline at the end; free() it. Takes the reference. NULL: as above
// -> digits  15, as commands write them: a number given with up to 15 comes out as it went in; 17: exact
char *json_document(json_t *json, size_t digits);

#endif
