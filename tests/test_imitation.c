// SPDX-License-Identifier: GPL-3.0-or-later
// Imitation: the gradient is right; a student comes to choose as its teacher, from nothing; the same with any
// number of threads; stopped, it keeps what it has learned; teachers that cannot be imitated are refused.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "learn/decision.h"
#include "learn/imitation.h"
#include "measure_fixture.h"

typedef struct Lessons {
    Table table; // the teacher under its rules
    Encoding encoding;
    Imitation imitation;
    Error error;
} Lessons;

static void lessons_make_on(Lessons *lessons, const char *teacher, const char *board, const char *pieces,
                            const char *features) {
    *lessons = (Lessons){.error = {""}};
    table_make(&lessons->table, teacher, board, "lenient", pieces);
    encoding_defaults(&lessons->encoding, player_rules(lessons->table.player)->width);
    assert_true(encoding_set_features(&lessons->encoding, features, &lessons->error));
    lessons->imitation =
        (Imitation){.teacher = lessons->table.player,
                    .encoding = &lessons->encoding,
                    .settings = {.decisions = 16384, .rate = 0.03, .temperature = 0.5, .trouble = 0.5},
                    .seed = 11,
                    .work.jobs = 2};
}

static void lessons_make(Lessons *lessons, const char *teacher, const char *pieces, const char *features) {
    lessons_make_on(lessons, teacher, "10x12", pieces, features);
}

static void lessons_run(Lessons *lessons) {
    if (!imitation_check(&lessons->imitation, &lessons->error) ||
        !imitation_run(&lessons->imitation, &lessons->error))
        fail_msg("%s", lessons->error.text);
}

static void lessons_free(Lessons *lessons) {
    imitation_free(&lessons->imitation);
    table_free(&lessons->table);
}

// With the teacher's own features nothing stands between them but how long was learned.
static void from_nothing_a_student_comes_to_choose_as_a_greedy_teacher(void **state) {
    (void)state;
    Lessons lessons;
    lessons_make(&lessons, "dellacherie-first", "uniform", "dellacherie");
    lessons_run(&lessons);
    const Imitation *imitation = &lessons.imitation;
    assert_true(imitation->decisions >= 16384);
    assert_true(imitation->first.agreement < 0.9);
    assert_true(imitation->last.agreement > 0.95);
    assert_true(imitation->last.regret < imitation->first.regret / 4);
    // Dellacherie's weights are -1 1 -1 -1 -4 -1. Holes and column transitions come together and share
    // theirs.
    const double *weight = imitation->weights;
    assert_true(weight[2] < 0 && weight[3] < 0 && weight[4] < 0);
    assert_true(fabs(weight[0] / weight[2] - 1) < 0.15 && fabs(weight[1] / weight[2] + 1) < 0.15 &&
                fabs(weight[5] / weight[2] - 1) < 0.15);
    lessons_free(&lessons);
}

// The start is the teacher: it cannot get better, and hardly worse.
static void who_begins_as_the_teacher_agrees_from_the_first_decision(void **state) {
    (void)state;
    static const double DELLACHERIE[] = {-1, 1, -1, -1, -4, -1};
    Lessons lessons;
    lessons_make(&lessons, "dellacherie-first", "uniform", "dellacherie");
    lessons.imitation.start = DELLACHERIE;
    lessons.imitation.settings.decisions = 4096;
    lessons.imitation.settings.rate = 1e-6;
    lessons_run(&lessons);
    assert_true(lessons.imitation.first.agreement > 0.999);
    assert_true(lessons.imitation.last.agreement > 0.999);
    lessons_free(&lessons);
}

static void the_student_is_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    Lessons one, three;
    lessons_make(&one, "bcts-ahead", "uniform", "dellacherie,fits");
    lessons_make(&three, "bcts-ahead", "uniform", "dellacherie,fits");
    one.imitation.work.jobs = 1;
    three.imitation.work.jobs = 3;
    one.imitation.settings.decisions = three.imitation.settings.decisions = 1500;
    lessons_run(&one);
    lessons_run(&three);
    size_t bytes = sizeof(double) * (size_t)encoding_size(&one.encoding);
    assert_memory_equal(one.imitation.weights, three.imitation.weights, bytes);
    lessons_free(&one);
    lessons_free(&three);
}

// On a small board nothing can follow some moves, and where that is so of all of them there is no value to
// learn from.
static void a_teacher_that_sees_every_move_lost_leaves_numbers(void **state) {
    (void)state;
    Lessons lessons;
    lessons_make_on(&lessons, "bcts-2", "6x8", "uniform", "dellacherie");
    lessons.imitation.settings.decisions = 4096;
    lessons_run(&lessons);
    for (int i = 0; i < encoding_size(&lessons.encoding); i++)
        assert_true(isfinite(lessons.imitation.weights[i]) && lessons.imitation.weights[i] != 0);
    assert_true(lessons.imitation.last.agreement > 0.4 && lessons.imitation.last.regret >= 0);
    lessons_free(&lessons);
}

