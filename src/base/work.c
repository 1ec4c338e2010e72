// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/work.h"

#include "base/clock.h"
#include "base/pool.h"

bool work_is_stopped(const Work *work) {
    return work && (pool_stopped(work->stop) || (work->deadline > 0 && clock_seconds() >= work->deadline));
}

void work_tell(const Work *work, const Advance *advance) {
    if (work->progress)
        work->progress(work->context, advance);
}
