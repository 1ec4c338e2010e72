// SPDX-License-Identifier: GPL-3.0-or-later
// What measuring and comparing share: results and states of measurements as tetralab.h has them.
#ifndef TETRALAB_API_MEASURING_H
#define TETRALAB_API_MEASURING_H

#include "api/api.h"
#include "tasks/measurement.h"

tetralab_measurement api_measurement(const Measurement *measurement);

#endif
