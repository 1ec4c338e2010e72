// SPDX-License-Identifier: GPL-3.0-or-later
// Ratios of means; ratio.h explains the intervals.
#include "measure/ratio.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

static const double TAIL = 0.025;
static const uint64_t FEW_GAMES = 150;      // with more of both, the expansion is good to 1e-5
static const uint64_t MANY_GAMES = 1000000; // with more of one, its part of the error is below 1 %

// log F is the difference of the logarithms of two gamma variables divided by their means, whose cumulants
// are near -1/(2n), 1/n + 1/(2n^2) and -1/n^2; a Cornish-Fisher expansion with the skewness gives the point.
static double expanded_point(double probability, double m, double n) {
    double z = gsl_cdf_ugaussian_Pinv(probability);
    double mean = 1 / (2 * n) - 1 / (2 * m);
    double variance = 1 / m + 1 / (2 * m * m) + 1 / n + 1 / (2 * n * n), third = 1 / (n * n) - 1 / (m * m);
    double fourth = 2 / (m * m * m) + 2 / (n * n * n);
    double skewness = third / pow(variance, 1.5), excess = fourth / (variance * variance);
    double point = z + skewness * (z * z - 1) / 6 + excess * (z * z * z - 3 * z) / 24 -
                   skewness * skewness * (2 * z * z * z - 5 * z) / 36;
    return exp(mean + sqrt(variance) * point);
}

// Halving on the log scale: GSL's distribution function is right where its inverse does not converge.
static double searched_point(double probability, double m, double n) {
    double low = -400, high = 400;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        bool above = probability < 0.5 ? gsl_cdf_fdist_P(exp(middle), 2 * m, 2 * n) > probability
                                       : gsl_cdf_fdist_Q(exp(middle), 2 * m, 2 * n) < 1 - probability;
        if (above)
            high = middle;
        else
            low = middle;
    }
    return exp((low + high) / 2);
}

double ratio_f_point(double probability, uint64_t m, uint64_t n) {
    if (m > FEW_GAMES && n > FEW_GAMES)
        return expanded_point(probability, (double)m, (double)n);
    if (m <= MANY_GAMES && n <= MANY_GAMES)
        return searched_point(probability, (double)m, (double)n);
    // One mean is as good as known: F is the other's chi-square variable divided by its degrees.
    uint64_t few = m < n ? m : n;
    double point = interval_chi_square(m < n ? probability : 1 - probability, 2 * few) / (2 * (double)few);
    return m < n ? point : 1 / point;
}

Ratio ratio_exponential(uint64_t ended_a, double lines_a, uint64_t ended_b, double lines_b) {
    if (ended_a == 0 || ended_b == 0 || lines_a <= 0 || lines_b <= 0)
        return (Ratio){NAN, {0, INFINITY}};
    double value = lines_b / (double)ended_b / (lines_a / (double)ended_a);
    return (Ratio){
        value,
        {value / ratio_f_point(1 - TAIL, ended_b, ended_a), value / ratio_f_point(TAIL, ended_b, ended_a)}};
}

Ratio ratio_combine(double mean_a, Interval a, double mean_b, Interval b) {
    if (!(mean_a > 0 && mean_b > 0 && isfinite(mean_a) && isfinite(mean_b)))
        return (Ratio){NAN, {0, INFINITY}};
    double value = mean_b / mean_a;
    double down = hypot(log(mean_b / b.low), log(a.high / mean_a));
    double up = hypot(log(b.high / mean_b), log(mean_a / a.low));
    return (Ratio){value, {value * exp(-down), value * exp(up)}};
}

double ratio_each_precision(double precision) {
    return expm1(log1p(precision) / sqrt(2)); // on the log scale, errors add like the sides of a triangle
}
