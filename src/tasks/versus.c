// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/versus.h"

#include <inttypes.h>
#include <math.h>

#include "base/fields_json.h"
#include "measure/results_json.h"

enum { DEFAULT_ROUNDS = 100000 };
_Static_assert((int)DEFAULT_ROUNDS <= (int)RECORD_MAX_ROUNDS, "by default any match can be recorded");

// ---------------------------------------------------------------------------------------------------
// Settings

static const Field versus_field[] = {
    {"games", FIELD_WHOLE, FIELD_AT(VersusSettings, games), .preset = 100, .least = 1, .most = MATCHES_MAX,
     .argument = "N", .help = "Play N matches."},
    {"sequence", FIELD_WORD, FIELD_AT(VersusSettings, sequence), .words = match_sequence_words,
     .argument = "WHICH", .help = "same: all players of a match get the same pieces; own: each its own."},
    {"max-rounds", FIELD_WHOLE, FIELD_AT(VersusSettings, max_rounds), .preset = DEFAULT_ROUNDS, .least = 1,
     .most = MATCHES_MAX_ROUNDS, .argument = "N",
     .help = "End a match after N moves of each player; nobody has won it then."},
    {"move-time", FIELD_OTHER, FIELD_AT(VersusSettings, move_time), .preset = NAN, .type = &field_seconds,
     .otherwise = "no limit", .argument = "T",
     .help = "A player that takes longer than T for a move, such as 50ms or 2s, loses the match. The result "
             "then depends on the machine."},
    {"match", FIELD_WHOLE, FIELD_AT(VersusSettings, match), .preset = NAN, .otherwise = "1", .least = 1,
     .most = MATCHES_MAX, .argument = "K", .help = "The match that --record and --show are about."},
    {"record", FIELD_STRING, FIELD_AT(VersusSettings, record), .file = FIELD_WRITES, .preset = NAN,
     .otherwise = "none", .argument = "FILE", .help = "Also write match K to FILE."},
};
const Fields versus_fields = FIELDS(versus_field);

static bool check_match(const VersusSettings *settings, bool shows, Error *error) {
    if (settings->match && !settings->record && !shows)
        return error_set(error, "--match does nothing without --record or --show.");
    if (settings->match > settings->games)
        return error_set(error, "--match %" PRIu64 " is not among the matches 1 to %" PRIu64 ".",
                         settings->match, settings->games);
    if (settings->record && settings->max_rounds > RECORD_MAX_ROUNDS)
        return error_set(error, "a recorded match has at most %d rounds: lower --max-rounds.",
                         RECORD_MAX_ROUNDS);
    return true;
}

bool versus_check(const VersusSettings *settings, int players, const Rules *rules, bool shows, Error *error) {
    if (players < MATCH_LEAST_SEATS)
        return error_set(error, "name at least two strategies, as in tetralab versus fahey bcts.");
    if (players > MATCH_MAX_SEATS)
        return error_set(error, "%d players are too many; at most %d play in a match.", players,
                         MATCH_MAX_SEATS);
    if (settings->sequence == MATCH_OWN && rules->pieces.law == PIECES_RECORDED)
        return error_set(error, "a file of pieces is the same for all players: leave out --sequence own.");
    return check_match(settings, shows, error) && rules_check(rules, error);
}

MatchesPlan versus_plan(const VersusSettings *settings, const Player *const *player, int players,
                        uint64_t seed, int jobs) {
    return (MatchesPlan){.player = player,
                         .players = players,
                         .seed = seed,
                         .matches = settings->games,
                         .sequence = settings->sequence,
                         .max_rounds = settings->max_rounds,
                         .move_time = settings->move_time,
                         .work.jobs = jobs,
                         .kept = settings->match ? settings->match : 1,
                         .record = settings->record != NULL};
}

// ---------------------------------------------------------------------------------------------------
// JSON

static json_t *player_json(const VersusReport *report, int s) {
    const PlayerTotal *total = &report->matches->total[s];
    double matches = (double)report->matches->ended;
    json_t *object = json_object(), *rows = json_array();
    json_object_set_new(object, "strategy", json_name(player_strategy(report->plan->player[s])->name));
    json_object_set_new(object, "wins", json_whole(total->wins));
    json_object_set_new(object, "ci95", interval_json(matches_interval(total->wins, report->matches->ended)));
    const struct {
        const char *name;
        uint64_t sum;
    } means[] = {{"mean_pieces", total->pieces},
                 {"mean_lines", total->lines},
                 {"mean_attack_rows_sent", total->sent},
                 {"mean_attack_rows_received", total->received}};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        json_object_set_new(object, means[i].name, json_real((double)means[i].sum / matches));
    for (int n = 1; n < MATCH_ROWS; n++)
        json_array_append_new(rows, json_whole(total->moves[n]));
    json_object_set_new(object, "moves_by_rows", rows);
    json_object_set_new(object, "lost_by_time", json_whole(total->late));
    json_object_set_new(object, "seconds_per_move",
                        total->choices ? json_real(total->seconds / (double)total->choices) : json_null());
    return object;
}

