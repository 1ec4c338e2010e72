// SPDX-License-Identifier: GPL-3.0-or-later
// The signature: one number for the moves of a fixed set of games. Two builds, kernels or machines that
// print the same one play the same. A change of the rules, of the thesis' features or of built-in strategies
// changes it; features that are added do not.
#ifndef TETRALAB_PLAYER_SIGNATURE_H
#define TETRALAB_PLAYER_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "feature/kernel.h"

// <- *signature  64-bit FNV-1a over (piece, placement, lines) of every move chosen one by one, and over the
//                final positions when the same games are played by player_run
bool signature_make(const Kernel *kernel, uint64_t *signature, Error *error);

#endif
