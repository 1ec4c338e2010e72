// SPDX-License-Identifier: GPL-3.0-or-later
// The words of strategy files, in the order of their enums, each list ended by NULL.
#ifndef TETRALAB_PLAYER_STRATEGY_NAMES_H
#define TETRALAB_PLAYER_STRATEGY_NAMES_H

extern const char *const strategy_player_names[],
    *const strategy_ties_names[], *const strategy_clear_names[], *const strategy_rating_names[],
                                                                     *const strategy_backup_names[],
                                                                         *const strategy_leaf_names[];

#endif
