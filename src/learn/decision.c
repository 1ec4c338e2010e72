// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/decision.h"

#include "base/portable.h"

static double rate_option(const Decision *decision, const Option *option, const double *weight) {
    double sum = 0;
    for (int d = option->first; d < option->first + option->count; d++)
        sum += weight[decision->difference[d].index] * (double)decision->difference[d].value;
    return sum;
}

int decision_study(const Decision *decision, const double *weight, double temperature, double *gradient) {
    double rating[PLACEMENTS], highest = 0, own = 0, teachers = 0;
    int chosen = 0;
    for (int i = 0; i < decision->options; i++) {
        rating[i] = rate_option(decision, &decision->option[i], weight);
        if (rating[i] >= highest) {
            highest = rating[i];
            chosen = i;
        }
    }
    for (int i = 0; i < decision->options; i++) {
        own += portable_exp(rating[i] - highest);
        teachers += portable_exp((double)decision->option[i].value / temperature);
    }
    for (int i = 1; i < decision->options; i++) {
        const Option *option = &decision->option[i];
        double wanted = portable_exp((double)option->value / temperature) / teachers;
        double share = wanted - portable_exp(rating[i] - highest) / own;
        for (int d = option->first; d < option->first + option->count; d++)
            gradient[decision->difference[d].index] += share * (double)decision->difference[d].value;
    }
    return chosen;
}
