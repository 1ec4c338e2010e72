// SPDX-License-Identifier: GPL-3.0-or-later
// Points of the distributions behind the intervals, from GSL. Machines differ in how GSL is compiled and
// hence in the last digits of what it returns, so each point is rounded to ten digits: intervals are then the
// same everywhere, and no interval is known so well that it would matter.
#ifndef TETRALAB_MEASURE_QUANTILE_H
#define TETRALAB_MEASURE_QUANTILE_H

#include <stdint.h>

double quantile_normal(double probability);
double quantile_normal_share(double point);                       // the other way round: below this point
double quantile_student(double probability, uint64_t degrees);    // for 1 degree or more
double quantile_chi_square(double probability, uint64_t degrees); // likewise; relative error below 1e-6
double quantile_f(double probability, double m, double n);        // for m and n degrees
double quantile_coin(uint64_t heads, uint64_t tosses);            // chance of so few heads, or fewer

#endif
