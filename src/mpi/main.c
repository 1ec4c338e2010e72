// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab-mpi: the commands of tetralab as one program of many processes, started by mpirun. Process 0 runs
// the command; commands that ask for a crew (measure/crew.h) get one of all processes.
//
// When a process dies, mpirun sends the others SIGTERM and, a second later, SIGKILL. The first of these is
// caught: in process 0 the command ends by itself with what it has; the others go on serving until it tells
// them. That one of them does not answer is how process 0 learns of its death; it says so, the command
// writes what it has, and it leaves at once, because MPI_Finalize would wait for the dead.
#include <mpi.h>
#include <unistd.h>

#include "app/app.h"
#include "base/progress.h"
#include "mpi/crew_mpi.h"
#include "mpi/peers.h"
#include "mpi/post.h"
#include "mpi/serve.h"

static const double FAREWELL_SECONDS = 10;

static void say(const char *sentence) {
    fflush(stdout);
    fprintf(stderr, "tetralab-mpi: %s\n", sentence);
    fflush(stderr);
}

static int serve_until_the_end(void) {
    Error error = {""};
    progress_catch_interrupt();
    if (serve(&error) && post_flush(FAREWELL_SECONDS)) {
        MPI_Finalize();
        return EXIT_DONE;
    }
    fprintf(stderr, "tetralab-mpi: process %d on %s: %s\n", post_rank(), peers_host(post_rank()), error.text);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
    return EXIT_FAILED;
}

// mpirun is about to end this process too, and nothing can be finished without the other one.
static void tell_loss(int gone) {
    Error error = {""};
    error_set(
        &error,
        "process %d on %s does not answer any more, so the run has ended. Generations that were complete are "
        "kept: resume with 'learn --resume'. So is a journal: 'measure --resume'.",
        gone, peers_host(gone));
    say(error.text);
}

static int run_command(int argc, char **argv) {
    Error error = {""};
    if (peers_strangers(&error)) {
        say(error.text);
        MPI_Finalize();
        return EXIT_FAILED;
    }
    app_default_jobs = peers_threads();
    if (post_processes() > 1)
        crew_make = crew_mpi;
    crew_mpi_on_loss = tell_loss;
    int code = app_main(argc, argv);
    if (post_processes() > 1 && !crew_mpi_was_used() && code == EXIT_DONE)
        say("this command has run in process 0 alone; play, measure, compare, learn and evaluate use all "
            "processes, but not for heights and players that learn from their games.");
    fflush(stdout);
    fflush(stderr);
    int gone = crew_mpi_lost();
    if (!gone && (gone = peers_dismiss(MESSAGE_END, 0, FAREWELL_SECONDS)))
        tell_loss(gone);
    if (gone)
        _exit(EXIT_FAILED);
    MPI_Finalize();
    return code;
}

int main(int argc, char **argv) {
    Error error = {""};
    int provided;
    if (!app_begin())
        return EXIT_FAILED;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) || provided < MPI_THREAD_FUNNELED) {
        say("the MPI library cannot be used together with threads.");
        return EXIT_FAILED;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (!post_open(&error) || !peers_meet("tetralab-mpi " TETRALAB_VERSION, &error)) {
        if (post_rank() == 0)
            say(error.text);
        MPI_Finalize();
        return EXIT_FAILED;
    }
    return post_rank() == 0 ? run_command(argc, argv) : serve_until_the_end();
}
