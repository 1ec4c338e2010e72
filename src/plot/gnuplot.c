// SPDX-License-Identifier: GPL-3.0-or-later
// Running gnuplot; gnuplot.h explains it. Its three streams are files without a name: no pipe can fill up,
// and nothing is left behind.
#define _GNU_SOURCE // memmem
#include "plot/gnuplot.h"

#include <assert.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>

#include "base/text.h"

extern char **environ;

// ---------------------------------------------------------------------------------------------------
// Formats

typedef struct Format {
    const char *ending, *terminal, *font;
    bool paper;                // its size is in inches, of which a pixel is the 72nd part
    const char *before, *date; // what stands before the time at which it was made, and a time of that form
} Format;

static const Format formats[] = {
    {".svg", "svg dynamic", "Helvetica,Arial,sans-serif", false, NULL, NULL},
    {".png", "pngcairo", "sans", false, NULL, NULL},
    {".pdf", "pdfcairo fontscale 1 linewidth 2", "sans", true, "/CreationDate (D:", "20000101000000Z"},
    {".eps", "epscairo fontscale 1 linewidth 2", "sans", true,
     "%%CreationDate: ", "Sat Jan  1 00:00:00 2000"},
};

static const Format *format_of(const char *path) {
    size_t length = strlen(path);
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        size_t ending = strlen(formats[k].ending);
        if (length > ending && !strcasecmp(path + length - ending, formats[k].ending))
            return &formats[k];
    }
    return NULL;
}

bool gnuplot_knows(const char *path) {
    return format_of(path);
}

bool gnuplot_check(const char *path, Error *error) {
    if (!gnuplot_knows(path))
        return error_set(error,
                         "A plot is written as .svg, .png, .pdf or .eps, and \"%s\" ends in none of these; "
                         "name it so, as in scores.svg.",
                         path);
    return text_can_write(path, error);
}

// In single quotes only the quote itself has a meaning, and is doubled.
const char *gnuplot_string(const char *text, char out[GNUPLOT_TEXT]) {
    size_t quotes = strspn(text, "'"), at = 0;
    assert(strlen(text) < GNUPLOT_TEXT / 2 - 4);
    // gnuplot 5.4 misreads a quoted text that begins with quotes: these go into one of the other kind.
    if (quotes)
        at = (size_t)snprintf(out, GNUPLOT_TEXT, "\"%.*s\".", (int)quotes, text);
    out[at++] = '\'';
    for (text += quotes; *text; text++) {
        if (*text == '\'')
            out[at++] = '\'';
        out[at++] = *text;
    }
    strcpy(out + at, "'");
    return out;
}

void gnuplot_begin(FILE *script, const char *path, int width, int height) {
    const Format *format = format_of(path) ? format_of(path) : &formats[0];
    double unit = format->paper ? 72 : 1;
    const char *inches = format->paper ? "in" : "";
    fprintf(script,
            "set encoding utf8\n"
            "set terminal %s noenhanced size %.7g%s,%.7g%s font '%s,13' background '#ffffff'\n",
            format->terminal, width / unit, inches, height / unit, inches, format->font);
}

// The same plot is the same file: the time at which it was made is overwritten.
static void forget_time(const char *path, char *picture, size_t length) {
    const Format *format = format_of(path);
    char *at = format->date ? memmem(picture, length, format->before, strlen(format->before)) : NULL;
    if (at && (size_t)(picture + length - at) > strlen(format->before) + strlen(format->date))
        memcpy(at + strlen(format->before), format->date, strlen(format->date));
}

// ---------------------------------------------------------------------------------------------------
// The program

enum { IN, OUT, ERR, STREAMS };

static void close_streams(FILE *stream[STREAMS]) {
    for (int k = 0; k < STREAMS; k++)
        if (stream[k])
            fclose(stream[k]);
}

static bool open_streams(FILE *stream[STREAMS], const char *script, size_t length, Error *error) {
    for (int k = 0; k < STREAMS; k++)
        stream[k] = tmpfile();
    if (stream[IN] && stream[OUT] && stream[ERR] && fwrite(script, 1, length, stream[IN]) == length &&
        !fflush(stream[IN])) {
        rewind(stream[IN]);
        return true;
    }
    return error_set(error, "cannot write a temporary file for gnuplot: %s.", strerror(errno));
}

