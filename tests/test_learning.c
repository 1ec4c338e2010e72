// SPDX-License-Identifier: GPL-3.0-or-later
// The learning loop: the same whatever the crew does, the same after an interruption, and the ends it knows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fake_crew.h"
#include "learn/learning.h"
#include "optimise/cmaes.h"
#include "optimise/cross_entropy.h"
#include "optimise/genetic.h"

enum { SCRAMBLE = 7, MAX_GENERATIONS = 400 };

// ---------------------------------------------------------------------------------------------------
// Plans and what comes out

static void make_plan(LearningPlan *plan, OptimiserMethod method, uint64_t generations) {
    Error error = {""};
    *plan =
        (LearningPlan){.seed = 5, .samples = 4, .curve_samples = 3, .runs = 2, .generations = generations};
    optimiser_defaults(&plan->optimiser, method);
    if (method != OPTIMISER_CMAES)
        plan->optimiser.population = 20;
    if (method == OPTIMISER_CROSS_ENTROPY)
        plan->optimiser.parents = 5;
    fields_preset(race_fields, &plan->race);
    rules_default(&plan->objective.rules);
    plan->objective.kind = OBJECTIVE_GAMES;
    plan->objective.encoding = (Encoding){.width = 10, .unit = 1, .rating = RATING_LINEAR};
    if (!encoding_set_features(&plan->objective.encoding, "dellacherie", &error))
        fail_msg("%s", error.text);
}

// Everything that was published, in order, as text; and the states.
typedef struct Record {
    char line[MAX_GENERATIONS][600];
    double answer[MAX_GENERATIONS][8];
    json_t *state[MAX_GENERATIONS];
    int run[MAX_GENERATIONS];
    int count;
    uint64_t samples, full;
    double at_limit, most;
    double last_curve;
    double pieces[2]; // of each run, for selection
    json_t *end;      // the state of a run that ended after its newest generation
    int refuse_at;    // the caller's disk is full then; -1: never
    volatile bool stop;
    int stop_at;
} Record;

static bool keep(void *context, const Generation *g, const json_t *state, Error *error) {
    Record *record = context;
    if (record->count == record->refuse_at)
        return error_set(error, "There is no room on the disk.");
    assert_true(record->count < MAX_GENERATIONS);
    char *line = record->line[record->count];
    int at = snprintf(line, 600, "%d %d %llu %llu %llu %llu %.17g %.17g %.17g %.17g %.17g %.17g %g |", g->run,
                      (int)g->generation, (unsigned long long)g->evaluations, (unsigned long long)g->samples,
                      (unsigned long long)g->full, (unsigned long long)g->pieces, g->selection_pieces,
                      g->best, g->mean, g->worst, g->curve, g->sigma, g->limit);
    for (int k = 0; k < g->size; k++)
        at += snprintf(line + at, (size_t)(600 - at), " %.17g", g->answer[k]);
    memcpy(record->answer[record->count], g->answer, (size_t)g->size * sizeof *g->answer);
    record->run[record->count] = g->run;
    record->state[record->count] = json_deep_copy(state);
    record->count++;
    record->samples += g->samples;
    record->full += g->full;
    record->at_limit += g->limit * (double)g->full / record->most; // r_limit games for every candidate
    if (g->limit > 0)
        assert_true(fabs(g->limit_share * g->limit * (double)g->full / record->most - (double)g->samples) <
                    1e-6);
    else
        assert_true(isnan(g->limit_share));
    record->last_curve = g->curve;
    record->pieces[g->run] = g->selection_pieces;
    if (record->count == record->stop_at)
        record->stop = true;
    return true;
}

static bool keep_end(void *context, const Generation *last, const json_t *state, Error *error) {
    Record *record = context;
    (void)error;
    assert_true(last->generation > 0 && last->stopped);
    json_decref(record->end);
    record->end = json_deep_copy(state);
    return true;
}

static Record *record_new(void) {
    Record *record = calloc(1, sizeof *record);
    assert_non_null(record);
    record->refuse_at = record->stop_at = -1;
    record->most = 100; // games of a candidate at most
    return record;
}

