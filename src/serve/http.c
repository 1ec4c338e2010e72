// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/http.h"

#ifdef TETRALAB_HTTP

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS = 64, SECONDS = 20 }; // at a time; without a word

struct Server {
    Site *site;
    struct MHD_Daemon *daemon;
    uint16_t port;
};

// The page gets nothing from elsewhere, and nobody else may have it in a frame.
static const char *const headers[][2] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
     "style-src 'self' 'unsafe-inline'; img-src 'self'; connect-src 'self'; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-cache"},
};

static enum MHD_Result queue(struct MHD_Connection *connection, const SiteAnswer *answer) {
    struct MHD_Response *response =
        MHD_create_response_from_buffer(answer->length, answer->body, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(answer->body);
        return MHD_NO;
    }
    MHD_add_response_header(response, "Content-Type", answer->type);
    if (answer->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, "Allow", "GET, HEAD");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)answer->status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state) {
    static int seen;
    Server *server = context;
    (void)version, (void)upload;
    if (!*state) { // the headers are there; a body, if any, is not looked at
        *state = &seen;
        return MHD_YES;
    }
    if (*upload_size) {
        *upload_size = 0;
        return MHD_YES;
    }
    SiteAsked asked = {.method = method,
                       .path = path,
                       .host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
                       .from = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "from"),
                       .port = server->port};
    SiteAnswer answer;
    site_answer(server->site, &asked, &answer);
    return queue(connection, &answer);
}

// No name here needs an escape, so that none is undone: what looks like another name is none.
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context, (void)connection;
    return strlen(text);
}

// <- a socket that listens on 127.0.0.1 and nowhere else
static int listen_on(uint16_t *port, Error *error) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int one = 1, made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made >= 0 && !setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) &&
        !bind(made, (struct sockaddr *)&address, sizeof address) && !listen(made, CONNECTIONS) &&
        !getsockname(made, (struct sockaddr *)&address, &length)) {
        *port = ntohs(address.sin_port);
        return made;
    }
    if (errno == EADDRINUSE)
        error_set(error, "port %u is taken by another program: give --port another number.", *port);
    else
        error_set(error, "port %u cannot be used: %s.", *port, strerror(errno));
    if (made >= 0)
        close(made);
    return -1;
}

Server *server_start(Site *site, uint16_t port, Error *error) {
    Server *server = malloc(sizeof *server);
    if (!server)
        return error_null(error, "out of memory for a server.");
    *server = (Server){.site = site, .port = port};
    int listening = listen_on(&server->port, error);
    if (listening >= 0)
        server->daemon =
            MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, server->port, NULL, NULL, handle,
                             server, MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_UNESCAPE_CALLBACK,
                             keep_escapes, NULL, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
                             MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SECONDS, MHD_OPTION_END);
    if (server->daemon)
        return server;
    if (listening >= 0) {
        error_set(error, "the server cannot be started.");
        close(listening);
    }
    free(server);
    return NULL;
}

uint16_t server_port(const Server *server) {
    return server->port;
}

void server_stop(Server *server) {
    if (server)
        MHD_stop_daemon(server->daemon);
    free(server);
}

#else

Server *server_start(Site *site, uint16_t port, Error *error) {
    (void)site, (void)port;
    return error_null(error,
                      "this program was built without a web server; install libmicrohttpd (Debian: "
                      "libmicrohttpd-dev) and build it again, or let any other web server serve the page.");
}

uint16_t server_port(const Server *server) {
    (void)server;
    return 0;
}

void server_stop(Server *server) {
    (void)server;
}

#endif
