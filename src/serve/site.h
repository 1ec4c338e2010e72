// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab serve` shows, apart from all networking: the files of the page, and of the run folders that
// were given the plan, the history and the player. A request names none of them by a path: it is looked up in
// a list of what there is, so that nothing else can be read, whatever it says. Symbolic links inside of these
// folders are not followed.
//
//     /  and  /NAME                        a file of the page
//     /runs.json                           the runs: [{"id": 0, "name": "best-of-three", "bytes": 8123}, ...]
//     /runs/ID/run.json, /runs/ID/best.json
//     /runs/ID/journal.jsonl?from=BYTES    its history from there on
#ifndef TETRALAB_SERVE_SITE_H
#define TETRALAB_SERVE_SITE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct Site Site;

// -> page     the folder of the page
// -> folders  `count` of them: run folders, or folders that hold some
// <- NULL: the error says which cannot be used
Site *site_open(const char *page, const char *const *folders, int count, Error *error);
void site_close(Site *site);

typedef struct SiteAsked {
    const char *method, *path; // "GET", "/runs/0/run.json": as it came, no escape is undone
    const char *host;          // what the request says it is for; NULL: nothing
    const char *from;          // of the query; NULL: none
    uint16_t port;             // that is served
} SiteAsked;

typedef struct SiteAnswer {
    int status;       // 200, 403 (for another host), 404 (not in the list), 405 (neither GET nor HEAD), 500
    const char *type; // its media type; lives for ever
    char *body;       // owned
    size_t length;
} SiteAnswer;

// One request at a time. Free the body.
void site_answer(Site *site, const SiteAsked *asked, SiteAnswer *answer);

#endif