static void record_free(Record *record) {
    for (int k = 0; k < record->count; k++)
        json_decref(record->state[k]);
    json_decref(record->end);
    free(record);
}

static bool run(LearningResult *result, const LearningPlan *plan, FakeCrew *fake, json_t *const *state,
                Record *record, Error *error) {
    LearningEvents events = {.generation = keep, .ended = keep_end, .context = record};
    return learning_run(result, plan, &fake->crew, state, 0, &record->stop, &events, error);
}

// The lines of one run, in their order.
static int lines_of(const Record *record, int number, const char *line[MAX_GENERATIONS]) {
    int count = 0;
    for (int k = 0; k < record->count; k++)
        if (record->run[k] == number)
            line[count++] = record->line[k];
    return count;
}

static void assert_same(const Record *a, const Record *b, int runs) {
    for (int r = 0; r < runs; r++) {
        const char *of_a[MAX_GENERATIONS], *of_b[MAX_GENERATIONS];
        int count = lines_of(a, r, of_a);
        assert_int_equal(lines_of(b, r, of_b), count);
        for (int k = 0; k < count; k++)
            assert_string_equal(of_a[k], of_b[k]);
    }
}

static void learn(const LearningPlan *plan, int workers, uint64_t scramble, Record *record) {
    FakeCrew fake;
    LearningResult result;
    Error error = {""};
    fake_make(&fake, encoding_size(&plan->objective.encoding), workers, scramble);
    if (!run(&result, plan, &fake, NULL, record, &error))
        fail_msg("%s", error.text);
    learning_free(&result);
    fake_free(&fake);
}

// ---------------------------------------------------------------------------------------------------

static void neither_order_of_results_nor_workers_change_anything(void **unused) {
    (void)unused;
    print_message("scramble seed %d\n", SCRAMBLE);
    for (OptimiserMethod m = 0; m < OPTIMISER_COUNT; m++) {
        LearningPlan plan;
        make_plan(&plan, m, 12);
        Record *one = record_new(), *other = record_new();
        learn(&plan, 1, 0, one);
        learn(&plan, 64, SCRAMBLE, other);
        assert_int_equal(one->count, 24);
        assert_same(one, other, 2);
        record_free(one);
        record_free(other);
        learning_plan_free(&plan);
    }
}

static void the_number_of_threads_changes_nothing_learned(void **unused) {
    (void)unused;
    LearningPlan plan;
    Error error = {""};
    make_plan(&plan, OPTIMISER_CMAES, 3);
    plan.objective.encoding.width = 6;
    assert_true(rules_set(&plan.objective.rules, "board", "6x6", &error));
    Record *record[2] = {record_new(), record_new()};
    for (int k = 0; k < 2; k++) {
        Crew *crew = crew_threads(&candidate_kind, &plan.objective, k ? 3 : 1, &error);
        assert_non_null(crew);
        LearningEvents events = {.generation = keep, .context = record[k]};
        LearningResult result;
        if (!learning_run(&result, &plan, crew, NULL, 0, &record[k]->stop, &events, &error))
            fail_msg("%s", error.text);
        learning_free(&result);
        crew->close(crew);
    }
    assert_int_equal(record[0]->count, 6); // three generations of two runs
    assert_same(record[0], record[1], 2);
    record_free(record[0]);
    record_free(record[1]);
    learning_plan_free(&plan);
}

static void races_do_not_depend_on_the_order_of_results_either(void **unused) {
    (void)unused;
    for (int bound = RACE_HOEFFDING; bound <= RACE_TETRIS; bound++) {
        LearningPlan plan;
        make_plan(&plan, OPTIMISER_CMAES, 12);
        plan.race.bound = (RaceBound)bound;
        plan.race.bounds[0] = 0;
        plan.race.bounds[1] = 1010;
        Record *one = record_new(), *other = record_new();
        learn(&plan, 1, 0, one);
        learn(&plan, 5, SCRAMBLE, other);
        assert_same(one, other, 2);
        assert_true(one->samples < one->full);
        record_free(one);
        record_free(other);
        learning_plan_free(&plan);
    }
}

