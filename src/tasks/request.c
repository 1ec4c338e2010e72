// SPDX-License-Identifier: GPL-3.0-or-later
// Reads request lines, which come from other people's programs: everything is checked.
#include "tasks/request.h"

#include <math.h>

#include "base/fields_json.h"
#include "base/json_parse.h"

static const Field request_field[] = {
    {"seed", FIELD_WHOLE, FIELD_AT(Request, seed)},
    {"first", FIELD_WHOLE, FIELD_AT(Request, first), .most = 0x1p53},
    {"games", FIELD_WHOLE, FIELD_AT(Request, games), .least = 1, .most = REQUEST_MAX_GAMES},
    {"describe", FIELD_FLAG, FIELD_AT(Request, describe)},
    {"recommend", FIELD_FLAG, FIELD_AT(Request, recommend)},
};
static const Field other_field[] = {{"id", FIELD_JSON}, {"weights", FIELD_JSON}}; // read by hand
static const Fields request_tables[] = {FIELDS(request_field), FIELDS(other_field)};

static bool read_vector(Request *request, const json_t *list, int size, Error *error) {
    if (!json_is_array(list))
        return error_set(error, "\"weights\" must be a list of %d numbers.", size);
    if (json_array_size(list) != (size_t)size)
        return error_set(
            error, "The vector has %zu number%s, but needs %d; {\"describe\": true} tells what they are.",
            json_array_size(list), json_array_size(list) == 1 ? "" : "s", size);
    for (int i = 0; i < size; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        if (!json_is_number(value))
            return error_set(error, "Entry %d of the vector is not a number.", i + 1);
        request->vector[i] = json_number_value(value);
        if (!(fabs(request->vector[i]) <= STRATEGY_WEIGHT_LIMIT))
            return error_set(error, "Entry %d of the vector is %g; it must lie between %g and %g.", i + 1,
                             request->vector[i], -STRATEGY_WEIGHT_LIMIT, STRATEGY_WEIGHT_LIMIT);
    }
    return true;
}

static bool read_object(Request *request, const json_t *object, int size, Error *error) {
    const json_t *weights = json_object_get(object, "weights");
    if (!fields_refuse_unknown(request_tables, 2, object, "a request", NULL, error) ||
        !fields_restore(request_tables[0], request, object, FIELDS_MAY_MISS, NULL, NULL, error))
        return false;
    if (request->describe)
        return !weights || error_set(error, "\"describe\" and \"weights\" exclude each other.");
    if (!weights)
        return error_set(error, "\"weights\" is missing: a list of %d numbers.", size);
    return read_vector(request, weights, size, error);
}

bool request_parse(Request *request, const char *text, size_t length, int size, Error *error) {
    request->id[0] = 0;
    request->describe = request->recommend = false;
    json_t *root = json_parse_line(text, length, error);
    if (!root)
        return false;
    bool good = json_is_array(root) ? read_vector(request, root, size, error)
                                    : json_find_id(request->id, root, text, length, error) &&
                                          read_object(request, root, size, error);
    json_decref(root);
    return good;
}
