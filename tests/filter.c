// SPDX-License-Identifier: GPL-3.0-or-later
// Part of every test program: TETRALAB_TEST_FILTER, in the environment, names the tests to run, as in
// "*thread*"; * stands for any text. `make check-all` uses it where the thread sanitizer would take minutes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void choose_tests(void) {
    const char *pattern = getenv("TETRALAB_TEST_FILTER");
    if (pattern)
        cmocka_set_test_filter(pattern);
}