// Boumaza's figures count the games of a race by r_limit. Checkpoints of older versions do not know the sum.
static void races_are_counted_by_r_limit_too(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CMAES, 8);
    plan.runs = 1;
    plan.race.bound = RACE_TETRIS;
    plan.race.most = 100;
    Record *whole = record_new();
    learn(&plan, 2, 0, whole);
    assert_true(whole->at_limit >= (double)whole->samples && whole->at_limit < (double)whole->full);
    for (int known = 0; known < 2; known++) {
        Record *rest = record_new();
        FakeCrew fake;
        LearningResult result;
        Error error = {""};
        fake_make(&fake, encoding_size(&plan.objective.encoding), 3, 0);
        json_t *state = json_deep_copy(whole->state[4]);
        if (!known)
            assert_int_equal(json_object_del(state, "at_limit"), 0);
        assert_true(run(&result, &plan, &fake, &state, rest, &error));
        assert_true(known ? result.run[0].at_limit == whole->at_limit : isnan(result.run[0].at_limit));
        json_decref(state);
        learning_free(&result);
        fake_free(&fake);
        record_free(rest);
    }
    record_free(whole);
    learning_plan_free(&plan);
}

// From the states after any generation, the rest is what it would have been.
static void going_on_from_any_generation_gives_the_same_rest(void **unused) {
    (void)unused;
    for (OptimiserMethod m = 0; m < OPTIMISER_COUNT; m++) {
        LearningPlan plan;
        make_plan(&plan, m, 8);
        plan.runs = 1;
        if (m == OPTIMISER_CMAES)
            plan.race.bound = RACE_TETRIS;
        plan.average = optimiser_traits(m)->has_mean;
        Record *whole = record_new();
        learn(&plan, 2, SCRAMBLE, whole);
        for (int from = 0; from < whole->count; from++) {
            Record *rest = record_new();
            FakeCrew fake;
            LearningResult result;
            Error error = {""};
            fake_make(&fake, encoding_size(&plan.objective.encoding), 3, 0);
            char *text = json_dumps(whole->state[from], JSON_REAL_PRECISION(17));
            json_t *state = json_loads(text, 0, NULL);
            assert_true(run(&result, &plan, &fake, &state, rest, &error));
            assert_int_equal(rest->count, whole->count - from - 1);
            for (int k = 0; k < rest->count; k++)
                assert_string_equal(rest->line[k], whole->line[from + 1 + k]);
            assert_int_equal(result.run[0].generations, 8);
            free(text);
            json_decref(state);
            learning_free(&result);
            fake_free(&fake);
            record_free(rest);
        }
        record_free(whole);
        learning_plan_free(&plan);
    }
}

static void an_interrupted_learning_goes_on_to_the_same_result(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CMAES, 10);
    Record *whole = record_new(), *parts = record_new();
    learn(&plan, 2, SCRAMBLE, whole);
    json_t *state[2] = {NULL, NULL};
    bool interrupted = true;
    int pieces = 0;
    for (; interrupted; pieces++) {
        FakeCrew fake;
        LearningResult result;
        Error error = {""};
        fake_make(&fake, encoding_size(&plan.objective.encoding), 2, SCRAMBLE + 1);
        parts->stop = false;
        parts->stop_at = parts->count + 3;
        assert_true(run(&result, &plan, &fake, state, parts, &error));
        interrupted = result.interrupted;
        for (int k = 0; k < parts->count; k++)
            state[parts->run[k]] = parts->state[k];
        learning_free(&result);
        fake_free(&fake);
    }
    assert_true(pieces > 2);
    assert_same(whole, parts, 2);
    record_free(whole);
    record_free(parts);
    learning_plan_free(&plan);
}

static void it_learns(void **unused) {
    (void)unused;
    for (OptimiserMethod m = 0; m < OPTIMISER_COUNT; m++) {
        LearningPlan plan;
        make_plan(&plan, m, 60);
        plan.runs = 1;
        cmaes_plan(&plan.optimiser)->sphere = false; // the target has length 2
        cross_entropy_plan(&plan.optimiser)->noise = NOISE_NONE;
        plan.optimiser.sigma = 1;
        genetic_plan(&plan.optimiser)->range = 2;
        Record *record = record_new();
        learn(&plan, 2, 0, record);
        print_message("%s %g\n", optimiser_words[m], record->last_curve);
        // Zero scores 1000 - 100 * |target|, about 800; whole genes can come within 870.
        assert_true(record->last_curve > (m == OPTIMISER_GENETIC ? 860 : 980));
        record_free(record);
        learning_plan_free(&plan);
    }
}