static volatile bool stop_now;

static void stop_after_a_lesson(void *context, const Advance *advance) {
    (void)context;
    assert_true(advance->done > 0 && advance->value > 0);
    __atomic_store_n(&stop_now, true, __ATOMIC_RELAXED);
}

static void stopped_it_keeps_what_was_learned(void **state) {
    (void)state;
    Lessons lessons;
    lessons_make(&lessons, "dellacherie-first", "uniform", "dellacherie");
    stop_now = false;
    lessons.imitation.work.stop = &stop_now;
    lessons.imitation.work.progress = stop_after_a_lesson;
    lessons_run(&lessons);
    assert_true(lessons.imitation.decisions > 0 && lessons.imitation.decisions < 16384);
    assert_true(lessons.imitation.weights[4] < 0);
    lessons_free(&lessons);
}

static void assert_refused(const char *teacher, const char *pieces, const char *features, bool network,
                           const char *sentence) {
    Lessons lessons;
    lessons_make(&lessons, teacher, pieces, features);
    if (network)
        lessons.encoding.rating = RATING_NETWORK;
    assert_false(imitation_check(&lessons.imitation, &lessons.error) &&
                 imitation_run(&lessons.imitation, &lessons.error));
    assert_non_null(strstr(lessons.error.text, sentence));
    lessons_free(&lessons);
}

static void what_cannot_be_imitated_is_refused(void **state) {
    (void)state;
    assert_refused("dellacherie", "bag", "dellacherie", false, "independent pieces");
    assert_refused("dellacherie", "uniform", "dellacherie", true, "linear rating");
    assert_refused(TETRALAB_TESTS "/strategies/unsure.json", "uniform", "dellacherie", false,
                   "The teacher unsure looks deeper for some placements than for others");
}

// The mean of ln P by the teacher's probabilities, as learn/imitation.h has it.
static double plain_loss(const Decision *decision, const double *weight, double temperature) {
    double own[PLACEMENTS], all_own = 0, teachers[PLACEMENTS], all_teachers = 0, sum = 0;
    for (int i = 0; i < decision->options; i++) {
        const Option *option = &decision->option[i];
        double rating = 0;
        for (int d = 0; d < option->count; d++) {
            const Difference *difference = &decision->difference[option->first + d];
            rating += weight[difference->index] * (double)difference->value;
        }
        all_own += own[i] = exp(rating);
        all_teachers += teachers[i] = exp((double)option->value / temperature);
    }
    for (int i = 0; i < decision->options; i++)
        sum += teachers[i] / all_teachers * log(own[i] / all_own);
    return sum;
}

static void the_gradient_is_that_of_finite_differences(void **state) {
    (void)state;
    enum { SIZE = 5, OPTIONS = 6 };
    const double temperature = 0.7, tiny = 1e-5;
    Random random = random_stream(12, 0, RANDOM_TEST);
    for (int k = 0; k < 50; k++) {
        Difference difference[OPTIONS * SIZE];
        Decision decision = {.options = OPTIONS, .difference = difference};
        double weight[SIZE], gradient[SIZE] = {0}, highest = 0;
        int used = 0, best = 0;
        for (int i = 0; i < SIZE; i++)
            weight[i] = 2 * random_unit(&random) - 1;
        for (int o = 1; o < OPTIONS; o++) { // the last one is hopeless
            Option *option = &decision.option[o];
            double rating = 0;
            *option = (Option){o + 1 < OPTIONS ? (float)(-2 * random_unit(&random)) : -INFINITY, used, 0};
            for (int i = 0; i < SIZE; i++)
                if (random_below(&random, 3)) { // else they are equal
                    float value = (float)((int)random_below(&random, 7) - 3);
                    rating += weight[i] * (double)value;
                    difference[used++] = (Difference){(uint16_t)i, value};
                }
            option->count = used - option->first;
            best = rating >= highest ? o : best;
            highest = fmax(rating, highest);
        }
        assert_int_equal(decision_study(&decision, weight, temperature, gradient), best);
        for (int i = 0; i < SIZE; i++) {
            double at = weight[i];
            weight[i] = at + tiny;
            double more = plain_loss(&decision, weight, temperature);
            weight[i] = at - tiny;
            double less = plain_loss(&decision, weight, temperature);
            weight[i] = at;
            assert_true(fabs(gradient[i] - (more - less) / (2 * tiny)) < 1e-8);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_is_that_of_finite_differences),
        cmocka_unit_test(from_nothing_a_student_comes_to_choose_as_a_greedy_teacher),
        cmocka_unit_test(who_begins_as_the_teacher_agrees_from_the_first_decision),
        cmocka_unit_test(the_student_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(a_teacher_that_sees_every_move_lost_leaves_numbers),
        cmocka_unit_test(stopped_it_keeps_what_was_learned),
        cmocka_unit_test(what_cannot_be_imitated_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
