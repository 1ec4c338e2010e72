// SPDX-License-Identifier: GPL-3.0-or-later
// Takes requests, finds who answers them, and gives the answers back as texts.
#include <stdlib.h>
#include <string.h>

#include "base/fields_json.h"
#include "base/json_parse.h"
#include "base/text.h"
#include "web/web.h"

static char *room; // owned; the request, then the answer
static char *answer;

char *web_room(size_t length) {
    char *larger = length <= WEB_REQUEST_LIMIT ? realloc(room, length + 1) : NULL;
    if (larger)
        room = larger;
    return larger;
}

static const WebRequest *const tables[] = {web_about_requests, web_game_requests, web_match_requests,
                                           web_long_requests};
enum { TABLES = sizeof tables / sizeof *tables, MAX_REQUESTS = 32 };

static bool accepts_anything(const json_t *value) {
    return value;
}
const FieldType web_anything = {.accepts = accepts_anything, .must = "be there"};

typedef struct Kind {
    const char *name;
} Kind;
static const Field kind_field[] = {{"do", FIELD_STRING, FIELD_AT(Kind, name)}};
static const Fields kind_fields = FIELDS(kind_field);

static const WebRequest *find(const json_t *object, Error *error) {
    const char *names[MAX_REQUESTS];
    int count = 0;
    Kind kind;
    if (!fields_restore(kind_fields, &kind, object, FIELDS_ALL, NULL, NULL, error))
        return NULL;
    for (int t = 0; t < TABLES; t++)
        for (const WebRequest *request = tables[t]; request->name; request++) {
            if (!strcmp(request->name, kind.name))
                return request;
            if (count < MAX_REQUESTS)
                names[count++] = request->name;
        }
    char meant[TEXT_MEANT];
    return error_null(error, "There is no request \"%.60s\"%s", kind.name,
                      text_meant(meant, "\"", "\"", kind.name, names, count));
}

static json_t *serve(const json_t *object, Error *error) {
    const WebRequest *request = find(object, error);
    if (!request)
        return NULL;
    Fields known[] = {kind_fields, request->fields};
    void *asked = calloc(1, request->size + 1);
    json_t *result = NULL;
    if (asked)
        fields_preset(request->fields, asked);
    if (!asked)
        error_set(error, "Out of memory for the request.");
    else if (fields_restore(request->fields, asked, object, FIELDS_MAY_MISS, NULL, NULL, error) &&
             fields_refuse_unknown(known, 2, object, "this request", NULL, error))
        result = request->answer(asked, error);
    free(asked);
    return result;
}

const char *web_ask(size_t length) {
    Error error = {""};
    json_t *object = json_parse("request", room, length, &error);
    json_t *result = object ? serve(object, &error) : NULL;
    json_decref(object);
    if (!result) {
        result = json_object();
        json_object_set_new(result, "error", json_string(error.text));
    }
    free(answer);
    answer = json_dumps(result, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(result);
    return answer ? answer : "{\"error\":\"Out of memory for the answer.\"}";
}

void web_tell_json(json_t *json) {
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(json);
    if (text)
        web_tell(text, strlen(text));
    free(text);
}
