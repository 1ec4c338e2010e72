// SPDX-License-Identifier: GPL-3.0-or-later
// The classical guess at a strong player's mean from a short run: Fahey's regression of the frequencies of
// pile heights (Thiery & Scherrer, section 5; Amundsen, section 2.6). Biased; here for comparison with
// splitting.
//
// Play n pieces and count after each move how high the pile is. Above the usual heights the frequency falls
// about geometrically, so log f(h) is fitted by a straight line (plain least squares) and extrapolated to the
// first height the board does not have: f(top) is taken for the rate of losses per piece. Then mean pieces
// = 1/f(top) and mean lines = 4/(W f(top)).
//
// The range of the fit: from the first height at which at most a fifth of the moves end that high or higher,
// and which is above the most frequent height, to the last one before any with fewer than HEIGHTS_LEAST_COUNT
// moves; the topmost row is left out, for there the danger of losing already changes the frequencies. At
// least HEIGHTS_LEAST_POINTS heights are needed.
//
// What is wrong with it: the line is not straight (the tail bends), the counts of neighbouring moves are not
// independent, and a loss is not the same as a pile one row too high (a piece can stand up to four rows
// above). The interval is that of the regression alone (Student's, on the log scale, at `top`): it does not
// cover the mean in 95 % of the cases, nor in any stated share.
#ifndef TETRALAB_MEASURE_HEIGHTS_H
#define TETRALAB_MEASURE_HEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/work.h"
#include "game/board.h"
#include "measure/interval.h"
#include "player/player.h"

enum {
    HEIGHTS_SIZE = BOARD_MAX_HEIGHT + 5, // heights 0 ... HEIGHTS_SIZE-1 can be counted
    HEIGHTS_LEAST_COUNT = 30,            // moves at a height for it to be fitted
    HEIGHTS_LEAST_POINTS = 3,
    HEIGHTS_STREAMS = 64,      // the pieces are shared among so many runs with numbers of their own
    HEIGHTS_PIECES = 25000000, // what the thesis played (fig. 2.8); a good default
};

typedef struct HeightsPlan {
    const Player *player;
    uint64_t seed;
    uint64_t pieces; // to play in all, at least HEIGHTS_STREAMS
    Work work;       // unit: pieces
} HeightsPlan;

typedef struct Heights {
    uint64_t at_height[HEIGHTS_SIZE]; // moves after which the pile was so high
    uint64_t pieces, lost;            // played; games lost on the way
    bool fitted;                      // false: too few heights, and all below is NAN or 0
    int low, high;                    // heights that were fitted
    int top;                          // height that was extrapolated to
    double intercept, slope;          // log frequency = intercept + slope * height
    double mean_lines;
    Interval interval; // of the regression; not a confidence interval of the mean
    double seconds;
    bool interrupted; // then the counts are what had been played, which depends on jobs and time
} Heights;

// <- false: the plan is impossible (recorded pieces, too few pieces) or out of memory. A run without
//    enough heights to fit succeeds with fitted = false.
bool heights_run(Heights *heights, const HeightsPlan *plan, Error *error);

// The regression alone, on counts already there (of a journal, or a pilot run): fills `fitted` and all behind
// it up to `interval`.
// -> top  height to extrapolate to: heights_top
void heights_fit(Heights *heights, int width, int top);

// From the counts of a short run: about how many pieces a fit will take.
// <- UINT64_MAX: however many, the board ends before there are HEIGHTS_LEAST_POINTS heights above the usual
//    ones, or none was seen above these
uint64_t heights_needed(const Heights *heights, int top);

// <- the first height that ends a game: H + 1, under the rule `touch` H.
int heights_top(const Rules *rules);

#endif
