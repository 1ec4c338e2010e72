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

// What is shown round by round: the boards before the last one, and the pieces put down there.
typedef struct Shown {
    const Record *record;
    Board board[MATCH_MAX_SEATS];
    int piece[MATCH_MAX_SEATS];
    bool alive[MATCH_MAX_SEATS];
} Shown;

// -> moves  NULL: the boards alone
static void draw_boards(const Record *record, const Match *match, const DrawnMove *moves) {
    const char *names[MATCH_MAX_SEATS];
    for (int s = 0; s < record->seats; s++)
        names[s] = record->player[s];
    if (record->seats == 1)
        draw_game(stdout, &match->game[0], moves, match->rules);
    else
        versus_draw(stdout, match, moves, names);
    if (record->seats == 1 || match->end == MATCH_RUNNING)
        return;
    putchar('\n');
    versus_print_end(stdout, match, names);
}

// The move of a seat in the last round; a seat that made none has its board.
static DrawnMove last_move(const Shown *shown, const Match *match, int s, Move *move) {
    Placement placement = shown->record->move[(match->rounds - 1) * (size_t)match->seats + (size_t)s];
    bool moved = shown->alive[s] && placement >= 0 &&
                 moves_find(match->rules, &shown->board[s], shown->piece[s], placement, move);
    return (DrawnMove){moved ? &shown->board[s] : &match->game[s].board, shown->piece[s],
                       moved ? move : NULL};
}

static void show_round(void *context, const Match *match) {
    Shown *shown = context;
    DrawnMove drawn[MATCH_MAX_SEATS];
    Move move[MATCH_MAX_SEATS];
    for (int s = 0; s < match->seats && match->rounds; s++)
        drawn[s] = last_move(shown, match, s, &move[s]);
    if (match->end == MATCH_RUNNING || match->rounds) {
        printf("Round %" PRIu64 "\n\n", match->rounds);
        Match running = *match;
        running.end = MATCH_RUNNING; // the end is told below the last boards
        draw_boards(shown->record, &running, match->rounds ? drawn : NULL);
        putchar('\n');
    }
    for (int s = 0; s < match->seats; s++) {
        shown->board[s] = match->game[s].board;
        shown->piece[s] = match->game[s].piece;
        shown->alive[s] = match_is_alive(match, s);
    }
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
        record_play(&record, &match, steps ? show_round : NULL, &(Shown){.record = &record});
        if (steps)
            puts("The end\n");
        draw_boards(&record, &match, NULL);
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
