// SPDX-License-Identifier: GPL-3.0-or-later
// Kills programs that write to a database (kill -9) at random moments, one writer or two at a time, and looks
// for every state that they had acknowledged. TETRALAB_TEST_EFFORT=1000 kills 100 times; TETRALAB_TEST_FOLDER
// names a folder on the disk to use instead of memory.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "database_fixture.h"
#include "effort.h"

enum { SEED = 11, WRITERS = 2 };

// A writer puts states of its own, 0, 1, 2 ..., over all the rounds of a database.
typedef struct Writer {
    pid_t process;
    int pipe;
    uint64_t number, acknowledged;
} Writer;

static int set_up(void **state) {
    (void)state;
    print_message("seed %d\n", SEED);
    return make_database_folder(getenv("TETRALAB_TEST_FOLDER"));
}

static void made(uint64_t writer, uint64_t k, MadeState *state, Visit *visit) {
    uint64_t index = writer << 40 | k;
    make_state(state, SEED, index, false);
    Random random = random_stream(SEED + 1, index, RANDOM_TEST);
    *visit = make_visit(&random, state);
}

// Acknowledges on the pipe how many states are committed. Ends by being killed, or with a mistake.
static void write_on(const char *path, uint64_t writer, uint64_t k, int out) {
    Error error = {""};
    Database *database = database_open(path, DATABASE_WRITE, &error);
    Random random = random_stream(SEED + 2, writer << 40 | k, RANDOM_TEST);
    bool good = database;
    while (good) {
        uint64_t end = k + 1 + random_below(&random, random_below(&random, 40) ? 300 : 40000);
        for (; good && k < end; k++) {
            MadeState state;
            Visit visit;
            made(writer, k, &state, &visit);
            good = database_put(database, &state.rules, &state.board, state.piece, &visit, &error);
        }
        good = good && database_flush(database, &error) && write(out, &k, sizeof k) == sizeof k;
    }
    fprintf(stderr, "the writer ended: %s\n", error.text);
    _exit(1);
}

static void start(Writer *writer, const char *path) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    writer->process = fork();
    assert_true(writer->process >= 0);
    if (!writer->process) {
        close(ends[0]);
        write_on(path, writer->number, writer->acknowledged, ends[1]);
    }
    close(ends[1]);
    writer->pipe = ends[0];
}

static bool take(Writer *writer) {
    uint64_t count;
    if (read(writer->pipe, &count, sizeof count) != sizeof count)
        return false;
    assert_true(count > writer->acknowledged);
    writer->acknowledged = count;
    return true;
}

static void spin(uint32_t turns) {
    for (volatile uint32_t i = 0; i < turns; i++)
        continue;
}

// After some acknowledgements, or none, and then at any moment.
static void kill_writer(Writer *writer, Random *random) {
    for (uint32_t wait = random_below(random, 12); wait > 0; wait--)
        assert_true(take(writer));
    spin(random_below(random, 1u << random_between(random, 8, 23)));
    assert_int_equal(kill(writer->process, SIGKILL), 0);
    int status;
    assert_int_equal(waitpid(writer->process, &status, 0), writer->process);
    assert_true(WIFSIGNALED(status));
    while (take(writer)) // said before it died
        continue;
    close(writer->pipe);
}

static void check_writer(Database *database, const Writer *writer, uint64_t from) {
    for (uint64_t k = from; k < writer->acknowledged; k++) {
        MadeState state;
        Visit visit, there;
        Error error = {""};
        made(writer->number, k, &state, &visit);
        int found = database_get(database, &state.rules, &state.board, state.piece, &there, &error);
        must(found >= 0, &error);
        if (!found)
            fail_msg("State %llu of writer %llu was acknowledged and is lost.", (unsigned long long)k,
                     (unsigned long long)writer->number);
        assert_true(there.reward >= visit.reward && there.phases >= visit.phases);
        if (there.reward == visit.reward)
            assert_true((there.placements & visit.placements) == visit.placements);
    }
}

static void nothing_acknowledged_is_lost_by_killing(void **unused) {
    (void)unused;
    uint64_t kills = 0, most = test_effort(10), states = 0;
    Random random = random_stream(SEED, 0, RANDOM_TEST);
    Writer writer[WRITERS] = {{.number = 0}, {.number = 1}};
    for (int round = 0; kills < most; round++) {
        if (round % 10 == 0) // also while a database is made
            for (int i = 0; i < WRITERS; i++)
                writer[i].acknowledged = 0;
        char name[32];
        snprintf(name, sizeof name, "kill-%d.db", round / 10);
        const char *path = in_folder(name);
        int writers = 1 + round % WRITERS;
        uint64_t before[WRITERS] = {writer[0].acknowledged, writer[1].acknowledged};
        for (int i = 0; i < writers; i++)
            start(&writer[i], path);
        for (int i = 0; i < writers; i++, kills++)
            kill_writer(&writer[i], &random);
        if (access(path, F_OK)) {
            assert_int_equal(writer[0].acknowledged + writer[1].acknowledged, 0);
            continue;
        }
        Error error = {""};
        Database *database = must_open(path, DATABASE_WRITE); // an empty file may be all that was made
        must(database_verify(database, NULL, &error), &error);
        for (int i = 0; i < WRITERS; i++) {
            check_writer(database, &writer[i], round % 10 == 9 ? 0 : before[i]);
            states += writer[i].acknowledged - before[i];
        }
        must_close(database);
    }
    print_message("%llu writers killed, %llu acknowledged states found\n", (unsigned long long)kills,
                  (unsigned long long)states);
    assert_true(states > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_acknowledged_is_lost_by_killing)};
    return cmocka_run_group_tests(tests, set_up, remove_database_folder);
}
