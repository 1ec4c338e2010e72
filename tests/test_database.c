// SPDX-License-Identifier: GPL-3.0-or-later
// The database of visited states: against a plain array under random operations; several handles, threads and
// processes; every refusal; damaged files, which must never crash it or give wrong states.
#define _GNU_SOURCE // memmem
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/clock.h"
#include "base/text.h"
#include "database_fixture.h"
#include "effort.h"

enum { SEED = 5 };

static int set_up(void **state) {
    (void)state;
    print_message("seed %d\n", SEED);
    return make_database_folder(NULL);
}

static void put_state(Database *database, const MadeState *state, const Visit *visit) {
    Error error = {""};
    must(database_put(database, &state->rules, &state->board, state->piece, visit, &error), &error);
}

static int get_state(Database *database, const MadeState *state, Visit *visit) {
    Error error = {""};
    int found = database_get(database, &state->rules, &state->board, state->piece, visit, &error);
    must(found >= 0, &error);
    return found;
}

// Puts states first ... first + count - 1, each with a visit of its own.
static void put_many(Database *database, uint64_t first, uint64_t count) {
    for (uint64_t k = first; k < first + count; k++) {
        MadeState state;
        make_state(&state, SEED, k, false);
        Random random = random_stream(SEED + 1, k, RANDOM_TEST);
        Visit visit = make_visit(&random, &state);
        put_state(database, &state, &visit);
    }
}

// ---------------------------------------------------------------------------------------------------
// Meaning

static void the_larger_reward_wins_and_equal_ones_merge(void **unused) {
    (void)unused;
    Visit a = {0.3, 1, 10}, b = {0.4, 2, 5}, c = {0.4, 5, INT64_MAX};
    Visit wins = {0.4, 2, 15}, merged = {0.4, 7, INT64_MAX};
    Visit ab = visit_combine(&a, &b), ba = visit_combine(&b, &a), bc = visit_combine(&b, &c);
    assert_visits_equal(&ab, &wins);
    assert_visits_equal(&ba, &wins);
    assert_visits_equal(&bc, &merged);
}

typedef struct Known {
    MadeState state;
    bool stored;
    int puts;
    Visit visit;
} Known;

static void check_known(Database *database, const Known *known) {
    Visit visit;
    assert_int_equal(get_state(database, &known->state, &visit), known->stored);
    if (known->stored)
        assert_visits_equal(&visit, &known->visit);
}

typedef struct Counted {
    uint64_t states, phases;
    char last[64];
    int rules;
} Counted;

static bool count_state(void *context, const VisitedState *state) {
    Counted *counted = context;
    counted->states++;
    counted->phases += state->visit.phases;
    counted->rules += strcmp(state->rules, counted->last) != 0;
    snprintf(counted->last, sizeof counted->last, "%s", state->rules);
    assert_in_range(state->piece, 0, PIECES - 1);
    assert_true(board_pile_height(&state->board, state->width) <= state->height);
    return true;
}

static void check_all(Database *database, const Known *known, int count) {
    Error error = {""};
    DatabaseStat stat;
    Counted counted = {0};
    uint64_t states = 0, phases = 0, again = 0, verified = 0;
    for (int i = 0; i < count; i++) {
        check_known(database, &known[i]);
        states += known[i].stored;
        phases += known[i].stored ? known[i].visit.phases : 0;
        again += known[i].puts > 1;
    }
    must(database_stat(database, &stat, &error), &error);
    must(database_each(database, count_state, &counted, &error), &error);
    must(database_verify(database, &verified, &error), &error);
    assert_int_equal(stat.states, states);
    assert_int_equal(counted.states, states);
    assert_int_equal(verified, states);
    assert_int_equal(stat.phases, phases);
    assert_int_equal(counted.phases, phases);
    assert_int_equal(stat.rules, counted.rules);
    assert_true(stat.revisits == (states ? (double)again / (double)states : 0));
}

static bool same_state(const MadeState *a, const MadeState *b) {
    const Rules *x = &a->rules, *y = &b->rules;
    return a->piece == b->piece && x->width == y->width && x->height == y->height &&
           x->overflow == y->overflow && x->gameover == y->gameover && x->original == y->original &&
           !memcmp(&a->board, &b->board, sizeof a->board);
}

