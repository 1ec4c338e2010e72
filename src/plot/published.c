// SPDX-License-Identifier: GPL-3.0-or-later
// Published means; all of whole games, most with an interval of 10 to 20 %.
#include "plot/published.h"

#include <string.h>

#define ICGA   "Thiery & Scherrer, ICGA Journal 32, 2009"
#define BOU    "Boumaza, How to design good Tetris players"
#define JMLR   "Scherrer et al., JMLR 16, 2015"
#define THESIS "Amundsen, thesis, NTNU 2014"

static const Published table[] = {
    {"dellacherie", 10, 20, OVERFLOW_LENIENT, 5.2e6, 6.6e6, ICGA "; " BOU},
    {"dellacherie", 10, 20, OVERFLOW_STRICT, 6.7e6, 6.7e6, THESIS},
    {"dellacherie", 10, 16, OVERFLOW_LENIENT, 0.25e6, 0.25e6, BOU},
    {"bcts", 10, 20, OVERFLOW_LENIENT, 35e6, 35e6, ICGA},
    {"bcts", 10, 20, OVERFLOW_STRICT, 31e6, 31e6, JMLR},
    {"bcts", 10, 16, OVERFLOW_LENIENT, 0.91e6, 0.91e6, ICGA},
    {"bcts", 10, 10, OVERFLOW_STRICT, 3800, 3800, JMLR},
    {"bdu", 10, 20, OVERFLOW_LENIENT, 36e6, 36e6, ICGA},
    {"bdu", 10, 16, OVERFLOW_LENIENT, 0.91e6, 0.91e6, ICGA},
    {"ce-d", 10, 20, OVERFLOW_LENIENT, 17e6, 17e6, ICGA},
    {"ce-d", 10, 16, OVERFLOW_LENIENT, 0.53e6, 0.53e6, ICGA},
    {"ga-du", 10, 20, OVERFLOW_STRICT, 32.25e6, 32.25e6, THESIS},
    {"dt-10", 10, 20, OVERFLOW_STRICT, 29e6, 29e6, JMLR},
    {"dt-10", 10, 10, OVERFLOW_STRICT, 5000, 5000, JMLR},
    {"dt-20", 10, 20, OVERFLOW_STRICT, 51e6, 51e6, JMLR},
    {"dt-20", 10, 10, OVERFLOW_STRICT, 4300, 4300, JMLR},
};

static bool is_uniform(const PieceSource *source) {
    for (int p = 1; p < PIECES; p++)
        if (source->weight[p] != source->weight[0])
            return false;
    return source->law == PIECES_INDEPENDENT;
}

const Published *published_find(const char *strategy, const Rules *rules) {
    if (rules->gameover != GAMEOVER_AVOID || rules->original || !is_uniform(&rules->pieces))
        return NULL;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].width == rules->width && table[k].height == rules->height &&
            table[k].overflow == rules->overflow && !strcmp(table[k].strategy, strategy))
            return &table[k];
    return NULL;
}
