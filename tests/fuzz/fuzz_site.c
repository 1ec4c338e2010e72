// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for requests to `tetralab serve`: method, path, host and query, a line each. Only what may be
// read comes out, and that only for requests that are meant for this machine; the secret beside it never
// does.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/site.h"

enum { PORT = 8000, PARTS = 4, LONGEST = 400 };
static const char secret[] = "secret";

static void require(bool fact) {
    if (!fact)
        abort();
}

static char folder[64];

// A path in the folder, in one of two places by turns.
static const char *in(const char *name) {
    static char path[2][128];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void write_file(const char *name, const char *text) {
    int file = open(in(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text) && !close(file));
}

static const char *const files[] = {"secret",
                                    "page/index.html",
                                    "runs/one/run.json",
                                    "runs/one/journal.jsonl",
                                    "runs/one/inner",
                                    "page/link",
                                    "runs/one",
                                    "runs",
                                    "page",
                                    ""};

static void clean_up(void) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (unlink(in(files[i])))
            rmdir(in(files[i]));
}

static Site *make_site(void) {
    Error error;
    snprintf(folder, sizeof folder, "/dev/shm/tetralab-fuzz-site-%ld", (long)getpid());
    require(!mkdir(folder, 0700) && !mkdir(in("page"), 0700) && !mkdir(in("runs"), 0700) &&
            !mkdir(in("runs/one"), 0700));
    atexit(clean_up);
    write_file("secret", secret);
    write_file("page/index.html", "page");
    write_file("runs/one/run.json", "plan");
    write_file("runs/one/journal.jsonl", "history");
    write_file("runs/one/inner", secret);
    require(!symlink("../secret", in("page/link")));
    const char *runs = in("runs");
    Site *site = site_open(in("page"), &runs, 1, &error);
    require(site);
    return site;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Site *site;
    char part[PARTS][LONGEST + 1] = {""};
    if (!site)
        site = make_site();
    for (int i = 0; i < PARTS; i++) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t length = end ? (size_t)(end - data) : size, kept = length < LONGEST ? length : LONGEST;
        memcpy(part[i], data, kept);
        data += end ? length + 1 : length;
        size -= end ? length + 1 : length;
    }
    SiteAnswer list, answer;
    site_answer(site,
                &(SiteAsked){.method = "GET", .path = "/runs.json", .host = "127.0.0.1:8000", .port = PORT},
                &list);
    require(list.status == 200 && strstr(list.body, "\"one\""));
    free(list.body);
    site_answer(
        site, &(SiteAsked){part[0], part[1], part[2][0] ? part[2] : NULL, part[3][0] ? part[3] : NULL, PORT},
        &answer);
    require(answer.body &&
            (answer.status == 200 || answer.status == 403 || answer.status == 404 || answer.status == 405));
    for (size_t i = 0; i + sizeof secret - 1 <= answer.length; i++)
        require(memcmp(answer.body + i, secret, sizeof secret - 1));
    if (answer.status == 200)
        require(strstr(part[2], ":8000") && (!strcmp(part[0], "GET") || !strcmp(part[0], "HEAD")));
    free(answer.body);
    return 0;
}