// States that are all different: empty boards come up often.
static Known *make_known(int count) {
    Known *known = calloc((size_t)count, sizeof *known);
    assert_non_null(known);
    for (int i = 0, k = 0; i < count; k++) {
        make_state(&known[i].state, SEED, (uint64_t)k, k % 2);
        int j = 0;
        while (j < i && !same_state(&known[i].state, &known[j].state))
            j++;
        i += j == i;
    }
    return known;
}

static void random_operations_agree_with_an_array(void **unused) {
    (void)unused;
    enum { STATES = 600 };
    const char *path = in_folder("random.db");
    Known *known = make_known(STATES);
    Error error = {""};
    Random random = random_stream(SEED, 0, RANDOM_TEST);
    Database *database = must_open(path, DATABASE_WRITE);
    uint64_t operations = test_effort(40000);
    for (uint64_t i = 0; i < operations; i++) {
        Known *one = &known[random_below(&random, STATES)];
        uint32_t what = random_below(&random, 1000);
        if (what < 500) {
            Visit visit = make_visit(&random, &one->state);
            put_state(database, &one->state, &visit);
            one->visit = one->stored ? visit_combine(&one->visit, &visit) : visit;
            one->stored = true;
            one->puts++;
        } else if (what < 990) {
            check_known(database, one);
        } else if (what < 997) {
            must(database_flush(database, &error), &error);
        } else if (what < 999) {
            must_close(database);
            database = must_open(path, DATABASE_WRITE);
        } else {
            check_all(database, known, STATES);
        }
    }
    must_close(database);
    database = must_open(path, DATABASE_READ);
    check_all(database, known, STATES);
    must(database_compact(database, in_folder("compact.db"), &error), &error);
    must_close(database);
    database = must_open(in_folder("compact.db"), DATABASE_WRITE);
    check_all(database, known, STATES);
    must_close(database);
    free(known);
}

static bool keep_state(void *context, const VisitedState *state) {
    *(VisitedState *)context = *state;
    return true;
}

static void a_full_board_of_the_largest_size_comes_back(void **unused) {
    (void)unused;
    MadeState state = {.piece = PIECE_T};
    VisitedState kept;
    rules_default(&state.rules);
    state.rules.width = 14;
    state.rules.height = 27;
    state.rules.overflow = OVERFLOW_TOUCH;
    state.rules.gameover = GAMEOVER_EVALUATE;
    for (int x = 0; x < 14; x++)
        state.board.column[x] = (1u << 27) - 1;
    Error error = {""};
    Visit visit = {-1, 1, 0};
    Database *database = must_open(in_folder("large.db"), DATABASE_WRITE);
    put_state(database, &state, &visit);
    must(database_each(database, keep_state, &kept, &error), &error);
    assert_string_equal(kept.rules, "14x27 touch evaluate simplified");
    assert_int_equal(kept.width, 14);
    assert_int_equal(kept.height, 27);
    assert_memory_equal(&kept.board, &state.board, sizeof kept.board);
    assert_int_equal(kept.piece, PIECE_T);
    must_close(database);
}

