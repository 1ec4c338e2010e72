// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"

bool error_set(Error *error, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        char text[sizeof error->text]; // names from outside may hold anything
        int length = vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        utf8_clean(error->text, sizeof error->text, text,
                   length < (int)sizeof text ? (size_t)(length > 0 ? length : 0) : sizeof text - 1);
    }
    return false;
}