// The winner of every match, 1 being the first player, 0 nobody, null a match that was not played to its end.
static void add_outcomes(json_t *object, const Matches *matches) {
    json_t *winners = json_array(), *rounds = json_array();
    for (uint64_t i = 0; i < matches->matches; i++) {
        const MatchOutcome *outcome = &matches->outcome[i];
        bool ended = outcome->end != MATCH_RUNNING;
        json_array_append_new(winners, ended ? json_integer(outcome->winner + 1) : json_null());
        json_array_append_new(rounds, ended ? json_integer(outcome->rounds) : json_null());
    }
    json_object_set_new(object, "winners", winners);
    json_object_set_new(object, "rounds", rounds);
}

const ResultMember versus_result[] = {
    {"games", "matches", "Those that ended.", RESULT_FIRST},
    {"wins", "matches", "Of the first player.", RESULT_FIRST},
    {"ci95", "", "95 % interval of its probability to win.", RESULT_FIRST},
    {"draws", "matches", "That nobody won: the last players were lost in the same round.", RESULT_FIRST},
    {"undecided", "matches", "That nobody won: max-rounds was reached, or the pieces were used up.",
     RESULT_FIRST},
    {"chance", "", "Of two: how often wins shared as unevenly come by chance between equal players.", 0},
    {"players", NULL, "What each did, as they were given.", RESULT_FIRST},
    {"players.strategy", NULL, "The player.", RESULT_FIRST},
    {"players.wins", "matches", "That it won.", RESULT_FIRST},
    {"players.ci95", "", "95 % interval of its probability to win.", RESULT_FIRST},
    {"players.mean_pieces", "pieces", "Of a match.", RESULT_FIRST},
    {"players.mean_lines", "lines", "Of a match.", RESULT_FIRST},
    {"players.mean_attack_rows_sent", "rows", "Of a match.", 0},
    {"players.mean_attack_rows_received", "rows", "Of a match.", 0},
    {"players.moves_by_rows", "moves", "That removed 1, 2, 3 and 4 rows, in all matches.", 0},
    {"players.lost_by_time", "matches", "Lost by taking longer than move-time.", 0},
    {"players.seconds_per_move", "s", "Taken; null: it made no move.", 0},
    {"mean_rounds", "rounds", "Of a match.", 0},
    {"interrupted", NULL, "It was stopped: the matches that ended count, which favours short ones.", 0},
    {"sequence", NULL, "same: all players of a match got the same pieces; own: each its own.", 0},
    {"max_rounds", "rounds", "At which a match ended.", 0},
    {"move_time", "s", "By which a move had to be made; null: no limit.", 0},
    {"seconds", "s", "Taken.", 0},
    {"winners", "", "Of each match: 1 the first player ..., 0 nobody; null: not played to its end.", 0},
    {"rounds", "rounds", "Of each match; null: not played to its end.", 0},
    RESULT_RULES,
    RESULT_SEED,
    RESULT_VERSION,
    {NULL, NULL, NULL, 0}};

json_t *versus_json(const VersusReport *report) {
    const MatchesPlan *plan = report->plan;
    const Matches *matches = report->matches;
    json_t *object = json_object(), *players = json_array();
    json_object_set_new(object, "games", json_whole(matches->ended));
    json_object_set_new(object, "wins", json_whole(matches->total[0].wins));
    json_object_set_new(object, "ci95",
                        interval_json(matches_interval(matches->total[0].wins, matches->ended)));
    json_object_set_new(object, "draws", json_whole(matches->draws));
    json_object_set_new(object, "undecided", json_whole(matches->limit));
    json_object_set_new(object, "chance",
                        plan->players == 2
                            ? json_finite(matches_chance(matches->total[0].wins, matches->total[1].wins))
                            : json_null());
    for (int s = 0; s < plan->players; s++)
        json_array_append_new(players, player_json(report, s));
    json_object_set_new(object, "players", players);
    json_object_set_new(object, "mean_rounds", json_real((double)matches->rounds / (double)matches->ended));
    json_object_set_new(object, "interrupted", json_boolean(matches->interrupted));
    json_object_set_new(object, "sequence", json_string(match_sequence_words[plan->sequence]));
    json_object_set_new(object, "max_rounds", json_whole(plan->max_rounds));
    json_object_set_new(object, "move_time", plan->move_time > 0 ? json_real(plan->move_time) : json_null());
    fields_save(rules_fields, player_rules(plan->player[0]), object);
    json_object_set_new(object, "seed", json_whole(plan->seed));
    json_object_set_new(object, "seconds", json_real(matches->seconds));
    json_object_set_new(object, "kernel", json_string(report->kernel));
    json_object_set_new(object, "version", json_string(report->version));
    add_outcomes(object, matches);
    return object;
}
