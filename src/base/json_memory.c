// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool failed;

static void *watched(size_t size) {
    void *memory = malloc(size);
    if (!memory)
        atomic_store_explicit(&failed, true, memory_order_relaxed);
    return memory;
}

void json_memory_watch(void) {
    json_set_alloc_funcs(watched, free);
}

bool json_memory_failed(void) {
    return atomic_load_explicit(&failed, memory_order_relaxed);
}

char *json_text(const json_t *json, size_t flags) {
    char *text = json && !json_memory_failed() ? json_dumps(json, flags) : NULL;
    if (!json_memory_failed())
        return text;
    free(text);
    return NULL;
}

char *json_document(json_t *json, size_t digits) {
    char *text = json_text(json, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
    json_decref(json);
    size_t length = text ? strlen(text) : 0;
    char *longer = text ? realloc(text, length + 2) : NULL;
    if (longer)
        memcpy(longer + length, "\n", 2);
    else
        free(text);
    return longer;
}