// Ours, but in universal time: a picture that names its time zone would be another one elsewhere.
// <- free() it; the words in it are not owned. NULL: no memory
static char **environment(void) {
    static char zone[] = "TZ=UTC0";
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **own = malloc((count + 2) * sizeof *own);
    for (size_t k = 0; own && k < count; k++)
        if (strncmp(environ[k], "TZ=", 3) != 0)
            own[kept++] = environ[k];
    if (own) {
        own[kept++] = zone;
        own[kept] = NULL;
    }
    return own;
}

// <- the number of the process that runs gnuplot, 0: it could not be started, errno says why
static pid_t start(FILE *stream[STREAMS]) {
    static char program[] = "gnuplot", no_settings[] = "--default-settings", standard_input[] = "-";
    char *arguments[] = {program, no_settings, standard_input, NULL};
    posix_spawn_file_actions_t actions;
    pid_t process = 0;
    char **own = environment();
    int code = own ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    if (!code) {
        for (int k = 0; k < STREAMS && !code; k++)
            code = posix_spawn_file_actions_adddup2(&actions, fileno(stream[k]), k);
        if (!code)
            code = posix_spawnp(&process, program, &actions, NULL, arguments, own);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(own);
    errno = code;
    return code ? 0 : process;
}

// <- the file's bytes; free() them
static char *read_all(FILE *file, size_t *length) {
    long size = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    char *text = size >= 0 && size <= TEXT_FILE_LIMIT ? malloc((size_t)size + 1) : NULL;
    if (!text)
        return NULL;
    rewind(file);
    *length = fread(text, 1, (size_t)size, file);
    text[*length] = 0;
    return text;
}

// The line of gnuplot's complaint that says what is wrong: its last one that is not empty.
static void last_words(FILE *file, char out[200]) {
    size_t length = 0;
    char *text = read_all(file, &length), *last = NULL;
    for (char *line = text ? strtok(text, "\r\n") : NULL; line; line = strtok(NULL, "\r\n"))
        if (line[strspn(line, " \t^")])
            last = line + strspn(line, " \t");
    snprintf(out, 200, "%s", last ? last : "it does not say why");
    free(text);
}

static bool run(const char *path, FILE *stream[STREAMS], Error *error) {
    pid_t process = start(stream);
    if (!process && errno == ENOENT)
        return error_set(error, "gnuplot is not installed (Debian package gnuplot-nox), so %s was not drawn",
                         path);
    if (!process)
        return error_set(error, "gnuplot could not be started (%s), so %s was not drawn", strerror(errno),
                         path);
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return error_set(error, "gnuplot got lost (%s), so %s was not drawn", strerror(errno), path);
    char words[200];
    last_words(stream[ERR], words);
    if (WIFSIGNALED(status))
        return error_set(error, "gnuplot was ended by signal %d, so %s was not drawn", WTERMSIG(status),
                         path);
    if (WEXITSTATUS(status) == 127) // where posix_spawnp tells the failure only so
        return error_set(error, "gnuplot could not be run (exit code 127), so %s was not drawn", path);
    if (WEXITSTATUS(status))
        return error_set(error, "gnuplot failed with exit code %d (%s), so %s was not drawn",
                         WEXITSTATUS(status), words, path);
    return true;
}

static bool keep_script(const char *path, const char *script, size_t length, Error *error) {
    char kept[4400];
    Error why = *error, other;
    snprintf(kept, sizeof kept, "%.4300s.gnuplot", path);
    if (text_write_file(kept, script, length, &other))
        return error_set(error, "%.380s; its script is kept: 'gnuplot %.80s' prints the picture.", why.text,
                         kept);
    return error_set(error, "%.500s.", why.text);
}

bool gnuplot_draw(const char *path, const char *script, size_t length, Error *error) {
    Error own;
    error = error ? error : &own;
    if (!gnuplot_check(path, error))
        return false;
    FILE *stream[STREAMS];
    if (!open_streams(stream, script, length, error)) {
        close_streams(stream);
        return false;
    }
    bool good = run(path, stream, error) || keep_script(path, script, length, error);
    if (good) {
        size_t size = 0;
        char *picture = read_all(stream[OUT], &size);
        if (picture)
            forget_time(path, picture, size);
        good = picture && size ? text_write_file(path, picture, size, error)
                               : error_set(error, "gnuplot printed no picture for %s.", path);
        free(picture);
    }
    close_streams(stream);
    return good;
}