// Averaging changes the answers, not the search: generation t counts as t (t + 1) (t + 2), and directions are
// averaged.
static void averaged_answers_are_those_of_the_search_weighted_by_their_generation(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CROSS_ENTROPY, 15);
    plan.runs = 1;
    Record *last = record_new(), *average = record_new();
    learn(&plan, 1, 0, last);
    plan.average = true;
    learn(&plan, 1, 0, average);
    double sum[8] = {0}, weights = 0;
    for (int t = 1; t <= 15; t++) {
        double weight = t * (t + 1.0) * (t + 2.0), squares = 0;
        for (int k = 0; k < 6; k++)
            squares += last->answer[t - 1][k] * last->answer[t - 1][k];
        weights += weight;
        for (int k = 0; k < 6; k++) {
            sum[k] += weight * last->answer[t - 1][k] / sqrt(squares);
            assert_true(fabs(average->answer[t - 1][k] - sum[k] / weights) < 1e-12);
        }
    }
    record_free(last);
    record_free(average);
    learning_plan_free(&plan);
}

static void the_curve_is_the_mean_of_fresh_samples_of_the_answer_before(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CMAES, 2);
    plan.runs = 1;
    Record *record = record_new();
    FakeCrew fake;
    LearningResult result;
    Error error = {""};
    fake_make(&fake, encoding_size(&plan.objective.encoding), 1, 0);
    assert_true(run(&result, &plan, &fake, NULL, record, &error));
    double noiseless = 0;
    for (int k = 0; k < fake.size; k++)
        noiseless += (record->answer[0][k] - fake_target(k)) * (record->answer[0][k] - fake_target(k));
    noiseless = 1000 - 100 * sqrt(noiseless);
    assert_true(fabs(result.run[0].last_curve - noiseless) <= 5);
    assert_int_equal(fake.samples, 2 * (9 * 4 + 3)); // nine vectors for six dimensions, and the curve
    assert_int_equal(fake.seeds, 2 * 2);             // of each generation, and of its curve
    assert_int_equal(result.run[0].evaluations, 2 * 9 * 4);
    assert_int_equal(result.run[0].pieces, 2 * 100 * (9 * 4 + 3));
    assert_int_equal(result.run[0].selection_pieces, 2 * 100 * 9 * 4);
    learning_free(&result);
    fake_free(&fake);
    record_free(record);
    learning_plan_free(&plan);
}

static void evaluations_end_a_run_after_a_whole_generation(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CMAES, 0);
    plan.evaluations = 100; // generations of 36
    Record *record = record_new();
    learn(&plan, 2, SCRAMBLE, record);
    assert_int_equal(record->count, 2 * 3);
    assert_int_equal(record->samples, 2 * 108);
    record_free(record);
    learning_plan_free(&plan);
}

// A generation is 36 samples of 100 pieces, the curve's not counted. Races may take fewer, so that more
// generations fit in, but no more pieces.
static void a_budget_of_pieces_is_never_exceeded(void **unused) {
    (void)unused;
    static const struct {
        uint64_t budget;
        int generations;
    } ends[] = {{3600, 1}, {7199, 1}, {7200, 2}, {7201, 2}};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        for (int raced = 0; raced < 2; raced++) {
            LearningPlan plan;
            make_plan(&plan, OPTIMISER_CMAES, 0);
            plan.budget_pieces = ends[k].budget;
            if (raced) {
                plan.race.bound = RACE_TETRIS;
                plan.race.least = plan.race.most = 4; // as many games as without
            }
            Record *record = record_new();
            record->most = 4;
            learn(&plan, 2, SCRAMBLE, record);
            assert_true(raced ? record->count >= 2 * ends[k].generations
                              : record->count == 2 * ends[k].generations);
            for (int r = 0; r < 2; r++) { // and what is left is less than a generation
                assert_true(record->pieces[r] <= (double)ends[k].budget);
                assert_true(record->pieces[r] > (double)ends[k].budget - 3600);
            }
            record_free(record);
            learning_plan_free(&plan);
        }
}

