// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE // sched_getaffinity
#include "mpi/peers.h"

#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include "mpi/post.h"

typedef struct Card {
    char program[96]; // with the form of its numbers
    char host[92];
    int32_t threads;
} Card;

static Card *cards;

const char *peers_host(int rank) {
    return cards[rank].host;
}

int peers_threads(void) {
    int least = cards[0].threads;
    for (int i = 1; i < post_processes(); i++)
        least = cards[i].threads < least ? cards[i].threads : least;
    return least;
}

// Each core is divided evenly among the processes of this machine that may run on it. <- this one's share,
// rounded down. mpirun binds processes to cores, to sockets or not at all, by rules that change with their
// number.
static int share_of_cores(MPI_Comm machine) {
    int processes;
    MPI_Comm_size(machine, &processes);
    cpu_set_t mine, *all = malloc((size_t)processes * sizeof *all);
    CPU_ZERO(&mine);
    bool known = all && !sched_getaffinity(0, sizeof mine, &mine);
    // A process that does not know its cores must take part nevertheless.
    if (!all || MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, machine) || !known) {
        free(all);
        return pool_cores() / processes;
    }
    double share = 0;
    for (int core = 0; core < CPU_SETSIZE; core++) {
        int users = 0;
        for (int i = 0; i < processes; i++)
            users += CPU_ISSET(core, &all[i]) != 0;
        share += CPU_ISSET(core, &mine) ? 1.0 / users : 0;
    }
    free(all);
    return (int)(share + 1e-6);
}

static int threads_here(void) {
    MPI_Comm machine;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine))
        return 1;
    int threads = share_of_cores(machine);
    MPI_Comm_free(&machine);
    return threads < 1 ? 1 : threads > POOL_MAX_THREADS ? POOL_MAX_THREADS : threads;
}

static void fill_in(Card *card, const char *program) {
    const uint16_t probe = 1;
    snprintf(card->program, sizeof card->program, "%s (%s-endian, %zu-byte messages)", program,
             *(const uint8_t *)&probe ? "little" : "big", sizeof(MessageHead));
    char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int length;
    if (MPI_Get_processor_name(host, &length))
        strcpy(host, "a machine without a name");
    snprintf(card->host, sizeof card->host, "%.90s", host);
    card->threads = threads_here();
}

bool peers_meet(const char *program, Error *error) {
    Card card = {.threads = 0};
    fill_in(&card, program);
    cards = calloc((size_t)post_processes(), sizeof *cards);
    if (!cards)
        return error_set(error, "out of memory for %d processes.", post_processes());
    if (MPI_Allgather(&card, sizeof card, MPI_BYTE, cards, sizeof card, MPI_BYTE, MPI_COMM_WORLD))
        return error_set(error, "MPI failed while the processes introduced themselves.");
    for (int i = 0; i < post_processes(); i++) {
        cards[i].program[sizeof cards[i].program - 1] = cards[i].host[sizeof cards[i].host - 1] = 0;
        if (strcmp(cards[i].program, cards[0].program))
            return error_set(
                error,
                "process %d on %s is %s, but process 0 on %s is %s; start the same program everywhere.", i,
                cards[i].host, cards[i].program, cards[0].host, cards[0].program);
    }
    return true;
}

int peers_dismiss(MessageKind kind, uint64_t round, double seconds) {
    int processes = post_processes(), missing = processes - 1;
    bool *answered = calloc((size_t)processes, sizeof *answered);
    double end = clock_seconds() + seconds;
    for (int i = 1; i < processes; i++)
        post_send(i, kind, &(MessageHead){.round = round}, NULL, 0, NULL);
    Message message;
    Rest rest = {0};
    while (answered && missing > 0 && post_receive(&message, NULL) && clock_seconds() < end) {
        bool bye = message.kind == MESSAGE_BYE && message.head.round == round && !answered[message.from];
        if (bye) {
            answered[message.from] = true;
            missing--;
        } else if (!message.kind) {
            rest_sleep(rest_next(&rest, REST_USUAL));
        }
    }
    int first = 0;
    for (int i = processes - 1; answered && i > 0; i--)
        first = answered[i] ? first : i;
    free(answered);
    return first;
}

bool peers_strangers(Error *error) {
    static const char *const counts[] = {"PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    if (post_processes() > 1 || getenv("OMPI_COMM_WORLD_SIZE"))
        return false;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const char *text = getenv(counts[i]);
        if (text && atoi(text) > 1) {
            error_set(
                error,
                "it was started %d times (%s), but these processes do not find each other: use the mpirun of "
                "the MPI library that it was built with, or srun --mpi=pmix.",
                atoi(text), counts[i]);
            return true;
        }
    }
    return false;
}
