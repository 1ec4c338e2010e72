// SPDX-License-Identifier: GPL-3.0-or-later
// Both the matrix and the vectors are rotated row by row, which compilers turn into vector instructions; that
// changes no result, as no two of its additions depend on each other. Until the end, the rows of `vector` are
// the eigenvectors.
#include "optimise/eigen.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_SWEEPS = 40 }; // six to ten are usual

static const double NEGLIGIBLE = 0x1p-54; // beside the two diagonal elements

static void rotate(double *restrict p, double *restrict q, int n, double c, double s) {
    for (int k = 0; k < n; k++) {
        double x = p[k], y = q[k];
        p[k] = c * x - s * y;
        q[k] = s * x + c * y;
    }
}

// Turns rows and columns p and q so that the element (p, q) vanishes.
static void annihilate(int n, double *a, double *vector, int p, int q) {
    double *row_p = a + p * n, *row_q = a + q * n;
    double app = row_p[p], aqq = row_q[q], apq = row_p[q];
    double theta = (aqq - app) / (2 * apq); // infinite if apq is tiny: then t is 0
    double t = 1 / (fabs(theta) + sqrt(theta * theta + 1));
    if (theta < 0)
        t = -t;
    double c = 1 / sqrt(t * t + 1), s = t * c;
    rotate(row_p, row_q, n, c, s);
    row_p[p] = app - t * apq;
    row_q[q] = aqq + t * apq;
    row_p[q] = row_q[p] = 0;
    for (int k = 0; k < n; k++)
        if (k != p && k != q) {
            a[k * n + p] = row_p[k];
            a[k * n + q] = row_q[k];
        }
    rotate(vector + p * n, vector + q * n, n, c, s);
}

// <- false: nothing was left to do
static bool sweep(int n, double *a, double *vector) {
    bool changed = false;
    for (int p = 0; p < n - 1; p++)
        for (int q = p + 1; q < n; q++) {
            double size = fabs(a[p * n + q]);
            if (size == 0 || size <= NEGLIGIBLE * sqrt(fabs(a[p * n + p])) * sqrt(fabs(a[q * n + q])))
                continue;
            annihilate(n, a, vector, p, q);
            changed = true;
        }
    return changed;
}

// Of plus and minus one vector, the one whose largest coordinate is positive.
static void fix_sign(double *x, int n) {
    double largest = 0;
    for (int i = 0; i < n; i++)
        if (fabs(x[i]) > fabs(largest))
            largest = x[i];
    for (int i = 0; i < n && largest < 0; i++)
        x[i] = -x[i];
}

// Selection: the first of equal values stays first.
static void sort(int n, double *value, double *vector) {
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (value[j] < value[least])
                least = j;
        if (least == i)
            continue;
        double moved = value[i];
        value[i] = value[least];
        value[least] = moved;
        for (int k = 0; k < n; k++) {
            moved = vector[i * n + k];
            vector[i * n + k] = vector[least * n + k];
            vector[least * n + k] = moved;
        }
    }
}

void eigen_symmetric(int n, double *matrix, double *value, double *vector) {
    memset(vector, 0, (size_t)n * (size_t)n * sizeof *vector);
    for (int i = 0; i < n; i++)
        vector[i * n + i] = 1;
    for (int i = 0; i < MAX_SWEEPS && sweep(n, matrix, vector); i++)
        ;
    for (int i = 0; i < n; i++)
        value[i] = matrix[i * n + i];
    sort(n, value, vector);
    for (int i = 0; i < n; i++)
        fix_sign(vector + i * n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) { // rows become columns
            double moved = vector[i * n + j];
            vector[i * n + j] = vector[j * n + i];
            vector[j * n + i] = moved;
        }
}
