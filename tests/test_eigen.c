// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvectors: matrices whose values are known, random ones by what eigenvectors have to satisfy.
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

#include "base/random.h"
#include "optimise/eigen.h"

enum { MOST = 200 };

static double matrix[MOST * MOST], scratch[MOST * MOST], value[MOST], vector[MOST * MOST];

static void decompose(int n) {
    memcpy(scratch, matrix, (size_t)n * (size_t)n * sizeof *matrix);
    eigen_symmetric(n, scratch, value, vector);
}

static double column_product(int n, int i, int j) {
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += vector[k * n + i] * vector[k * n + j];
    return sum;
}

// Orthonormal columns, ascending values, matrix = V D V^T, the largest coordinate of each column positive.
static void check_properties(int n, double tolerance) {
    double size = fmax(fabs(value[0]), fabs(value[n - 1]));
    for (int i = 0; i < n; i++) {
        assert_true(i == 0 || value[i - 1] <= value[i]);
        double largest = 0;
        for (int k = 0; k < n; k++)
            if (fabs(vector[k * n + i]) > fabs(largest))
                largest = vector[k * n + i];
        assert_true(largest > 0);
        for (int j = 0; j <= i; j++) {
            assert_true(fabs(column_product(n, i, j) - (i == j)) < tolerance);
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += vector[i * n + k] * value[k] * vector[j * n + k];
            assert_true(fabs(sum - matrix[i * n + j]) <= tolerance * size);
        }
    }
}

// The chain of n springs: 2 on the diagonal, -1 beside it; its values are 2 - 2 cos(k pi / (n + 1)).
static void a_chain_of_springs_has_its_known_values(void **state) {
    (void)state;
    const int sizes[] = {1, 2, 3, 8, 50, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s];
        memset(matrix, 0, sizeof matrix);
        for (int i = 0; i < n; i++) {
            matrix[i * n + i] = 2;
            if (i > 0)
                matrix[i * n + i - 1] = matrix[(i - 1) * n + i] = -1;
        }
        decompose(n);
        for (int k = 0; k < n; k++)
            assert_true(fabs(value[k] - (2 - 2 * cos((k + 1) * M_PI / (n + 1)))) < 1e-14);
        check_properties(n, 1e-13);
    }
}

// Hilbert's matrix is positive and as badly conditioned as a matrix of its size can be; the least of its six
// values is 1.0828e-7 (Fettis & Caslin 1967). Jacobi's method gets it to many digits.
static void small_values_beside_large_ones_are_right(void **state) {
    (void)state;
    for (int i = 0; i < 36; i++)
        matrix[i] = 1.0 / (i / 6 + i % 6 + 1);
    decompose(6);
    assert_true(fabs(value[0] / 1.08279948450e-7 - 1) < 1e-9);
    assert_true(fabs(value[5] / 1.61889985892 - 1) < 1e-11);
    check_properties(6, 1e-14);
    for (int i = 0; i < 4; i++) // 1e-200 and 1e200, turned by an eighth
        matrix[i] = 5e199;
    decompose(2);
    assert_true(fabs(value[0]) < 1e185 && fabs(value[1] / 1e200 - 1) < 1e-15);
}

static void random_matrices_are_put_together_again(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        Random random = random_stream(seed, 0, RANDOM_TEST);
        int n = 1 + (int)random_below(&random, seed == 60 ? MOST : 30), rank = n;
        if (seed % 3 == 0)
            rank = 1 + n / 2;
        double spread = seed % 2 ? 1 : 12;
        memset(matrix, 0, sizeof matrix);
        for (int r = 0; r < rank; r++) { // sums of x x^T, some negative, of sizes that differ by 10^spread
            double weight = pow(10, -spread * random_unit(&random)) * (seed % 5 == 0 && r % 2 ? -1 : 1);
            double x[MOST];
            for (int i = 0; i < n; i++)
                x[i] = random_normal(&random);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    matrix[i * n + j] += weight * (x[i] * x[j]);
        }
        decompose(n);
        print_message("seed %" PRIu64 ": %d, rank %d\n", seed, n, rank);
        check_properties(n, 2e-13);
    }
}

static void equal_values_keep_their_order_and_nothing_turns_a_diagonal_matrix(void **state) {
    (void)state;
    const double diagonal[] = {3, 1, 3, 0, 1};
    const int place[] = {3, 1, 4, 0, 2}; // which unit vector is which column
    memset(matrix, 0, sizeof matrix);
    for (int i = 0; i < 5; i++)
        matrix[i * 5 + i] = diagonal[i];
    decompose(5);
    const double sorted[] = {0, 1, 1, 3, 3};
    assert_memory_equal(value, sorted, sizeof sorted);
    int at[5] = {0};
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 5; i++)
            if (vector[i * 5 + k] == 1)
                at[i] = k;
    assert_memory_equal(at, place, sizeof place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_springs_has_its_known_values),
        cmocka_unit_test(small_values_beside_large_ones_are_right),
        cmocka_unit_test(random_matrices_are_put_together_again),
        cmocka_unit_test(equal_values_keep_their_order_and_nothing_turns_a_diagonal_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
