// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of a reproduction. Each runs in a process of its own, a copy of this one: it may take all memory,
// fail or be interrupted without the others, and it is exactly what a user gets who types it.
#define _GNU_SOURCE // pipe2
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/app.h"
#include "app/reproduce.h"
#include "base/progress.h"

enum { MOST_WORDS = 200 };

typedef struct Words {
    char *text, *word[MOST_WORDS];
    int count;
} Words;

static bool split(const char *command, Words *words, Error *error) {
    char *rest = NULL;
    *words = (Words){.text = strdup(command), .count = 1};
    words->word[0] = "tetralab";
    for (char *word = words->text ? strtok_r(words->text, " \t\n", &rest) : NULL; word;
         word = strtok_r(NULL, " \t\n", &rest)) {
        if (words->count == MOST_WORDS - 8)
            return error_set(error, "The command \"%.60s...\" has more than %d words.", command,
                             MOST_WORDS - 8);
        words->word[words->count++] = word;
    }
    return words->text ? true : error_set(error, "There is no memory for a command.");
}

// In the child: never returns. In a process group of its own it does not hear Ctrl-C; the parent tells it,
// once. If the parent dies, so does it, in good order.
static void run(Words *words, uint64_t jobs) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        _exit(EXIT_FAILED);
    app_default_jobs = (int)jobs;
    int code = app_main(words->count, words->word);
    fflush(stderr);
    _exit(code);
}

// The child holds the other end of the pipe: when it ends, that closes. A signal ends poll, but not waitpid.
static int wait_for(pid_t child, int pipe_end) {
    struct pollfd ended = {.fd = pipe_end};
    bool told = false;
    int status = 0;
    while (poll(&ended, 1, -1) < 0 && errno == EINTR)
        if (progress_interrupted && !told) {
            kill(child, SIGINT);
            told = true;
        }
    waitpid(child, &status, 0);
    return status;
}

// <- false: it could not be started, it failed, or it was killed
static bool run_words(Words *words, const char *command, uint64_t jobs, Error *error) {
    int end[2];
    fflush(NULL);
    if (pipe2(end, O_CLOEXEC))
        return error_set(error, "A process for \"%.80s\" cannot be started: %s.", command, strerror(errno));
    pid_t child = fork();
    if (child == 0)
        run(words, jobs);
    int trouble = errno;
    close(end[1]);
    int status = child < 0 ? 0 : wait_for(child, end[0]);
    close(end[0]);
    if (child < 0)
        return error_set(error, "A process for \"%.80s\" cannot be started: %s.", command, strerror(trouble));
    if (WIFSIGNALED(status))
        return error_set(error, "\"tetralab %.200s\" was ended by signal %d (%s).", command, WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
    return WEXITSTATUS(status) == EXIT_DONE ||
           error_set(error, "\"tetralab %.200s\" failed; its message stands above.", command);
}

bool reproduce_command(const char *command, const char *output, uint64_t jobs, Error *error) {
    Words words;
    bool good = split(command, &words, error);
    if (good) {
        words.word[words.count++] = "--json";
        words.word[words.count++] = (char *)output;
        words.word[words.count] = NULL;
        good = run_words(&words, command, jobs, error);
    }
    free(words.text);
    return good;
}
