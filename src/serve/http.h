// SPDX-License-Identifier: GPL-3.0-or-later
// A site on the network, but on the loopback interface only: nobody outside this machine can reach it. By
// libmicrohttpd, where it was there when the program was built.
#ifndef TETRALAB_SERVE_HTTP_H
#define TETRALAB_SERVE_HTTP_H

#include "serve/site.h"

typedef struct Server Server;

// Serves in a thread of its own, from now on. The site is used, not copied.
// -> port  0: one that is free
// <- NULL: the error says why: the port is taken, or this build has no server
Server *server_start(Site *site, uint16_t port, Error *error);
uint16_t server_port(const Server *server);
void server_stop(Server *server);

#endif
