// SPDX-License-Identifier: GPL-3.0-or-later
// Logarithms, powers and their relatives, the same to the last bit on every machine. C libraries round them
// differently from one machine or version to the next, some even from one processor to the next. Here they
// consist of additions, multiplications, divisions and square roots in a fixed order, which IEEE 754 defines
// exactly; the build forbids contraction to fused multiply-add (cmake/flags.cmake). They are meant for
// whatever decides a move, a learned number or a printed one; pictures and progress lines may use <math.h>.
//
// Wrong by little more than half a unit in the last place, at most two, but for portable_exp_quick. Arguments
// outside of a function's range give NaN or infinity as those of <math.h> do; none sets errno.
#ifndef TETRALAB_BASE_PORTABLE_H
#define TETRALAB_BASE_PORTABLE_H

double portable_log(double x);              // ln x
double portable_log1p(double x);            // ln (1 + x), also where x is tiny
double portable_exp(double x);              // e^x
double portable_exp_quick(double x);        // likewise, faster, and wrong by up to four units
double portable_expm1(double x);            // e^x - 1, also where x is tiny
double portable_exp2(double x);             // 2^x, exact for whole x
double portable_power(double x, double y);  // x^y for x >= 0
double portable_length(double x, double y); // sqrt (x^2 + y^2)

// -> digits  1 to 17 significant ones to keep. For numbers of a library that computes them in another order
//            on another machine: what differs in the last of 16 digits is the same with ten, but for one in a
//            million.
double portable_round(double x, int digits);

#endif