static void a_budget_below_the_first_generation_fails_with_a_sentence(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CMAES, 0);
    plan.runs = 1;
    plan.budget_pieces = 3599;
    FakeCrew fake;
    LearningResult result;
    Error error = {""};
    Record *record = record_new();
    fake_make(&fake, encoding_size(&plan.objective.encoding), 1, 0);
    assert_false(run(&result, &plan, &fake, NULL, record, &error));
    assert_string_equal(error.text,
                        "The first generation of run 1 takes 3,600 pieces, more than the budget of "
                        "3,599: give more --budget-pieces, or fewer --games or a smaller "
                        "--population.");
    assert_int_equal(record->count, 0);
    learning_free(&result);
    fake_free(&fake);
    record_free(record);
    learning_plan_free(&plan);
}

// The generation that was too large is played for only where the budget has room for it; then it is the one
// that a larger budget would have played at once.
static void a_run_at_the_end_of_its_budget_goes_on_with_a_larger_one_only(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CMAES, 0);
    plan.runs = 1;
    plan.budget_pieces = 4 * 3600;
    Record *whole = record_new(), *part = record_new();
    learn(&plan, 2, 0, whole);
    assert_int_equal(whole->count, 4);
    assert_null(whole->end); // used up: its last generation says so
    plan.budget_pieces = 4 * 3600 - 1;
    learn(&plan, 2, 0, part);
    assert_int_equal(part->count, 3);
    assert_non_null(part->end);
    for (int larger = 0; larger < 2; larger++) {
        Record *rest = record_new();
        FakeCrew fake;
        LearningResult result;
        Error error = {""};
        plan.budget_pieces += (uint64_t)larger;
        fake_make(&fake, encoding_size(&plan.objective.encoding), 3, 0);
        assert_true(run(&result, &plan, &fake, &part->end, rest, &error));
        assert_int_equal(rest->count, larger);
        assert_int_equal(fake.samples, larger ? 39 : 0);
        if (larger)
            assert_string_equal(rest->line[0], whole->line[3]);
        assert_string_equal(result.run[0].stopped,
                            larger ? "All 14,400 pieces are played."
                                   : "Another generation would take more than 14,399 pieces.");
        learning_free(&result);
        fake_free(&fake);
        record_free(rest);
    }
    record_free(whole);
    record_free(part);
    learning_plan_free(&plan);
}

// Gone on with after generation 6, a run with pieces for 7 learns just one more. Older checkpoints do not
// know the pieces for selection apart from the curve's: then all of them count, and none is left.
static void pieces_before_an_interruption_count(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CMAES, 0);
    plan.runs = 1;
    plan.budget_pieces = 7 * 3600; // the curve takes 300 more each time
    Record *whole = record_new();
    learn(&plan, 2, 0, whole);
    assert_int_equal(whole->count, 7);
    for (int known = 0; known < 2; known++) {
        Record *rest = record_new();
        FakeCrew fake;
        LearningResult result;
        Error error = {""};
        fake_make(&fake, encoding_size(&plan.objective.encoding), 3, 0);
        json_t *state = json_deep_copy(whole->state[5]);
        if (!known)
            assert_int_equal(json_object_del(state, "selection_pieces"), 0);
        assert_true(run(&result, &plan, &fake, &state, rest, &error));
        assert_int_equal(rest->count, known ? 1 : 0);
        if (known)
            assert_string_equal(rest->line[0], whole->line[6]);
        assert_string_equal(result.run[0].stopped,
                            known ? "All 25,200 pieces are played."
                                  : "Another generation would take more than 25,200 pieces.");
        json_decref(state);
        learning_free(&result);
        fake_free(&fake);
        record_free(rest);
    }
    record_free(whole);
    learning_plan_free(&plan);
}

