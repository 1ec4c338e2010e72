// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE // pipe2
#include "reproduce/command.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/progress.h"
#include "base/text.h"

char *command_fill(const char *text, const char *dir) {
    char *result = NULL;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    for (const char *next; out && (next = strstr(text, "{dir}")); text = next + 5) {
        fwrite(text, 1, (size_t)(next - text), out);
        fputs(dir, out);
    }
    if (out)
        fputs(text, out);
    return text_closed(out, &result);
}

void command_words_free(CommandWords *words) {
    while (words->count > 1)
        free(words->word[--words->count]);
}

bool command_words(const char *command, const char *dir, CommandWords *words, Error *error) {
    char *rest = NULL, *text = strdup(command);
    bool good = text || error_set(error, "Out of memory for a command.");
    *words = (CommandWords){.word = {"tetralab"}, .count = 1};
    for (char *word = text ? strtok_r(text, " \t\n", &rest) : NULL; good && word;
         word = strtok_r(NULL, " \t\n", &rest)) {
        if (words->count == COMMAND_MAX_WORDS - 9)
            good = error_set(error, "The command \"%.60s...\" has more than %d words.", command,
                             COMMAND_MAX_WORDS - 9);
        else if (!(words->word[words->count] = command_fill(word, dir)))
            good = error_set(error, "Out of memory for a command.");
        else
            words->count++;
    }
    free(text);
    return good;
}

// In the child: never returns. Being in a process group of its own, it does not get Ctrl-C from the terminal:
// the parent passes that on, once. If the parent dies, SIGTERM ends it in good order. Errors on the parent's
// standard output are not its own. -> alive  this end of the pipe stays open
static void run(char **word, int count, const char *dir, pid_t parent, int alive, CommandRunner *runner) {
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || nowhere < 0 || fcntl(alive, F_DUPFD_CLOEXEC, 3) < 0 ||
        dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        _exit(EXIT_FAILURE);
    clearerr(stdout);
    int code = runner(dir, count, word);
    fflush(stderr);
    _exit(code);
}

// The child holds the other end of the pipe: when it ends, that closes. A signal ends poll, but not waitpid;
// one that comes just before poll is seen half a second later.
static int wait_for(pid_t child, int pipe_end) {
    struct pollfd ended = {.fd = pipe_end};
    bool told = false;
    int status = 0, events;
    do {
        events = poll(&ended, 1, 500);
        if (progress_interrupted && !told) {
            kill(child, SIGINT);
            told = true;
        }
    } while (events == 0 || (events < 0 && errno == EINTR));
    waitpid(child, &status, 0);
    return status;
}

// <- false: it could not be started, it failed, or it was killed. -> command  for messages
static bool run_words(const CommandWords *words, const char *dir, const char *command, CommandRunner *runner,
                      Error *error) {
    int end[2];
    pid_t parent = getpid();
    fflush(NULL);
    if (pipe2(end, O_CLOEXEC))
        return error_set(error, "A process for \"%.80s\" cannot be started: %s.", command, strerror(errno));
    pid_t child = fork();
    if (child == 0)
        run((char **)words->word, words->count + 2, dir, parent, end[1], runner);
    int trouble = errno;
    close(end[1]);
    int status = child < 0 ? 0 : wait_for(child, end[0]);
    close(end[0]);
    if (child < 0)
        return error_set(error, "A process for \"%.80s\" cannot be started: %s.", command, strerror(trouble));
    if (WIFSIGNALED(status))
        return error_set(error, "\"tetralab %.200s\" was ended by signal %d (%s).", command, WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
    return WEXITSTATUS(status) == EXIT_SUCCESS ||
           error_set(error, "\"tetralab %.200s\" failed; its message stands above.", command);
}

bool command_run(const char *command, const char *dir, const char *output, CommandRunner *runner,
                 Error *error) {
    CommandWords words;
    char *shown = command_fill(command, dir);
    bool good = command_words(command, dir, &words, error);
    if (good) {
        words.word[words.count] = "--json";
        words.word[words.count + 1] = (char *)output;
        words.word[words.count + 2] = NULL;
        good = run_words(&words, dir, shown ? shown : command, runner, error);
    }
    command_words_free(&words);
    free(shown);
    return good;
}

// Equal commands have equal names.
const char *command_output(const char *dir, const char *name, char *path) {
    snprintf(path, 4096, "%.4000s/outputs/%016" PRIx64 ".json", dir,
             hash_bytes(HASH_EMPTY, name, strlen(name)));
    return path;
}
