// SPDX-License-Identifier: GPL-3.0-or-later
// Time is moved by changing the record's times, not by waiting.
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/progress.h"

static void nothing_is_due_during_the_first_second(void **state) {
    (void)state;
    Progress progress;
    progress_start(&progress, false);
    progress.terminal = true;
    progress.started += 1000, progress.last -= 1000;
    assert_false(progress_due(&progress));
    progress.started -= 1002;
    assert_true(progress_due(&progress));
}

static void a_terminal_is_due_after_a_quarter_second_and_a_pipe_after_ten(void **state) {
    (void)state;
    Progress progress;
    progress_start(&progress, false);
    progress.started -= 100;
    progress.last = clock_seconds() - 5;
    progress.terminal = true;
    assert_true(progress_due(&progress));
    progress.terminal = false;
    assert_false(progress_due(&progress));
    progress.last -= 6;
    assert_true(progress_due(&progress));
    progress.terminal = true;
    progress.last = clock_seconds() + 1000;
    assert_false(progress_due(&progress));
}

static void quiet_is_never_due(void **state) {
    (void)state;
    Progress progress;
    progress_start(&progress, true);
    progress.started -= 100, progress.last -= 100;
    assert_false(progress_due(&progress));
}

static void estimates_follow_work_that_slows_down(void **state) {
    (void)state;
    ProgressEstimate steady = {.begun = false}, slowing = {.begun = false};
    assert_true(isnan(progress_estimate(&steady, 100, 0.2)));
    for (int k = 1; k <= 400; k++) { // 0.001 a second
        double left = progress_estimate(&steady, 100 + k, 0.2 + 0.001 * k);
        assert_true(fabs(left - (800 - k)) < 1e-6);
    }
    // Step k of 100 takes k seconds. By the mean speed so far it would seem to be over much sooner.
    double now = 0, last = NAN;
    progress_estimate(&slowing, 0, 0);
    for (int k = 1; k <= 100; k++) {
        now += k;
        double left = progress_estimate(&slowing, now, k / 100.0), truth = 5050 - now;
        double by_mean = now * (100 - k) / k;
        if (k >= 10)
            assert_true(left >= 1.25 * by_mean - 1e-6 && left <= truth + 1e-6 && left < 1.3 * last + 1e-6);
        last = left;
    }
}

static void work_that_stands_still_has_no_estimate(void **state) {
    (void)state;
    ProgressEstimate estimate = {.begun = false};
    for (int k = 0; k < 10; k++)
        assert_true(isnan(progress_estimate(&estimate, k, 0)));
    assert_true(progress_estimate(&estimate, 10, 1) == 0);
}

// Runs show and end with stderr going to a file; <- what was written.
static const char *written(bool terminal, bool quiet) {
    static char text[200];
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    Progress progress;
    progress_start(&progress, quiet);
    progress.terminal = terminal;
    progress_show(&progress, "half way");
    progress_end(&progress);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void a_pipe_gets_lines_and_a_terminal_a_line_that_is_wiped(void **state) {
    (void)state;
    assert_string_equal(written(false, false), "half way\n");
    assert_string_equal(written(true, false), "\r\033[Khalf way\r\033[K");
    assert_string_equal(written(false, true), "");
    assert_string_equal(written(true, true), "");
}

static void the_first_interrupt_is_noted_and_the_second_ends(void **state) {
    (void)state;
    assert_false(progress_interrupted);
    progress_catch_interrupt();
    raise(SIGINT);
    assert_true(progress_interrupted);
    struct sigaction now;
    assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
}

static void a_closed_terminal_stays_ignored_after_nohup(void **state) {
    (void)state;
    struct sigaction now;
    signal(SIGHUP, SIG_IGN);
    progress_catch_interrupt();
    assert_int_equal(sigaction(SIGHUP, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_IGN);
    signal(SIGHUP, SIG_DFL);
    progress_catch_interrupt();
    assert_int_equal(sigaction(SIGHUP, NULL, &now), 0);
    assert_true(now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_due_during_the_first_second),
        cmocka_unit_test(a_terminal_is_due_after_a_quarter_second_and_a_pipe_after_ten),
        cmocka_unit_test(quiet_is_never_due),
        cmocka_unit_test(estimates_follow_work_that_slows_down),
        cmocka_unit_test(work_that_stands_still_has_no_estimate),
        cmocka_unit_test(a_pipe_gets_lines_and_a_terminal_a_line_that_is_wiped),
        cmocka_unit_test(the_first_interrupt_is_noted_and_the_second_ends),
        cmocka_unit_test(a_closed_terminal_stays_ignored_after_nohup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
