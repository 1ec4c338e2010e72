// SPDX-License-Identifier: GPL-3.0-or-later
// The program tetralab.
#include "app/app.h"

int main(int argc, char **argv) {
    return app_begin() ? app_main(argc, argv) : EXIT_FAILED;
}
