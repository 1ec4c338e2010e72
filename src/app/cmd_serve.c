// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab serve: the page for browsers, and learning runs while they go on, on this machine only.
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "base/data_folder.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "serve/http.h"

typedef struct ServeOptions {
    AppOptions app;
    uint64_t port;
    const char *page;
} ServeOptions;

static const Field serve_field[] = {
    {"port", FIELD_WHOLE, FIELD_AT(ServeOptions, port), .preset = 8000, .least = 0, .most = 65535,
     .argument = "N", .help = "Where it listens, on 127.0.0.1; 0: a port that is free."},
    {"page", FIELD_STRING, FIELD_AT(ServeOptions, page), .preset = NAN,
     .otherwise = "where 'make web' or 'make install' put it", .argument = "DIR",
     .help = "The folder of the page."},
};

static const char *find_page(char out[DATA_PATH]) {
    if (!data_find("web/index.html", out, NULL))
        return NULL;
    *strrchr(out, '/') = 0;
    return out;
}

static bool serve(Site *site, const ServeOptions *options, bool runs, Error *error) {
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, &before); // for the server's thread too: they are to wake this one
    Server *server = server_start(site, (uint16_t)options->port, error);
    if (server) {
        utf8_print(stdout, "http://127.0.0.1:%u/%s\n", server_port(server), runs ? "runs.html" : "");
        utf8_print(stdout, "Only this machine can see it. Ctrl-C ends it.\n");
        fflush(stdout);
        while (!progress_interrupted)
            sigsuspend(&before);
        server_stop(server);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return server;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const ServeOptions *options = chosen;
    char found[DATA_PATH];
    const char *page = options->page ? options->page : find_page(found);
    if (!page) {
        error_set(error, "the page is not built: 'make web' does it, or --page says where it is.");
        return EXIT_FAILED;
    }
    Site *site = site_open(page, arguments->operand, arguments->operands, error);
    if (!site)
        return EXIT_FAILED;
    progress_catch_interrupt();
    bool good = serve(site, options, arguments->operands > 0, error);
    site_close(site);
    return good ? EXIT_DONE : EXIT_FAILED;
}

const Command command_serve =
    COMMAND("serve", "[DIR...]", ServeOptions, serve_field,
            "Show the page for browsers, and learning runs as they progress, on this machine only",
            "Each DIR is a folder of 'tetralab learn', or holds some of them; their curves are on\n"
            "a page that updates itself. Nothing else can be read.\n");
