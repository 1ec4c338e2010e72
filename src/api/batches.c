// SPDX-License-Identifier: GPL-3.0-or-later
// Batches of games for the public interface: settings by name, arrays by name, checks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/batch.h"
#include "api/batch_arrays.h"
#include "base/text.h"
#include "learn/encoding.h"

_Static_assert((int)TETRALAB_MAX_BATCH == BATCH_MAX_GAMES,
               "the limits of tetralab.h are those of the library");

enum { FEATURES_TEXT = TETRALAB_MAX_VALUE };

struct tetralab_batch {
    tetralab_rules rules; // its own copy, which `batch` uses
    Batch *batch;
    char features[FEATURES_TEXT]; // as the user wrote them
};

tetralab_batch *tetralab_batch_new(const tetralab_rules *rules, size_t games, tetralab_error *error) {
    if (!rules_check(&rules->rules, api_error(error)))
        return NULL;
    tetralab_batch *handle = calloc(1, sizeof *handle);
    if (!handle)
        return error_null(api_error(error), "Out of memory for a batch.");
    if (api_copy_rules(&handle->rules, rules, api_error(error))) {
        handle->batch = batch_new(&handle->rules.rules, rules->max_pieces, games, api_error(error));
        if (handle->batch)
            return handle;
    }
    tetralab_batch_free(handle);
    return NULL;
}

void tetralab_batch_free(tetralab_batch *batch) {
    if (!batch)
        return;
    batch_free(batch->batch);
    rules_free(&batch->rules.rules);
    free(batch);
}

// ---- settings: those of the plan, then the features

static const char features_name[] = "features";

static bool set_features(tetralab_batch *batch, const char *text, Error *error) {
    Encoding encoding;
    encoding_defaults(&encoding, batch->rules.rules.width);
    encoding.features = 0;
    if (strlen(text) >= FEATURES_TEXT)
        return error_set(error,
                         "The list of features has %zu characters: give at most %d, or the name of a set.",
                         strlen(text), FEATURES_TEXT - 1);
    bool none = !strcmp(text, "none");
    if (!(none || encoding_set_features(&encoding, text, error)) ||
        !batch_set_features(batch->batch, encoding.feature, encoding.features, error))
        return false;
    snprintf(batch->features, sizeof batch->features, "%s", none ? "" : text);
    return true;
}

const char *tetralab_batch_setting(int index) {
    return index < 0                     ? NULL
           : index < batch_fields.count  ? batch_fields.field[index].key
           : index == batch_fields.count ? features_name
                                         : NULL;
}

static bool refuse_setting(const char *name, Error *error) {
    const char *names[32];
    int count = 0;
    while ((names[count] = tetralab_batch_setting(count)))
        count++;
    return error_set(error, "A batch has no setting \"%.60s\"%s", name,
                     text_meant((char[TEXT_MEANT]){0}, "\"", "\"", name, names, count));
}

bool tetralab_batch_set(tetralab_batch *batch, const char *name, const char *value, tetralab_error *error) {
    const Field *field = fields_find(batch_fields, name);
    BatchPlan plan = batch->batch->plan;
    Error reason = {""};
    if (!field && strcmp(name, features_name))
        return refuse_setting(name, api_error(error));
    if (!(field ? field_parse(field, &plan, value, &reason) : set_features(batch, value, &reason)))
        return error_set(api_error(error), "%s: %s", name, reason.text);
    if (field)
        batch_set_plan(batch->batch, &plan);
    return true;
}

bool tetralab_batch_get(const tetralab_batch *batch, const char *name, char *value, tetralab_error *error) {
    const Field *field = fields_find(batch_fields, name);
    char text[FIELD_PRINTED];
    if (field)
        snprintf(value, TETRALAB_MAX_VALUE, "%.*s", TETRALAB_MAX_VALUE - 1,
                 field_print(field, &batch->batch->plan, text));
    else if (!strcmp(name, features_name))
        snprintf(value, TETRALAB_MAX_VALUE, "%s", *batch->features ? batch->features : "none");
    else
        return refuse_setting(name, api_error(error));
    return true;
}

// ---- arrays

bool tetralab_batch_array(const tetralab_batch *batch, int index, tetralab_array *array) {
    const BatchArray *known = batch_array(index);
    if (!known)
        return false;
    BatchShape shape = known->shape(batch->batch);
    *array = (tetralab_array){.name = known->name,
                              .type = array_type_name(known->type),
                              .meaning = known->meaning,
                              .dimensions = 1 + shape.dimensions,
                              .shape = {batch->batch->games, (size_t)shape.size[0], (size_t)shape.size[1]},
                              .bytes = batch->batch->games * batch_array_bytes(batch->batch, known),
                              .has_final = known->observed};
    return true;
}

bool tetralab_batch_bind(tetralab_batch *batch, const char *name, void *data, size_t bytes,
                         tetralab_error *error) {
    return batch_bind(batch->batch, name, data, bytes, api_error(error));
}

// ---- games

void tetralab_batch_reset(tetralab_batch *batch, const uint64_t *seeds, const uint64_t *numbers,
                          const uint8_t *chosen) {
    batch_reset(batch->batch, seeds, numbers, chosen);
}

bool tetralab_batch_step(tetralab_batch *batch, const int64_t *actions, tetralab_error *error) {
    return batch_step(batch->batch, actions, api_error(error));
}

bool tetralab_batch_play(tetralab_batch *batch, const tetralab_player *player, tetralab_error *error) {
    return batch_play(batch->batch, player->player, api_error(error));
}

bool tetralab_batch_choose(tetralab_batch *batch, const tetralab_player *player, int64_t *actions,
                           tetralab_error *error) {
    return batch_choose(batch->batch, player->player, actions, api_error(error));
}

void tetralab_batch_write(const tetralab_batch *batch) {
    batch_write(batch->batch, 0, batch->batch->games);
}