static void what_cannot_be_is_refused(void **unused) {
    (void)unused;
    Database *database = must_open(in_folder("refuse.db"), DATABASE_WRITE);
    Rules rules;
    rules_default(&rules);
    Board empty = {0}, outside = {0}, above = {0};
    outside.column[10] = 1;
    above.column[3] = 1u << 20;
    Visit good = {0, 1, 1}, nan = {NAN, 1, 1}, infinite = {-INFINITY, 1, 1}, none = {0, 0, 1},
          far = {0, 1 << 9, 1};
    const struct {
        const Board *board;
        int piece;
        const Visit *visit;
        const char *sentence;
    } table[] = {
        {&empty, PIECE_O, &nan, "no finite number"},    {&empty, PIECE_O, &infinite, "no finite number"},
        {&empty, PIECE_O, &none, "no placement"},       {&empty, PIECE_O, &far, "piece O cannot have"},
        {&empty, PIECES, &good, "piece from 0 to 6"},   {&empty, -1, &good, "piece from 0 to 6"},
        {&outside, PIECE_O, &good, "outside of 10x20"}, {&above, PIECE_O, &good, "outside of 10x20"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        Error error = {""};
        assert_false(database_put(database, &rules, table[i].board, table[i].piece, table[i].visit, &error));
        assert_holds(error.text, table[i].sentence);
    }
    Error error = {""};
    DatabaseStat stat;
    must(database_stat(database, &stat, &error), &error);
    assert_int_equal(stat.states, 0);
    must_close(database);
}

// ---------------------------------------------------------------------------------------------------
// Files

static void assert_refused(const char *path, DatabaseMode mode, const char *sentence) {
    Error error = {""};
    assert_null(database_open(path, mode, &error));
    assert_holds(error.text, sentence);
}

static void write_bytes(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static char *read_bytes(const char *path, size_t *length) {
    Error error = {""};
    char *bytes = text_read_file(path, length, &error);
    must(bytes, &error);
    return bytes;
}

// Neither refusal nor anything else may have changed it.
static void assert_file_is(const char *path, const void *bytes, size_t length) {
    size_t now;
    char *text = read_bytes(path, &now);
    assert_int_equal(now, length);
    assert_memory_equal(text, bytes, length);
    free(text);
}

// Runs SQL on a file, as any program may.
static void run_sql(const char *path, const char *text) {
    sqlite3 *sql;
    assert_int_equal(sqlite3_open(path, &sql), SQLITE_OK);
    if (sqlite3_exec(sql, text, NULL, NULL, NULL))
        fail_msg("%s: %s", text, sqlite3_errmsg(sql));
    assert_int_equal(sqlite3_close(sql), SQLITE_OK);
}

static void other_files_are_refused_and_not_touched(void **unused) {
    (void)unused;
    for (int mode = DATABASE_READ; mode <= DATABASE_WRITE; mode++) {
        const char *path = in_folder("foreign");
        assert_refused("-", (DatabaseMode)mode, "needs the name of a file");
        assert_refused("", (DatabaseMode)mode, "needs the name of a file");
        assert_refused(database_folder, (DatabaseMode)mode, "is a folder");
        assert_refused("/dev/null", (DatabaseMode)mode, "no ordinary file");
        char text[20000];
        memset(text, 'x', sizeof text);
        for (size_t length = 1; length <= sizeof text; length = length * 3 + 1) {
            write_bytes(path, text, length);
            assert_refused(path, (DatabaseMode)mode, "no database of visited states");
            assert_file_is(path, text, length);
        }
        unlink(path);
        run_sql(path, "CREATE TABLE states(key, value); INSERT INTO states VALUES(1, 2)");
        size_t length;
        char *bytes = read_bytes(path, &length);
        assert_refused(path, (DatabaseMode)mode, "a file of another program");
        assert_file_is(path, bytes, length);
        free(bytes);
        unlink(path);
    }
    write_bytes(in_folder("empty.db"), "", 0); // as a program leaves it that is killed while it makes one
    assert_refused(in_folder("empty.db"), DATABASE_READ, "is empty");
    assert_file_is(in_folder("empty.db"), "", 0);
    must_close(must_open(in_folder("empty.db"), DATABASE_WRITE));
    must_close(must_open(in_folder("empty.db"), DATABASE_READ));
    assert_refused(in_folder("none.db"), DATABASE_READ, "There is no database");
    assert_refused(in_folder("none/none.db"), DATABASE_WRITE, "none.db: No such file");
}

static void another_version_and_another_table_are_refused(void **unused) {
    (void)unused;
    const char *path = in_folder("version.db");
    must_close(must_open(path, DATABASE_WRITE));
    run_sql(path, "PRAGMA user_version = 4");
    assert_refused(path, DATABASE_WRITE, "has version 4 of the format; this program reads version 3");
    run_sql(path, "PRAGMA user_version = 3; ALTER TABLE states ADD COLUMN mine TEXT");
    assert_refused(path, DATABASE_READ, "its table of states is not as it should be");
    run_sql(path, "DROP VIEW visited; DROP TABLE states");
    assert_refused(path, DATABASE_READ, "its table of states is not as it should be");
}

static void numbers_that_no_put_can_have_made_are_damage(void **unused) {
    (void)unused;
    static const struct {
        const char *change, *sentence;
    } rows[] = {{"UPDATE states SET puts = 0", "a state was never put"},
                {"UPDATE states SET puts = -1", "a state was never put"},
                {"UPDATE states SET puts = 1, phases = -1", "more phases than can be counted"}};
    const char *path = in_folder("numbers.db");
    Database *database = must_open(path, DATABASE_WRITE);
    put_many(database, 0, 3);
    must_close(database);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Error error = {""};
        run_sql(path, rows[i].change);
        database = must_open(path, DATABASE_READ);
        assert_false(database_verify(database, NULL, &error));
        assert_holds(error.text, rows[i].sentence);
        must_close(database);
    }
}

static void ask_sql(const char *path, const char *question, char *answer, size_t room) {
    sqlite3 *sql;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(path, &sql), SQLITE_OK);
    if (sqlite3_prepare_v2(sql, question, -1, &row, NULL))
        fail_msg("%s: %s", question, sqlite3_errmsg(sql));
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    snprintf(answer, room, "%s", (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    assert_int_equal(sqlite3_close(sql), SQLITE_OK);
}

static void people_can_read_it_with_any_tool(void **unused) {
    (void)unused;
    const char *path = in_folder("people.db");
    MadeState state = {.piece = PIECE_L};
    rules_default(&state.rules);
    state.rules.width = 5;
    state.rules.height = 11;
    state.rules.overflow = OVERFLOW_STRICT;
    state.rules.gameover = GAMEOVER_EVALUATE;
    state.board = (Board){.column = {7, 1, 0, 1, 3}};
    Visit visit = {-0.25, 1ull << placement_make(0, 2) | 1ull << placement_make(3, 1), 70};
    Database *database = must_open(path, DATABASE_WRITE);
    put_state(database, &state, &visit);
    put_state(database, &state, &visit);
    must_close(database);
    char answer[200];
    ask_sql(path,
            "SELECT concat FROM (SELECT rules || ',' || board || ',' || piece || ',' || reward || ',' || "
            "placements || ',' || phases || ',' || puts AS concat FROM visited)",
            answer, sizeof answer);
    assert_string_equal(answer, "5x11 strict evaluate simplified,#....\n#...#\n##.##,L,-0.25,0:2 3:1,140,2");
}

static void handles_of_one_file_share_it(void **unused) {
    (void)unused;
    const char *path = in_folder("share.db"), *link = in_folder("link.db");
    Error error = {""};
    Visit visit;
    MadeState state;
    make_state(&state, SEED, 3, true);
    Database *first = must_open(path, DATABASE_WRITE);
    assert_int_equal(symlink(path, link), 0);
    Database *second = must_open(link, DATABASE_WRITE), *reader = must_open(path, DATABASE_READ);
    Random random = random_stream(SEED, 7, RANDOM_TEST);
    Visit put = make_visit(&random, &state);
    put_state(first, &state, &put);
    assert_int_equal(get_state(second, &state, &visit), 1);
    assert_int_equal(get_state(reader, &state, &visit), 1);
    assert_visits_equal(&visit, &put);
    must_close(first);
    assert_int_equal(get_state(second, &state, &visit), 1);
    must_close(second);
    must_close(reader);
    reader = must_open(path, DATABASE_READ);
    assert_int_equal(get_state(reader, &state, &visit), 1);
    assert_refused(path, DATABASE_WRITE, "open for reading only in this program");
    assert_false(database_put(reader, &state.rules, &state.board, state.piece, &put, &error));
    assert_holds(error.text, "reading only");
    must_close(reader);
    unlink(link);
}

static void a_copy_replaces_nothing(void **unused) {
    (void)unused;
    const char *path = in_folder("copy.db"), *target = in_folder("target");
    Error error = {""};
    Database *database = must_open(path, DATABASE_WRITE);
    write_bytes(target, "mine", 4);
    assert_false(database_compact(database, target, &error));
    assert_holds(error.text, "exists already");
    assert_file_is(target, "mine", 4);
    assert_false(database_compact(database, in_folder("none/target"), &error));
    assert_holds(error.text, "cannot write");
    must_close(database);
}

// ---------------------------------------------------------------------------------------------------
// Damage

// Opens, reads all, puts, verifies: there is a sentence or possible states, whatever the file holds. <- is it
// good?
static bool survives(const char *path, DatabaseMode mode, uint64_t states) {
    Error error = {""};
    Database *database = database_open(path, mode, &error);
    if (!database) {
        assert_true(strlen(error.text) > 20);
        return false;
    }
    bool good = database_verify(database, NULL, &error);
    for (uint64_t k = 0; k < states; k++) {
        MadeState state;
        Visit visit, there = {0};
        make_state(&state, SEED, k, false);
        Random random = random_stream(SEED + 1, k, RANDOM_TEST);
        visit = make_visit(&random, &state);
        int found = database_get(database, &state.rules, &state.board, state.piece, &there, &error);
        if (found > 0)
            assert_int_equal(there.placements & ~possible_placements(state.piece, 10), 0);
        good = good && found == 1 && there.reward >= visit.reward && there.phases >= visit.phases;
    }
    if (mode == DATABASE_WRITE)
        put_many(database, states, 20);
    database_close(database, &error);
    return good;
}

// Of another user's folder, whether the file may be written to or not. Root may do everything, so it becomes
// somebody else.
static void a_folder_that_cannot_be_written_to_can_be_read(void **unused) {
    (void)unused;
    const char *folder = in_folder("other #?%"), *path = in_folder("other #?%/file#?%20.db");
    assert_int_equal(mkdir(folder, 0755), 0);
    Database *database = must_open(path, DATABASE_WRITE);
    put_many(database, 0, 10);
    must_close(database);
    assert_int_equal(chmod(database_folder, 0755) | chmod(folder, 0555), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(chmod(path, i ? 0666 : 0444), 0);
        pid_t child = fork();
        if (!child) {
            bool other = geteuid() || !setuid(65534);
            bool reads = survives(path, DATABASE_READ, 10),
                 writes = database_open(path, DATABASE_WRITE, NULL);
            _exit(other && reads && !writes ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    assert_int_equal(chmod(folder, 0755), 0);
}

// A file with all that a file can have: two levels, free pages, entries that were changed.
static char *sample(const char *path, uint64_t states, size_t *length) {
    for (int part = 0; part < 3; part++) {
        Database *database = must_open(path, DATABASE_WRITE);
        for (uint64_t k = 0; k < states; k += 100) {
            Error error = {""};
            put_many(database, k, 100);
            must(database_flush(database, &error), &error);
        }
        must_close(database);
    }
    return read_bytes(path, length);
}

static void damage_at_any_byte_is_survived(void **unused) {
    (void)unused;
    enum { STATES = 400 };
    const char *path = in_folder("damage.db");
    size_t length;
    char *bytes = sample(path, STATES, &length), *changed = malloc(length);
    assert_non_null(changed);
    assert_true(survives(path, DATABASE_READ, STATES));
    uint64_t rounds = test_effort(1500), refused = 0;
    Random random = random_stream(SEED, 9, RANDOM_TEST);
    for (uint64_t i = 0; i < rounds; i++) {
        memcpy(changed, bytes, length);
        // The heads of pages, where the structure is, more often than the rest.
        size_t page = random_below(&random, (uint32_t)(length / 4096)) * 4096;
        size_t at = i % 3 == 0   ? random_below(&random, 4096 + 160)
                    : i % 3 == 1 ? page + random_below(&random, 40)
                                 : random_below(&random, (uint32_t)length);
        int many = i % 5 ? 1 : 64;
        for (int k = 0; k < many && at + (size_t)k < length; k++)
            changed[at + (size_t)k] ^= (char)(1u << random_below(&random, 8));
        write_bytes(path, changed, length);
        refused += !survives(path, i % 2 ? DATABASE_WRITE : DATABASE_READ, STATES);
    }
    print_message("%llu of %llu damaged files were refused\n", (unsigned long long)refused,
                  (unsigned long long)rounds);
    assert_true(refused > rounds / 10 && refused < rounds); // unused bytes may hold anything
    free(changed);
    free(bytes);
}

static void a_file_cut_off_anywhere_is_survived(void **unused) {
    (void)unused;
    enum { STATES = 400 };
    const char *path = in_folder("cut.db");
    size_t length;
    char *bytes = sample(path, STATES, &length);
    for (size_t cut = 0; cut < length; cut += 1 + length / test_effort(300)) {
        write_bytes(path, bytes, cut);
        bool good = survives(path, DATABASE_READ, STATES);
        if (cut < length / 2) // the pages behind that are not all free
            assert_false(good);
    }
    free(bytes);
}

// ---------------------------------------------------------------------------------------------------
// Threads and processes

typedef struct Worker {
    Database *database;
    int number;
} Worker;

static void *work(void *context) {
    const Worker *worker = context;
    for (uint64_t k = 0; k < 400; k++) {
        MadeState state;
        Visit visit;
        Error error = {""};
        make_state(&state, SEED, k, false);
        Visit mine = {(double)worker->number, possible_placements(state.piece, 10), 1};
        if (!database_put(worker->database, &state.rules, &state.board, state.piece, &mine, &error) ||
            database_get(worker->database, &state.rules, &state.board, state.piece, &visit, &error) != 1 ||
            visit.reward < mine.reward || (k % 50 == 0 && !database_flush(worker->database, &error)))
            return "failed";
    }
    return NULL;
}

static void threads_share_a_database(void **unused) {
    (void)unused;
    enum { THREADS = 4 };
    Database *database = must_open(in_folder("threads.db"), DATABASE_WRITE);
    pthread_t thread[THREADS];
    Worker worker[THREADS];
    for (int i = 0; i < THREADS; i++) {
        worker[i] = (Worker){database, i};
        assert_int_equal(pthread_create(&thread[i], NULL, work, &worker[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(thread[i], &result);
        assert_null(result);
    }
    Error error = {""};
    DatabaseStat stat;
    must(database_stat(database, &stat, &error), &error);
    assert_int_equal(stat.phases, 400 * THREADS);
    must_close(database);
}

// <- 0: every flushed state of the others is seen, too
static int write_and_read(const char *path, int number, uint64_t states) {
    Error error = {""};
    Database *database = database_open(path, number < 2 ? DATABASE_WRITE : DATABASE_READ, &error);
    if (!database)
        return 1;
    for (uint64_t k = 0; k < states; k++) {
        MadeState state;
        Visit visit;
        make_state(&state, SEED, k, false);
        Visit mine = {(double)number, possible_placements(state.piece, 10), 1};
        if (number < 2 && !database_put(database, &state.rules, &state.board, state.piece, &mine, &error))
            return 2;
        int there = database_get(database, &state.rules, &state.board, state.piece, &visit, &error);
        if (there < 0 || (number < 2 && (!there || visit.reward < mine.reward)))
            return 3;
        if (k % 97 == 0 &&
            !(number < 2 ? database_flush(database, &error) : database_verify(database, NULL, &error)))
            return 4;
    }
    return database_close(database, &error) ? 0 : 5;
}

static void processes_share_a_database(void **unused) {
    (void)unused;
    enum { PROCESSES = 4 }; // two of them write
    const char *path = in_folder("processes.db");
    uint64_t states = test_effort(20000);
    pid_t child[PROCESSES];
    must_close(must_open(path, DATABASE_WRITE));
    for (int i = 0; i < PROCESSES; i++)
        if (!(child[i] = fork()))
            _exit(write_and_read(path, i, i < 2 ? states : states / 20 + 1));
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    Database *database = must_open(path, DATABASE_READ);
    Error error = {""};
    DatabaseStat stat;
    must(database_stat(database, &stat, &error), &error);
    assert_int_equal(stat.phases, 2 * states);
    must_close(database);
}

// <- 0: finds what another process has put since the file was opened, and puts more
static int follow(const char *path, int ready, int go, uint64_t states) {
    Error error = {""};
    char byte = 1;
    Visit visit, mine = {9, 1, 1};
    MadeState state;
    make_state(&state, SEED, states - 1, false);
    Database *database = database_open(path, DATABASE_WRITE, &error);
    if (!database || write(ready, &byte, 1) != 1 || read(go, &byte, 1) != 1)
        return 1;
    if (database_get(database, &state.rules, &state.board, state.piece, &visit, &error) != 1)
        return 2;
    if (!database_put(database, &state.rules, &state.board, state.piece, &mine, &error))
        return 3;
    return database_close(database, &error) ? 0 : 4;
}

static void a_file_grows_under_other_processes(void **unused) {
    (void)unused;
    const char *path = in_folder("grow.db");
    uint64_t states = 50000; // more than 1,000 pages, after which SQLite moves its log into the file
    int ready[2], go[2], status;
    char byte = 1;
    assert_int_equal(pipe(ready) | pipe(go), 0);
    pid_t child = fork();
    if (!child)
        _exit(follow(path, ready[1], go[0], states));
    assert_int_equal(read(ready[0], &byte, 1), 1);
    Database *database = must_open(path, DATABASE_WRITE);
    Error error = {""};
    put_many(database, 0, states);
    must(database_flush(database, &error), &error);
    assert_int_equal(write(go[1], &byte, 1), 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    Visit visit;
    MadeState state;
    make_state(&state, SEED, states - 1, false);
    assert_int_equal(get_state(database, &state, &visit), 1);
    assert_true(visit.reward == 9);
    must_close(database);
    for (int i = 0; i < 2; i++) {
        close(ready[i]);
        close(go[i]);
    }
}

// ---------------------------------------------------------------------------------------------------
// Locks and killed programs

// SQLite waits for locks by the sleep of its file layer. This one does not sleep, but adds up, and releases
// the lock when it is told to.
static struct {
    sqlite3 *holder;            // another program
    uint64_t slept, release_at; // microseconds
} lock;

static int no_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    lock.slept += (uint64_t)microseconds;
    if (lock.holder && lock.slept >= lock.release_at) {
        assert_int_equal(sqlite3_close(lock.holder), SQLITE_OK);
        lock.holder = NULL;
    }
    return microseconds;
}

static sqlite3_vfs *replace_sleep(void) {
    static sqlite3_vfs layer;
    sqlite3_vfs *usual = sqlite3_vfs_find(NULL);
    layer = *usual;
    layer.zName = "no sleep";
    layer.xSleep = no_sleep;
    assert_int_equal(sqlite3_vfs_register(&layer, 1), SQLITE_OK);
    return &layer;
}

static void hold_lock(const char *path, uint64_t release_at) {
    lock.slept = 0;
    lock.release_at = release_at;
    assert_int_equal(sqlite3_open(path, &lock.holder), SQLITE_OK);
    assert_int_equal(sqlite3_exec(lock.holder, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
}

static void a_commit_waits_a_minute_for_another_program(void **unused) {
    (void)unused;
    const char *path = in_folder("locked.db");
    Error error = {""};
    sqlite3_vfs *layer = replace_sleep();
    Database *database = must_open(path, DATABASE_WRITE);
    put_many(database, 0, 100);
    hold_lock(path, 59000000);
    must(database_flush(database, &error), &error);
    assert_null(lock.holder);
    put_many(database, 100, 100);
    hold_lock(path, UINT64_MAX);
    assert_false(database_flush(database, &error));
    assert_holds(error.text, "another program has kept it locked for 60 s");
    assert_in_range(lock.slept, 59900000, 60100000);
    for (uint64_t k = 0; k < 200; k++) { // readers do not wait, and those that could not be written are known
        MadeState state;
        Visit visit;
        make_state(&state, SEED, k, false);
        assert_int_equal(get_state(database, &state, &visit), 1);
    }
    assert_int_equal(sqlite3_close(lock.holder), SQLITE_OK);
    must_close(database);
    assert_int_equal(sqlite3_vfs_unregister(layer), SQLITE_OK);
    assert_true(survives(path, DATABASE_READ, 200));
}

// A batch that cannot be committed is tried again by puts, but a second later at the earliest.
static void puts_try_again_a_second_after_a_failed_commit(void **unused) {
    (void)unused;
    enum { BATCH = 131072 };
    const char *path = in_folder("retry.db");
    sqlite3_vfs *layer = replace_sleep();
    Database *database = must_open(path, DATABASE_WRITE);
    MadeState state;
    Visit visit = {0, 1, 1};
    make_state(&state, SEED, 0, false);
    hold_lock(path, UINT64_MAX);
    uint64_t k = 1, failures = 0;
    double begin = clock_seconds(), failed = 0;
    for (; failures < 2; k += !failures) { // later ones are known: nothing more waits
        memset(&state.board, 0, sizeof state.board);
        for (int x = 0; x < 6; x++) // every one another board
            state.board.column[x] = (uint32_t)(k >> 4 * x & 15);
        double before = clock_seconds();
        assert_true(before - begin < 60);
        if (database_put(database, &state.rules, &state.board, state.piece, &visit, NULL))
            continue;
        if (!failures)
            assert_true(k >= BATCH || clock_seconds() - begin >= 1);
        else
            assert_true(before >= failed && clock_seconds() - failed >= 1);
        failed = before;
        failures++;
    }
    assert_int_equal(sqlite3_close(lock.holder), SQLITE_OK);
    Error error = {""};
    DatabaseStat stat;
    must(database_stat(database, &stat, &error), &error);
    assert_int_equal(stat.states, k);
    must_close(database);
    assert_int_equal(sqlite3_vfs_unregister(layer), SQLITE_OK);
}

static void a_commit_that_fails_changes_nothing_and_leaves_no_lock(void **unused) {
    (void)unused;
    const char *path = in_folder("meets.db");
    Error error = {""};
    DatabaseStat stat;
    Database *database = must_open(path, DATABASE_WRITE);
    put_many(database, 0, 10);
    must(database_flush(database, &error), &error);
    run_sql(path, "DROP VIEW visited; ALTER TABLE states RENAME TO elsewhere");
    put_many(database, 0, 20);
    assert_false(database_flush(database, &error));
    assert_holds(error.text, "no such table");
    run_sql(path, "ALTER TABLE elsewhere RENAME TO states");
    must(database_flush(database, &error), &error);
    must(database_stat(database, &stat, &error), &error);
    assert_in_range(stat.states, 11, 20); // some are equal
    assert_true(stat.revisits > 0.4);
    must_close(database);
}

static bool die(void *context, const VisitedState *state) {
    (void)context;
    (void)state;
    raise(SIGKILL);
    return false;
}

// -> writing  dies before a commit, with pages of it in the log already; else while it reads
static void die_on(const char *path, bool writing) {
    if (writing) {
        sqlite3 *sql;
        sqlite3_open(path, &sql);
        sqlite3_exec(sql, "PRAGMA cache_size = 5; BEGIN IMMEDIATE; UPDATE states SET placements = 0", NULL,
                     NULL, NULL);
        raise(SIGKILL);
    }
    database_each(database_open(path, DATABASE_READ, NULL), die, NULL, NULL);
    _exit(0);
}

static void programs_that_die_leave_no_lock_and_no_change(void **unused) {
    (void)unused;
    const char *path = in_folder("dead.db");
    uint64_t states = 3000;
    Error error = {""};
    sqlite3_vfs *layer = replace_sleep();
    Database *database = must_open(path, DATABASE_WRITE);
    put_many(database, 0, states);
    must_close(database);
    for (int writing = 0; writing < 2; writing++) {
        pid_t child = fork();
        if (!child)
            die_on(path, writing);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        lock.slept = 0;
        database = must_open(path, DATABASE_WRITE);
        must(database_verify(database, NULL, &error), &error);
        put_many(database, states, 1000);
        must(database_flush(database, &error), &error);
        assert_int_equal(lock.slept, 0);
        states += 1000;
        must_close(database);
        assert_int_equal(access(in_folder("dead.db-wal"), F_OK), -1); // all is in the file itself
        assert_true(survives(path, DATABASE_READ, states));
    }
    assert_int_equal(sqlite3_vfs_unregister(layer), SQLITE_OK);
}

static void a_full_disk_loses_nothing(void **unused) {
    (void)unused;
    const char *path = in_folder("full.db");
    struct rlimit before, small;
    struct stat file;
    Error error = {""};
    Database *database = must_open(path, DATABASE_WRITE);
    put_many(database, 0, 1000);
    must(database_flush(database, &error), &error);
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = (rlim_t)file.st_size + 8192;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    put_many(database, 1000, 5000);
    for (int i = 0; i < 2; i++) {
        assert_false(database_flush(database, &error));
        assert_holds(error.text, "Is the disk full?");
    }
    for (uint64_t k = 0; k < 6000; k++) { // those that wait are still known
        MadeState state;
        Visit visit;
        make_state(&state, SEED, k, false);
        assert_int_equal(get_state(database, &state, &visit), 1);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    must(database_flush(database, &error), &error);
    must_close(database);
    assert_true(survives(path, DATABASE_READ, 6000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_larger_reward_wins_and_equal_ones_merge),
        cmocka_unit_test(random_operations_agree_with_an_array),
        cmocka_unit_test(a_full_board_of_the_largest_size_comes_back),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(other_files_are_refused_and_not_touched),
        cmocka_unit_test(another_version_and_another_table_are_refused),
        cmocka_unit_test(numbers_that_no_put_can_have_made_are_damage),
        cmocka_unit_test(people_can_read_it_with_any_tool),
        cmocka_unit_test(handles_of_one_file_share_it),
        cmocka_unit_test(a_copy_replaces_nothing),
        cmocka_unit_test(a_folder_that_cannot_be_written_to_can_be_read),
        cmocka_unit_test(damage_at_any_byte_is_survived),
        cmocka_unit_test(a_file_cut_off_anywhere_is_survived),
        cmocka_unit_test(threads_share_a_database),
        cmocka_unit_test(processes_share_a_database),
        cmocka_unit_test(a_file_grows_under_other_processes),
        cmocka_unit_test(a_commit_waits_a_minute_for_another_program),
        cmocka_unit_test(puts_try_again_a_second_after_a_failed_commit),
        cmocka_unit_test(a_commit_that_fails_changes_nothing_and_leaves_no_lock),
        cmocka_unit_test(programs_that_die_leave_no_lock_and_no_change),
        cmocka_unit_test(a_full_disk_loses_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, remove_database_folder);
}