static void the_clock_ends_it_though_no_result_comes(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CMAES, 0);
    plan.seconds = 0.01;
    FakeCrew fake;
    LearningResult result;
    Error error = {""};
    Record *record = record_new();
    fake_make(&fake, encoding_size(&plan.objective.encoding), 1, 0);
    fake.stuck = true;
    assert_true(run(&result, &plan, &fake, NULL, record, &error));
    assert_int_equal(record->count, 0);
    assert_false(result.interrupted);
    assert_non_null(strstr(result.run[1].stopped, "time"));
    assert_int_equal(fake.count, 0); // what was under way is dropped
    learning_free(&result);
    fake_free(&fake);
    record_free(record);
    learning_plan_free(&plan);
}

// A crew that is asked in vain after every result, so that progress is told each time.
static CrewEvent wait_in_turns(Crew *crew, double seconds, CrewResult *result, Error *error) {
    static bool turn;
    turn = !turn;
    return turn ? CREW_TIMEOUT : fake_wait(crew, seconds, result, error);
}

typedef struct Told {
    LearningStatus last;
    int count, within; // statuses; those in the middle of a generation
} Told;

static void tell(void *context, const LearningStatus *status) {
    Told *told = context;
    const LearningStatus *last = &told->last;
    assert_true(status->scored >= 0 && status->scored <= status->vectors);
    assert_true(status->pieces >= last->pieces && status->evaluations >= last->evaluations);
    assert_true(status->generation >= last->generation || status->ended == status->runs);
    told->within += status->scored > 0 && status->scored < status->vectors &&
                    status->generation == last->generation && status->pieces > last->pieces;
    told->last = *status;
    told->count++;
}

static void progress_goes_on_inside_a_generation(void **unused) {
    (void)unused;
    for (int race = 0; race < 2; race++) {
        LearningPlan plan;
        make_plan(&plan, OPTIMISER_CROSS_ENTROPY, 3);
        plan.race.bound = race ? RACE_TETRIS : RACE_NONE;
        FakeCrew fake;
        LearningResult result;
        Error error = {""};
        Told told = {.count = 0};
        LearningEvents events = {.progress = tell, .context = &told};
        fake_make(&fake, encoding_size(&plan.objective.encoding), 1, SCRAMBLE);
        fake.crew.wait = wait_in_turns;
        assert_true(learning_run(&result, &plan, &fake.crew, NULL, 0, NULL, &events, &error));
        assert_true(told.within > 20);
        assert_int_equal(told.last.evaluations, result.run[0].evaluations + result.run[1].evaluations);
        assert_int_equal(told.last.pieces, result.run[0].pieces + result.run[1].pieces);
        assert_true(told.last.left == 0 && told.last.ended == 2);
        learning_free(&result);
        fake_free(&fake);
        learning_plan_free(&plan);
    }
}

static void failures_of_crew_and_disk_are_told(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CMAES, 10);
    for (int disk = 0; disk < 2; disk++) {
        FakeCrew fake;
        LearningResult result;
        Error error = {""};
        Record *record = record_new();
        fake_make(&fake, encoding_size(&plan.objective.encoding), 1, 0);
        fake.fail_after = disk ? -1 : 50;
        record->refuse_at = disk ? 3 : -1;
        assert_false(run(&result, &plan, &fake, NULL, record, &error));
        assert_string_equal(error.text,
                            disk ? "There is no room on the disk." : "Process 2 of the cluster is gone.");
        learning_free(&result);
        fake_free(&fake);
        record_free(record);
    }
    learning_plan_free(&plan);
}

// Runs that have not ended a generation have nothing to say.
static void remembered_vectors_are_not_sampled_again(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_GENETIC, 100);
    plan.runs = 1;
    genetic_plan(&plan.optimiser)->range = 1; // three values a gene: soon all are known
    genetic_plan(&plan.optimiser)->mutation_rate = 0.01;
    genetic_plan(&plan.optimiser)->revisit = REVISIT_REMEMBER;
    Record *record = record_new();
    learn(&plan, 2, SCRAMBLE, record);
    assert_int_equal(record->count, 100);
    assert_true(record->samples < 100 * 20 * 4 / 2);
    record_free(record);
    learning_plan_free(&plan);
}

