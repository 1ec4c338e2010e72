// SPDX-License-Identifier: GPL-3.0-or-later
// Is the file of a database whole? LMDB maps its file and trusts it: on a damaged one it crashes. So the
// pages are checked first, by reading them.
#ifndef TETRALAB_PLAYER_DATABASE_PAGES_H
#define TETRALAB_PLAYER_DATABASE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

// What keeps the pages of one state of the file from being used again: a read transaction.
typedef uint64_t PagesRenew(void *context); // <- number of the newest transaction, kept from now on; 0: none

// The first two pages: is this an LMDB file that can be opened at all?
bool pages_check_head(int file, Error *error);

// The two trees of the file (entries, free pages) and, with `all`, every entry. Without it the pages that
// hold the entries are not read, which are nearly all: except for the first, which holds the mark.
// -> renew     called at least once
// <- entries   without the mark; may be NULL
// On failure the error is the second half of a sentence, as in "page 7 is used twice."
bool pages_check(int file, bool all, PagesRenew *renew, void *context, uint64_t *entries, Error *error);

#endif
