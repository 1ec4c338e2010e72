// SPDX-License-Identifier: GPL-3.0-or-later
// Ratios of means; ratio.h explains the intervals.
#include "measure/ratio.h"

#include <math.h>

#include "base/portable.h"
#include "measure/quantile.h"

static const double TAIL = 0.025;
static const uint64_t FEW_GAMES = 150;      // with more of both, the expansion is good to 1e-5
static const uint64_t MANY_GAMES = 1000000; // with more of one, its part of the error is below 1 %

// log F is the difference of the logarithms of two gamma variables divided by their means, whose cumulants
// are near -1/(2n), 1/n + 1/(2n^2) and -1/n^2; a Cornish-Fisher expansion with the skewness gives the point.
static double expanded_point(double probability, double m, double n) {
    double z = quantile_normal(probability);
    double mean = 1 / (2 * n) - 1 / (2 * m);
    double variance = 1 / m + 1 / (2 * m * m) + 1 / n + 1 / (2 * n * n), third = 1 / (n * n) - 1 / (m * m);
    double fourth = 2 / (m * m * m) + 2 / (n * n * n);
    double skewness = third / (variance * sqrt(variance)), excess = fourth / (variance * variance);
    double point = z + skewness * (z * z - 1) / 6 + excess * (z * z * z - 3 * z) / 24 -
                   skewness * skewness * (2 * z * z * z - 5 * z) / 36;
    return portable_exp(mean + sqrt(variance) * point);
}

double ratio_f_point(double probability, uint64_t m, uint64_t n) {
    if (m > FEW_GAMES && n > FEW_GAMES)
        return expanded_point(probability, (double)m, (double)n);
    if (m <= MANY_GAMES && n <= MANY_GAMES)
        return quantile_f(probability, 2 * (double)m, 2 * (double)n);
    // One mean is as good as known: F is the other's chi-square variable divided by its degrees.
    uint64_t few = m < n ? m : n;
    double point = quantile_chi_square(m < n ? probability : 1 - probability, 2 * few) / (2 * (double)few);
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
    double down = portable_length(portable_log(mean_b / b.low), portable_log(a.high / mean_a));
    double up = portable_length(portable_log(b.high / mean_b), portable_log(mean_a / a.low));
    return (Ratio){value, {value * portable_exp(-down), value * portable_exp(up)}};
}

double ratio_each_precision(double precision) {
    return portable_expm1(portable_log1p(precision) /
                          sqrt(2)); // on the log scale, errors add like the sides of a triangle
}