static void a_wrong_plan_is_refused(void **unused) {
    (void)unused;
    LearningPlan plan;
    Error error = {""};
    make_plan(&plan, OPTIMISER_GENETIC, 1);
    plan.race.bound = RACE_HOEFFDING;
    assert_false(learning_check(&plan, &error));
    assert_non_null(strstr(error.text, "race"));
    learning_plan_free(&plan);
    make_plan(&plan, OPTIMISER_CMAES, 1);
    plan.race.bound = RACE_HOEFFDING;
    plan.objective.kind = OBJECTIVE_SPLITTING;
    plan.objective.trials = 100;
    assert_false(learning_check(&plan, &error));
    assert_non_null(strstr(error.text, "games"));
    learning_plan_free(&plan);
    make_plan(&plan, OPTIMISER_CMAES, 1);
    plan.objective.encoding.rating = RATING_EXPONENTIAL;
    cmaes_plan(&plan.optimiser)->sphere = true;
    assert_false(learning_check(&plan, &error));
    assert_non_null(strstr(error.text, "length 1"));
    learning_plan_free(&plan);
    make_plan(&plan, OPTIMISER_CMAES, 1);
    plan.samples = 0;
    assert_false(learning_check(&plan, &error));
    plan.samples = 1;
    plan.runs = 0;
    assert_false(learning_check(&plan, &error));
    learning_plan_free(&plan);
}

static void damaged_states_are_refused(void **unused) {
    (void)unused;
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CMAES, 3);
    plan.runs = 1;
    plan.race.bound = RACE_TETRIS;
    Record *whole = record_new();
    learn(&plan, 1, 0, whole);
    static const char *const keys[] = {"optimiser", "limit", "evaluations", "full", "pieces"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        for (int way = 0; way < 3; way++) {
            json_t *state = json_deep_copy(whole->state[0]);
            if (way == 0)
                json_object_del(state, keys[k]);
            else
                json_object_set_new(state, keys[k], json_real(way == 1 ? -1.5 : 2e17));
            FakeCrew fake;
            LearningResult result;
            Error error = {""};
            Record *record = record_new();
            fake_make(&fake, encoding_size(&plan.objective.encoding), 1, 0);
            assert_false(run(&result, &plan, &fake, &state, record, &error));
            assert_non_null(strstr(error.text, "run 1"));
            json_decref(state);
            learning_free(&result);
            fake_free(&fake);
            record_free(record);
        }
    record_free(whole);
    learning_plan_free(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neither_order_of_results_nor_workers_change_anything),
        cmocka_unit_test(the_number_of_threads_changes_nothing_learned),
        cmocka_unit_test(races_do_not_depend_on_the_order_of_results_either),
        cmocka_unit_test(races_are_counted_by_r_limit_too),
        cmocka_unit_test(going_on_from_any_generation_gives_the_same_rest),
        cmocka_unit_test(an_interrupted_learning_goes_on_to_the_same_result),
        cmocka_unit_test(it_learns),
        cmocka_unit_test(averaged_answers_are_those_of_the_search_weighted_by_their_generation),
        cmocka_unit_test(the_curve_is_the_mean_of_fresh_samples_of_the_answer_before),
        cmocka_unit_test(evaluations_end_a_run_after_a_whole_generation),
        cmocka_unit_test(a_budget_of_pieces_is_never_exceeded),
        cmocka_unit_test(a_budget_below_the_first_generation_fails_with_a_sentence),
        cmocka_unit_test(a_run_at_the_end_of_its_budget_goes_on_with_a_larger_one_only),
        cmocka_unit_test(pieces_before_an_interruption_count),
        cmocka_unit_test(the_clock_ends_it_though_no_result_comes),
        cmocka_unit_test(progress_goes_on_inside_a_generation),
        cmocka_unit_test(failures_of_crew_and_disk_are_told),
        cmocka_unit_test(remembered_vectors_are_not_sampled_again),
        cmocka_unit_test(a_wrong_plan_is_refused),
        cmocka_unit_test(damaged_states_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
