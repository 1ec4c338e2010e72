// SPDX-License-Identifier: GPL-3.0-or-later
// Logarithms and their relatives: against the C library, which is right to about a unit in the last place, at
// exact points, and bit by bit at a few others, which every machine must meet.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/portable.h"
#include "base/random.h"

// Both may be off by a little more than half a unit; two in all.
static void assert_close(double ours, double theirs, const char *what, double x, double y) {
    double unit = nextafter(fabs(theirs), INFINITY) - fabs(theirs);
    if (!(ours == theirs || fabs(ours - theirs) <= 3 * unit))
        fail_msg("%s of %a, %a is %a, not %a", what, x, y, ours, theirs);
}

static void they_agree_with_the_c_library(void **state) {
    (void)state;
    Random random = random_stream(1, 0, RANDOM_TEST);
    for (int i = 0; i < 100000; i++) {
        double u = random_unit(&random), small = (u - 0.5) * ldexp(1, -(int)random_below(&random, 60));
        double any = ldexp(0.5 + u / 2, (int)random_below(&random, 2000) - 1000);
        double wide = (u - 0.5) * 1400, medium = (u - 0.5) * 20;
        assert_close(portable_log(any), log(any), "log", any, 0);
        assert_close(portable_log(1 + small), log(1 + small), "log", 1 + small, 0);
        assert_close(portable_log1p(small), log1p(small), "log1p", small, 0);
        assert_close(portable_log1p(any), log1p(any), "log1p", any, 0);
        assert_close(portable_exp(wide), exp(wide), "exp", wide, 0);
        assert_close(portable_exp(small), exp(small), "exp", small, 0);
        assert_close(portable_expm1(small), expm1(small), "expm1", small, 0);
        assert_close(portable_expm1(medium), expm1(medium), "expm1", medium, 0);
        assert_close(portable_exp2(medium), exp2(medium), "exp2", medium, 0);
        assert_close(portable_power(300 * u, medium), pow(300 * u, medium), "power", 300 * u, medium);
        assert_close(portable_length(u, medium), hypot(u, medium), "length", u, medium);
    }
}

static void assert_quick(double x) {
    double ours = portable_exp_quick(x), theirs = exp(x), unit = nextafter(theirs, INFINITY) - theirs;
    if (!(fabs(ours - theirs) <= 4 * unit))
        fail_msg("the quick exponential of %a is %a, not %a", x, ours, theirs);
}

// Also where the whole and the rest of its exponent change over.
static void the_quick_exponential_is_off_by_four_units_at_most_and_the_same_everywhere(void **state) {
    (void)state;
    Random random = random_stream(3, 0, RANDOM_TEST);
    uint64_t sum = 0;
    for (int i = 0; i < 200000; i++) {
        double x = -750 * random_unit(&random);
        x *= random_unit(&random);
        double ours = portable_exp_quick(x);
        uint64_t bits;
        assert_quick(x);
        assert_quick(-x < 709 ? -x : 0);
        memcpy(&bits, &ours, sizeof bits);
        sum = random_rotate(sum, 5) * 0x9e3779b97f4a7c15u + bits;
    }
    for (int k = 0; k < 1000; k++)
        for (int near = -1; near <= 1; near++)
            assert_quick((500 - k - 0.5) * log(2) * (1 + near * 0x1p-52));
    assert_true(portable_exp_quick(0) == 1 && portable_exp_quick(-INFINITY) == 0);
    assert_true(isnan(portable_exp_quick(NAN)));
    print_message("sum %016" PRIx64 "\n", sum);
    assert_true(sum == 0xe897b01433c99edb);
}

static void exact_points_are_exact(void **state) {
    (void)state;
    for (int k = -1000; k <= 1000; k++)
        assert_true(portable_exp2(k) == ldexp(1, k));
    for (int k = 0; k <= 30; k++)
        assert_true(portable_power(k, 2) == k * k && portable_power(k, 1) == k && portable_power(k, 0) == 1);
    assert_true(portable_log(1) == 0 && portable_exp(0) == 1 && portable_expm1(0) == 0);
    assert_true(portable_log(0) == -INFINITY && isnan(portable_log(-1)) &&
                portable_log(INFINITY) == INFINITY);
    assert_true(portable_log1p(-1) == -INFINITY && isnan(portable_log1p(-2)));
    assert_true(portable_exp(-INFINITY) == 0 && portable_exp(1000) == INFINITY && isnan(portable_exp(NAN)));
    assert_true(portable_expm1(-INFINITY) == -1 && portable_expm1(INFINITY) == INFINITY);
    assert_true(portable_power(0, 2) == 0 && portable_power(0, -1) == INFINITY &&
                isnan(portable_power(-1, 2)));
    assert_true(portable_power(2, INFINITY) == INFINITY && isnan(portable_power(2, NAN)));
    assert_true(portable_length(3, 4) == 5 && portable_length(0, 0) == 0);
    assert_true(portable_length(INFINITY, 1) == INFINITY && isnan(portable_length(NAN, 1)));
    assert_true(portable_round(1.2345678, 3) == 1.23 && portable_round(-98765e30, 2) == -99e33);
    assert_true(portable_round(0, 5) == 0 && portable_round(-INFINITY, 5) == -INFINITY);
}

// A sum over all bits of many results: one that differs in its last bit changes it.
static void every_machine_gets_the_same_bits(void **state) {
    (void)state;
    Random random = random_stream(2, 0, RANDOM_TEST);
    uint64_t sum = 0;
    for (int i = 0; i < 20000; i++) {
        double u = random_unit(&random), x = (u - 0.5) * 40;
        const double result[] = {portable_log(u),        portable_log1p(u),    portable_exp(x),
                                 portable_expm1(x),      portable_exp2(x),     portable_power(300 * u, 3 * u),
                                 random_normal(&random), portable_length(u, x)};
        for (size_t k = 0; k < sizeof result / sizeof *result; k++) {
            uint64_t bits;
            memcpy(&bits, &result[k], sizeof bits);
            sum = random_rotate(sum, 5) * 0x9e3779b97f4a7c15u + bits;
        }
    }
    print_message("sum %016" PRIx64 "\n", sum);
    assert_true(sum == 0xf62daeb7ab6a995d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_agree_with_the_c_library),
        cmocka_unit_test(the_quick_exponential_is_off_by_four_units_at_most_and_the_same_everywhere),
        cmocka_unit_test(exact_points_are_exact),
        cmocka_unit_test(every_machine_gets_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
