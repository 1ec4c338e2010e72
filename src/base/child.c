// SPDX-License-Identifier: GPL-3.0-or-later
// Three processes: this one, the watcher and the program. The watcher holds one end of a pipe that nobody
// ever writes to, and nothing else that is open. When our end is closed, by child_end or by our own end, it
// kills the program's process group.
#define _GNU_SOURCE
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lines.h"

struct Child {
    pid_t watcher;
    int input, life; // input: its standard input; life: the pipe to the watcher
    LineReader output;
};

typedef struct Pipes { // [0] is read from, [1] written to
    int input[2], output[2], life[2], status[2];
} Pipes;

static void close_file(int *file) {
    if (*file >= 0)
        close(*file);
    *file = -1;
}

static void close_pipes(Pipes *pipes) {
    int *all[] = {pipes->input, pipes->output, pipes->life, pipes->status};
    for (int i = 0; i < 4; i++)
        for (int end = 0; end < 2; end++)
            close_file(&all[i][end]);
}

static bool open_pipes(Pipes *pipes) {
    int *all[] = {pipes->input, pipes->output, pipes->life, pipes->status};
    for (int i = 0; i < 4; i++)
        all[i][0] = all[i][1] = -1;
    for (int i = 0; i < 4; i++)
        if (pipe2(all[i], O_CLOEXEC) < 0)
            return false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Behind the fork only what is safe in a copy of one thread of many

static _Noreturn void give_up(const Pipes *pipes) {
    int reason = errno;
    ssize_t ignored = write(pipes->status[1], &reason, sizeof reason);
    (void)ignored;
    _exit(127);
}

static void become_program(const char *const *arguments, const Pipes *pipes) {
    sigset_t none;
    setpgid(0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (dup2(pipes->input[0], STDIN_FILENO) >= 0 && dup2(pipes->output[1], STDOUT_FILENO) >= 0)
        execvp(arguments[0], (char *const *)arguments);
    give_up(pipes);
}

static void close_all_but(int kept) {
    int first = dup2(kept, 3) >= 0 ? 4 : kept + 1;
    if (close_range((unsigned)first, ~0u, 0) < 0)
        for (int file = first; file < 65536; file++)
            close(file);
    for (int file = 0; file < 3; file++)
        close(file);
}

static void watch(const char *const *arguments, const Pipes *pipes) {
    char byte;
    sigset_t all;
    sigfillset(&all); // what is typed at the terminal is for the others
    sigprocmask(SIG_SETMASK, &all, NULL);
    pid_t program = fork();
    if (program == 0)
        become_program(arguments, pipes);
    if (program < 0)
        give_up(pipes);
    setpgid(program, program);
    close_all_but(pipes->life[0]);
    while (read(3, &byte, 1) < 0 && errno == EINTR)
        ;
    kill(-program, SIGKILL);
    kill(program, SIGKILL);
    while (waitpid(program, NULL, 0) < 0 && errno == EINTR)
        ;
    _exit(0);
}

// ---------------------------------------------------------------------------------------------------

// <- 0, or why the program could not be started
static int read_status(int status) {
    int reason = 0;
    ssize_t got;
    do
        got = read(status, &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof reason ? reason : 0;
}

static bool take_pipes(Child *child, Pipes *pipes, size_t line_limit, Error *error) {
    if (!lines_open(&child->output, pipes->output[0], line_limit, error))
        return false;
    child->input = pipes->input[1];
    child->life = pipes->life[1];
    pipes->input[1] = pipes->output[0] = pipes->life[1] = -1;
    fcntl(child->input, F_SETFL, O_NONBLOCK);
    fcntl(child->output.file, F_SETFL, O_NONBLOCK);
    return true;
}

static bool start(Child *child, const char *const *arguments, size_t line_limit, Error *error) {
    Pipes pipes;
    bool opened = open_pipes(&pipes);
    child->watcher = opened ? fork() : -1;
    if (child->watcher == 0)
        watch(arguments, &pipes);
    int reason = child->watcher < 0 ? errno : 0;
    close_file(&pipes.input[0]);
    close_file(&pipes.output[1]);
    close_file(&pipes.life[0]);
    close_file(&pipes.status[1]);
    if (!reason)
        reason = read_status(pipes.status[0]);
    bool good = !reason || error_set(error, "cannot start %.200s: %s.", arguments[0], strerror(reason));
    good = good && take_pipes(child, &pipes, line_limit, error);
    close_pipes(&pipes);
    return good;
}

Child *child_start(const char *const *arguments, size_t line_limit, Error *error) {
    Child *child = calloc(1, sizeof *child);
    if (!child)
        return error_null(error, "Out of memory: cannot start %.200s.", arguments[0]);
    *child = (Child){.watcher = -1, .input = -1, .life = -1, .output = {.file = -1}};
    if (start(child, arguments, line_limit, error))
        return child;
    child_end(child);
    return NULL;
}

void child_end(Child *child) {
    if (!child)
        return;
    close_file(&child->life);
    if (child->watcher > 0)
        while (waitpid(child->watcher, NULL, 0) < 0 && errno == EINTR)
            ;
    close_file(&child->input);
    close_file(&child->output.file);
    lines_close(&child->output);
    free(child);
}

// ---------------------------------------------------------------------------------------------------
// Talking

// <- does the file have something to say before the deadline?
static bool wait_for(int file, short event, double deadline) {
    struct pollfd wanted = {.fd = file, .events = event};
    for (;;) {
        double left = deadline - clock_seconds();
        int ready = poll(&wanted, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
        if (ready > 0)
            return true;
        if (left <= 0 || (ready < 0 && errno != EINTR))
            return false;
    }
}

// A write without SIGPIPE: this thread does not take it, and what is raised is taken back.
static ssize_t write_quietly(int file, const char *text, size_t length) {
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    bool raised = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    ssize_t written = write(file, text, length);
    int reason = errno;
    if (written < 0 && reason == EPIPE && !raised) {
        struct timespec none = {0};
        while (sigtimedwait(&pipe_signal, NULL, &none) < 0 && errno == EINTR)
            ;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return written;
}

ChildEvent child_write(Child *child, const char *text, size_t length, double deadline) {
    while (length) {
        ssize_t written = write_quietly(child->input, text, length);
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        } else if (errno == EPIPE) {
            return CHILD_GONE;
        } else if (errno == EAGAIN) {
            if (!wait_for(child->input, POLLOUT, deadline))
                return CHILD_LATE;
        } else if (errno != EINTR) {
            return CHILD_FAILED;
        }
    }
    return CHILD_DONE;
}

ChildEvent child_read(Child *child, double deadline, const char **text, size_t *length) {
    for (;;) {
        switch (lines_next(&child->output, text, length)) {
        case LINE_TAKEN:
            return CHILD_DONE;
        case LINE_TOO_LONG:
            return CHILD_TOO_LONG;
        case LINE_END:
            return CHILD_GONE;
        case LINE_WAIT:
            break;
        }
        if (!wait_for(child->output.file, POLLIN, deadline))
            return CHILD_LATE;
        if (!lines_fill(&child->output, NULL))
            return CHILD_FAILED;
    }
}
