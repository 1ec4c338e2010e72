// SPDX-License-Identifier: GPL-3.0-or-later
// How: a logarithm is k ln 2 + 2 artanh s with s = (m - 1) / (m + 1), an exponential 2^k e^r with |r| <= ln 2
// / 2; both by their power series, which need no tables. The first terms are kept as unevaluated sums of two
// doubles (Dekker 1971; Knuth's two-sum), so that only the last addition rounds noticeably;
// portable_exp_quick alone does without.
#include "base/portable.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Pair {
    double high, low; // the number is their sum; |low| is at most half a unit of high's last place
} Pair;

// ln 2: 32 bits, so that multiples up to 2^21 are exact, and the rest
static const double LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33;

static Pair sum_of(double a, double b) {
    double sum = a + b, part = sum - a;
    return (Pair){sum, (a - (sum - part)) + (b - part)};
}

// For |a| and |b| below 2^990
static Pair product_of(double a, double b) {
    const double splitter = 0x1p27 + 1;
    double a_high = a * splitter - (a * splitter - a), a_low = a - a_high;
    double b_high = b * splitter - (b * splitter - b), b_low = b - b_high;
    double product = a * b;
    return (Pair){product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

// ---- logarithms ----------------------------------------------------------------------------------------

// ln ((1 + f) 2^k) for |f| < 0.42. -> rest  a small part of 1 + f beside f
static Pair log_of(double f, double rest, int k) {
    Pair below = sum_of(2, f); // m + 1
    double s = f / below.high;
    Pair back = product_of(s, below.high);
    double s_low = (((f - back.high) - back.low) - s * below.low + rest) / below.high, square = s * s;
    double series = 0;
    for (int i = 25; i >= 3; i -= 2) // s^25 / 25 < 2^-68
        series = series * square + 1.0 / i;
    Pair sum = sum_of(k * LN2_HIGH, 2 * s);
    sum.low += k * LN2_LOW + (2 * s_low + 2 * s * square * series);
    return sum_of(sum.high, sum.low);
}

// x = m 2^k with sqrt(1/2) <= m < sqrt 2
static Pair log_pair(double x) {
    int k;
    double m = frexp(x, &k);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        k--;
    }
    return log_of(m - 1, 0, k);
}

double portable_log(double x) {
    if (isnan(x) || x < 0)
        return NAN;
    if (x == 0)
        return -INFINITY;
    return isinf(x) ? x : log_pair(x).high;
}

double portable_log1p(double x) {
    if (!(x > -0.25 && x < 0.375)) {
        Pair sum = sum_of(1, x);
        double log = portable_log(sum.high);
        return isfinite(log) ? log + sum.low / sum.high : log;
    }
    return x == 0 ? x : log_of(x, 0, 0).high;
}

// ---- exponentials --------------------------------------------------------------------------------------

// e^r - 1 for |r| <= 0.35. -> rest  a small part of the exponent beside r
static Pair expm1_of(double r, double rest) {
    double series = 0;
    for (int i = 16; i >= 2; i--) // r^16 / 16! < 2^-68
        series = (series * r + 1) / i;
    Pair sum = sum_of(r, r * r * series); // the series begins with 1 / 2
    sum.low += rest + rest * r;
    return sum_of(sum.high, sum.low);
}

// e^(x + rest) = (1 + the result) 2^k
static Pair reduce(double x, double rest, int *k) {
    *k = (int)floor(x * 0x1.71547652b82fep0 + 0.5); // 1 / ln 2
    Pair r = sum_of(x - *k * LN2_HIGH, -*k * LN2_LOW);
    r = sum_of(r.high, r.low + rest);
    return expm1_of(r.high, r.low);
}

static double exp_of(double x, double rest) {
    if (isnan(x) || x > 710 || x < -750)
        return isnan(x) ? x : x > 0 ? INFINITY : 0;
    int k;
    Pair less = reduce(x, rest, &k), sum = sum_of(1, less.high);
    return ldexp(sum.high + (sum.low + less.low), k);
}

double portable_exp(double x) {
    return exp_of(x, 0);
}

// In one double: 2^k as its bits, and a series whose terms are known before.
double portable_exp_quick(double x) {
    static const double part[] = {1.0 / 6227020800,
                                  1.0 / 479001600,
                                  1.0 / 39916800,
                                  1.0 / 3628800,
                                  1.0 / 362880,
                                  1.0 / 40320,
                                  1.0 / 5040,
                                  1.0 / 720,
                                  1.0 / 120,
                                  1.0 / 24,
                                  1.0 / 6,
                                  1.0 / 2,
                                  1,
                                  1};
    if (!(x > -700 && x < 700))
        return portable_exp(x);
    int k = (int)(x * 0x1.71547652b82fep0 + (x > 0 ? 0.5 : -0.5)); // 1 / ln 2; rounded
    double r = (x - k * LN2_HIGH) - k * LN2_LOW, sum = part[0];
    for (size_t i = 1; i < sizeof part / sizeof *part; i++)
        sum = sum * r + part[i];
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

double portable_expm1(double x) {
    if (isnan(x) || x > 50 || x < -50)
        return x < -50 ? -1 : portable_exp(x);
    int k;
    Pair less = reduce(x, 0, &k);
    if (k == 0)
        return less.high; // x itself where that is tiny
    Pair sum = sum_of(ldexp(1, k) - 1, ldexp(less.high, k));
    return sum.high + (sum.low + ldexp(less.low, k));
}

double portable_exp2(double x) {
    if (isnan(x) || x > 1100 || x < -1100)
        return isnan(x) ? x : x > 0 ? INFINITY : 0;
    double whole = floor(x + 0.5), part = x - whole;
    Pair product = product_of(part, LN2_HIGH), r = sum_of(product.high, product.low + part * LN2_LOW);
    return ldexp(exp_of(r.high, r.low), (int)whole);
}

double portable_power(double x, double y) {
    if (y == 0 || x == 1)
        return 1;
    if (isnan(y) || !(x > 0) || isinf(x) || !(fabs(y) < 0x1p900))
        return x == 0 ? (y > 0 ? 0 : INFINITY) : x > 0 ? pow(x, y) : NAN; // limits, which are exact
    Pair log = log_pair(x), power = product_of(log.high, y);
    return exp_of(power.high, power.low + log.low * y);
}

// ---- others --------------------------------------------------------------------------------------------

double portable_length(double x, double y) {
    double larger = fmax(fabs(x), fabs(y)), share = fmin(fabs(x), fabs(y)) / larger;
    if (larger == 0 || !isfinite(x) || !isfinite(y))
        return fabs(x) + fabs(y);
    return larger * sqrt(1 + share * share);
}

double portable_round(double x, int digits) {
    char text[40];
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    return isfinite(x) ? strtod(text, NULL) : x;
}
