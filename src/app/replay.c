// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replay.h"

#include <inttypes.h>

#include "app/draw.h"
#include "app/versus_report.h"
#include "base/fields_json.h"
#include "base/utf8.h"
#include "game/record.h"

static json_t *record_json(const Record *record, const Match *match) {
    json_t *object = json_object(), *players = json_array();
    for (int s = 0; s < record->seats; s++) {
        json_t *player = json_object();
        json_object_set_new(player, "strategy", json_name(record->player[s]));
        json_object_set_new(player, "pieces", json_whole(match->game[s].pieces));
        json_object_set_new(player, "lines", json_whole(match->game[s].lines));
        json_object_set_new(player, "attack_rows_sent", json_whole(match->seat[s].sent));
        json_object_set_new(player, "attack_rows_received", json_whole(match->seat[s].received));
        json_array_append_new(players, player);
    }
    if (record->seats == 1) { // a game: as `play` has it
        static const char *const ends[] = {[GAME_RUNNING] = "running",
                                           [GAME_OVER] = "lost",
                                           [GAME_NO_PIECES] = "no more pieces",
                                           [GAME_STOPPED] = "stopped"};
        json_object_update(object, json_array_get(players, 0));
        json_object_set_new(object, "end", json_string(ends[match->game[0].state]));
    }
    json_object_set_new(object, "winner", json_integer(match->winner + 1));
    json_object_set_new(object, "rounds", json_whole(match->rounds));
    json_object_set_new(object, "players", players);
    json_object_set_new(object, "sequence", json_string(match_sequence_words[record->sequence]));
    fields_save(rules_fields, &record->rules, object);
    json_object_set_new(object, "seed", json_whole(record->seed));
    json_object_set_new(object, "game", json_whole(record->number));
    return object;
}

static void draw_boards(const Record *record, const Match *match) {
    const char *names[MATCH_MAX_SEATS];
    for (int s = 0; s < record->seats; s++)
        names[s] = record->player[s];
    if (record->seats == 1) {
        draw_game(stdout, &match->game[0], match->rules);
        return;
    }
    versus_draw(stdout, match, names);
    if (match->end == MATCH_RUNNING)
        return;
    putchar('\n');
    versus_print_end(stdout, match, names);
}

static void show_round(void *context, const Match *match) {
    if (match->end != MATCH_RUNNING)
        return;
    printf("Round %" PRIu64 "\n\n", match->rounds);
    draw_boards(context, match);
    putchar('\n');
}

static bool show(const char *path, const AppOptions *options, bool steps, Error *error) {
    Record record;
    Match match;
    bool good = record_read(&record, path, error);
    if (good && !options->quiet) {
        if (record.seats == 1)
            utf8_print(stdout, "%s, seed %" PRIu64 ", game %" PRIu64 "\n\n", record.player[0], record.seed,
                       record.number);
        else
            printf("Seed %" PRIu64 ", match %" PRIu64 "\n\n", record.seed, record.number);
        record_play(&record, &match, steps ? show_round : NULL, &record);
        draw_boards(&record, &match);
    }
    if (good && options->json) {
        record_play(&record, &match, NULL, NULL);
        good = app_write_json(record_json(&record, &match), options->json, error);
    }
    record_free(&record);
    return good;
}

// A record is shown as it was played: neither strategies nor options that would play otherwise go with it.
static bool check_usage(const Arguments *arguments, Error *error) {
    char option[FIELD_OPTION_NAME];
    const char *other = arguments_beyond(arguments, " replay json show ", option);
    if (arguments->operands)
        return error_set(error, "--replay shows what was recorded: it goes without strategies.");
    return !other ||
           error_set(error, "--replay shows what was recorded: only --json and --show go with it, not %s.",
                     other);
}

int replay_run(const Arguments *arguments, const char *path, const AppOptions *options, bool steps,
               Error *error) {
    if (!check_usage(arguments, error))
        return EXIT_USAGE;
    return show(path, options, steps, error) ? EXIT_DONE : EXIT_FAILED;
}
