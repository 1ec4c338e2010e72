// SPDX-License-Identifier: GPL-3.0-or-later
// Points of distributions; where GSL goes astray, an approximation or a search of our own.
#include "measure/quantile.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

#include "base/portable.h"

enum { DIGITS = 10, CHI_SQUARE_DEGREES = 2000, STUDENT_DEGREES = 1000 };

static double rounded(double x) {
    return portable_round(x, DIGITS);
}

double quantile_normal(double probability) {
    return rounded(gsl_cdf_ugaussian_Pinv(probability));
}

double quantile_normal_share(double point) {
    return rounded(gsl_cdf_ugaussian_P(point));
}

// Beyond a thousand degrees the first term of its expansion around the normal one.
double quantile_student(double probability, uint64_t degrees) {
    double n = (double)degrees;
    if (degrees <= STUDENT_DEGREES)
        return rounded(gsl_cdf_tdist_Pinv(probability, n));
    double z = quantile_normal(probability);
    return z + (z * z * z + z) / (4 * n);
}

// GSL's inverse goes astray from 2320 degrees on, and from some 50,000 on it fails, which by default ends
// the program. There the cube root of a chi-square variable is as good as normal (Wilson & Hilferty 1931).
double quantile_chi_square(double probability, uint64_t degrees) {
    double n = (double)degrees;
    if (degrees <= CHI_SQUARE_DEGREES)
        return rounded(probability < 0.5 ? gsl_cdf_chisq_Pinv(probability, n)
                                         : gsl_cdf_chisq_Qinv(1 - probability, n));
    double v = 2 / (9 * n), root = 1 - v + quantile_normal(probability) * sqrt(v);
    return n * root * root * root;
}

// Halving on the log scale: GSL's distribution function is right where its inverse does not converge.
double quantile_f(double probability, double m, double n) {
    double low = -400, high = 400;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, x = portable_exp(middle);
        bool above = probability < 0.5 ? gsl_cdf_fdist_P(x, m, n) > probability
                                       : gsl_cdf_fdist_Q(x, m, n) < 1 - probability;
        if (above)
            high = middle;
        else
            low = middle;
    }
    return rounded(portable_exp((low + high) / 2));
}

double quantile_coin(uint64_t heads, uint64_t tosses) {
    return rounded(gsl_cdf_binomial_P((unsigned)heads, 0.5, (unsigned)tosses));
}
