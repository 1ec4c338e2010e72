// SPDX-License-Identifier: GPL-3.0-or-later
// Run folders: what is written is read back bit for bit; wherever a program is killed, at most one generation
// is lost; whatever stands in the files, there is a sentence and no crash.
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json_lines.h"
#include "base/text.h"
#include "learn/run_files.h"
#include "learn/run_folder.h"
#include "learning_fixture.h"
#include "optimise/cmaes.h"
#include "optimise/cross_entropy.h"
#include "optimise/genetic.h"
#include "optimise/swarm.h"

static char top[] = "/dev/shm/tetralab-folder-XXXXXX"; // in memory: nothing waits for a disk
static char folder[64];

static const char *in_folder(const char *name) {
    static char path[4][128];
    static int turn;
    char *out = path[turn++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static void erase(const char *path) {
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(top) && !mkdtemp(strcpy(top, "/tmp/tetralab-folder-XXXXXX")))
        return -1;
    snprintf(folder, sizeof folder, "%s/run", top);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    erase(top);
    return 0;
}

static int clear(void **state) {
    (void)state;
    erase(folder);
    return 0;
}

static char *read_text(const char *path, size_t *length) {
    Error error = {""};
    char *text = text_read_file(path, length, &error);
    if (!text)
        fail_msg("%s", error.text);
    return text;
}

// Without waiting for the disk, unlike text_write_file.
static void write_text(const char *path, const char *text, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in: %.600s", part, text);
}

static void make_plan(LearningPlan *plan, OptimiserMethod method, const char *features, int runs) {
    Error error = {""};
    if (!plan_make(plan, method, features, runs, &error))
        fail_msg("%s", error.text);
}

static RunFolder *make_folder(const LearningPlan *plan) {
    Error error = {""};
    RunFolder *made = run_folder_new(folder, plan, "1.2.3", &error);
    if (!made)
        fail_msg("%s", error.text);
    return made;
}

static RunFolder *open_folder(void) {
    Error error = {""};
    LearningPlan plan;
    RunFolder *opened = run_folder_open(folder, &plan, &error);
    if (!opened)
        fail_msg("%s", error.text);
    learning_plan_free(&plan);
    return opened;
}

static void write_generation(RunFolder *into, int run, uint64_t number, int size) {
    Error error = {""};
    MadeUp made;
    generation_make(&made, run, number, size);
    json_t *state = state_make(number);
    if (!run_folder_generation(into, &made.generation, state, &error))
        fail_msg("%s", error.text);
    json_decref(state);
}

// Two runs: three generations of the first, two of the second.
static void write_some(RunFolder *into, int size) {
    write_generation(into, 0, 1, size);
    write_generation(into, 1, 1, size);
    write_generation(into, 0, 2, size);
    write_generation(into, 1, 2, size);
    write_generation(into, 0, 3, size);
}

static void make_some(void) {
    LearningPlan plan;
    make_plan(&plan, OPTIMISER_CMAES, "du", 2);
    RunFolder *made = make_folder(&plan);
    write_some(made, plan.optimiser.dimension);
    run_folder_close(made);
    learning_plan_free(&plan);
}

static void count_complaint(void *context, const char *sentence) {
    assert_non_null(strstr(sentence, "journal.jsonl:"));
    assert_non_null(strstr(sentence, "skipped."));
    (*(int *)context)++;
}

// <- generations in the history
static int count_lines(int *complaints) {
    LearningHistory history;
    Error error = {""};
    *complaints = 0;
    if (!learning_history_read(&history, folder, count_complaint, complaints, &error))
        fail_msg("%s", error.text);
    int count = history.count;
    learning_history_free(&history);
    return count;
}

// ---------------------------------------------------------------------------------------------------
// Plans

static void assert_round_trip(const LearningPlan *plan) {
    Error error = {""};
    LearningPlan again;
    char *text = run_plan_text(plan, "1.2.3", &error);
    if (!text || !run_plan_parse(&again, "run.json", text, strlen(text), &error))
        fail_msg("%s", error.text);
    json_t *a = learning_plan_save(plan), *b = learning_plan_save(&again);
    assert_true(json_equal(a, b));
    assert_true(again.seed == plan->seed && again.evaluations == plan->evaluations);
    assert_true(again.budget_pieces == plan->budget_pieces);
    assert_true(again.seconds == plan->seconds && (again.optimiser.sigma == plan->optimiser.sigma ||
                                                   plan->optimiser.method == OPTIMISER_GENETIC));
    assert_int_equal(again.optimiser.dimension, plan->optimiser.dimension);
    assert_int_equal(again.objective.encoding.features, plan->objective.encoding.features);
    if (plan->start == START_VECTOR)
        assert_memory_equal(again.vector, plan->vector, (size_t)plan->optimiser.dimension * sizeof(double));
    json_decref(a);
    json_decref(b);
    learning_plan_free(&again);
    free(text);
}

static void plans_of_all_methods_come_back_equal(void **state) {
    (void)state;
    for (int method = 0; method < OPTIMISER_COUNT; method++) {
        LearningPlan plan;
        make_plan(&plan, (OptimiserMethod)method, "bdu", 3);
        plan.start = START_RANDOM;
        plan.race.bound = RACE_BERNSTEIN;
        plan.race.delta = 0.1;
        assert_round_trip(&plan);
        plan.optimiser.sigma = 1.0 / 3;
        if (method == OPTIMISER_CMAES)
            *cmaes_plan(&plan.optimiser) = (CmaesPlan){CMAES_CLASSIC, true, 0.05};
        plan.average = true;
        plan.race.rule = RACE_LITERAL;
        if (method == OPTIMISER_CROSS_ENTROPY)
            *cross_entropy_plan(&plan.optimiser) = (CrossEntropyPlan){NOISE_DECREASING, 5, 0.1};
        if (method == OPTIMISER_GENETIC) {
            genetic_plan(&plan.optimiser)->selection = SELECT_SIGMA;
            genetic_plan(&plan.optimiser)->revisit = REVISIT_REMEMBER;
        }
        if (method == OPTIMISER_SWARM)
            swarm_plan(&plan.optimiser)->neighbours = 2;
        assert_round_trip(&plan);
        double vector[FIXTURE_SIZE];
        for (int k = 0; k < FIXTURE_SIZE; k++)
            vector[k] = 1.0 / (k + 3);
        plan.start = START_VECTOR;
        plan.vector = vector;
        assert_round_trip(&plan);
        plan.vector = NULL;
        learning_plan_free(&plan);
    }
}

static void every_option_of_a_method_is_written(void **state) {
    (void)state;
    static const char *const keys[OPTIMISER_COUNT] = {
        // in run folders that are there, so they stay
        [OPTIMISER_CMAES] = "population parents sigma constants sphere floor",
        [OPTIMISER_CROSS_ENTROPY] = "population parents sigma noise level slope",
        [OPTIMISER_GENETIC] = "population selection crossover points crossover_rate mutation_rate range "
                              "elite tournament random_rate revisit",
        [OPTIMISER_SWARM] = "population sigma inertia cognitive social most_speed neighbours"};
    for (int method = 0; method < OPTIMISER_COUNT; method++) {
        LearningPlan plan;
        make_plan(&plan, (OptimiserMethod)method, "du", 1);
        json_t *saved = learning_plan_save(&plan);
        assert_string_equal(json_string_value(json_object_get(saved, "method")),
                            optimiser_words[(OptimiserMethod)method]);
        const json_t *settings = json_object_get(saved, "optimiser");
        Fields fields = *optimiser_traits((OptimiserMethod)method)->fields;
        assert_int_equal(json_object_size(settings), fields.count);
        for (int k = 0; k < fields.count; k++)
            assert_non_null(json_object_get(settings, fields.field[k].key));
        char key[40];
        for (const char *at = keys[method]; at && sscanf(at, "%39s", key) == 1;
             at += strspn(at, " ") + strlen(key), at += strspn(at, " "))
            assert_non_null(json_object_get(settings, key));
        json_decref(saved);
        learning_plan_free(&plan);
    }
}

// -> path  of the member: "race.delta"
static void put(json_t *plan, const char *path, json_t *value) {
    char outer[40] = "";
    const char *dot = strchr(path, '.');
    if (dot)
        snprintf(outer, sizeof outer, "%.*s", (int)(dot - path), path);
    json_t *object = dot ? json_object_get(plan, outer) : plan;
    if (value)
        json_object_set_new(object, dot ? dot + 1 : path, value);
    else
        json_object_del(object, dot ? dot + 1 : path);
}

static void every_wrong_member_of_a_plan_is_named(void **state) {
    (void)state;
    static const struct {
        const char *path, *value, *part;
    } wrong[] = {
        {"seed", "-1", "\"seed\" must be a whole number"},
        {"seed", "1.5", "\"seed\" must be"},
        {"seed", "\"18446744073709551616\"", "\"seed\" must be"},
        {"seed", NULL, "\"seed\" is missing"},
        {"runs", "0", "\"runs\" is 0; it must lie between 1 and 1000"},
        {"runs", "1001", "\"runs\" is 1001"},
        {"seconds", "-1", "\"seconds\" is -1; it must lie between 0"},
        {"seconds", NULL, "\"seconds\" is missing"},
        {"start", "\"middle\"", "\"start\" must be \"zero\", \"random\" or \"vector\", found \"middle\""},
        {"start", "\"vector\"", "\"vector\" must be a list of 8 finite numbers"},
        {"method", "\"newton\"", "\"method\" must be \"cmaes\", \"nce\", \"ga\" or \"pso\""},
        {"method", "\"ga\"", "\"optimiser\": \"selection\" is missing"},
        {"optimiser", "[]", "\"optimiser\" must be an object"},
        {"optimiser.population", "10001", "\"population\" is 10001; it must lie between 2 and 10000"},
        {"optimiser.sigma", "1e300", "\"sigma\" is 1e+300"},
        {"optimiser.sphere", "1", "\"sphere\" must be \"no\" or \"yes\", found a number"},
        {"race.bound", "3", "\"race\": \"bound\" must be \"none\""},
        {"race.bounds", "[1]", "\"bounds\" needs a list of 2 numbers"},
        {"race.delta", "2", "\"delta\" is 2; it must lie between"},
        {"race", NULL, "\"race\" must be an object"},
        {"objective", NULL, "\"objective\" must be an object"},
        {"objective", "{}", "\"objective\": "},
    };
    LearningPlan plan, again;
    make_plan(&plan, OPTIMISER_CMAES, "du", 1);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Error error = {""};
        json_t *saved = learning_plan_save(&plan);
        put(saved, wrong[k].path, wrong[k].value ? json_loads(wrong[k].value, JSON_DECODE_ANY, NULL) : NULL);
        assert_false(learning_plan_restore(&again, saved, &error));
        assert_holds(error.text, wrong[k].part);
        learning_plan_free(&again);
        json_decref(saved);
    }
    learning_plan_free(&plan);
}

static void plans_of_older_versions_have_no_limit_of_pieces(void **state) {
    (void)state;
    LearningPlan plan, again;
    Error error = {""};
    make_plan(&plan, OPTIMISER_CMAES, "du", 1);
    json_t *saved = learning_plan_save(&plan);
    put(saved, "budget_pieces", NULL);
    assert_true(learning_plan_restore(&again, saved, &error));
    assert_true(again.budget_pieces == 0 && again.evaluations == plan.evaluations);
    json_decref(saved);
    learning_plan_free(&again);
    learning_plan_free(&plan);
}

static void damaged_plans_are_refused_with_their_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {"", "run.json:1:1: "},
        {"[]", "run.json:1:1: expected an object"},
        {"{\"format\": 2,\n \"plan\" 3}", "run.json:2:9: expected \":\" after the key"},
        {"{\"format\": 3}", "its format is 3, and this program knows format 2"},
        {"{\"format\": \"new\"}", "\"format\" must be 2"},
        {"{\"format\": 2}", "\"plan\" must be an object"},
        {"{\"format\": 99999999999999999999}", "a whole number that is too large"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Error error = {""};
        LearningPlan plan;
        assert_false(run_plan_parse(&plan, "run.json", wrong[k].text, strlen(wrong[k].text), &error));
        assert_holds(error.text, wrong[k].part);
        learning_plan_free(&plan);
    }
}

// ---------------------------------------------------------------------------------------------------
// Going on

static void states_and_time_come_back_equal(void **state) {
    (void)state;
    make_some();
    RunFolder *opened = open_folder();
    json_t **states = opened->state;
    json_t *first = state_make(3), *second = state_make(2);
    assert_true(json_equal((json_t *)states[0], first) && json_equal((json_t *)states[1], second));
    assert_true(
        json_is_integer(json_object_get(states[0], "whole"))); // json_equal takes 3 and 3.0 for different
    assert_true(opened->spent == 0.1 * 3.0);
    json_decref(first);
    json_decref(second);
    run_folder_close(opened);
}

static void a_folder_without_a_generation_begins_anew(void **state) {
    (void)state;
    LearningPlan plan, again;
    Error error = {""};
    int complaints;
    make_plan(&plan, OPTIMISER_GENETIC, "holes,landing-height", 2);
    run_folder_close(make_folder(&plan));
    assert_int_equal(count_lines(&complaints), 0);
    RunFolder *opened = run_folder_open(folder, &again, &error);
    assert_non_null(opened);
    assert_null(opened->state[0]);
    assert_null(opened->state[1]);
    assert_true(opened->spent == 0);
    json_t *a = learning_plan_save(&plan), *b = learning_plan_save(&again);
    assert_true(json_equal(a, b));
    json_decref(a);
    json_decref(b);
    run_folder_close(opened);
    learning_plan_free(&plan);
    learning_plan_free(&again);
}

static void a_folder_holds_one_run(void **state) {
    (void)state;
    LearningPlan plan;
    Error error = {""};
    make_plan(&plan, OPTIMISER_CMAES, "du", 2);
    run_folder_close(make_folder(&plan));
    assert_null(run_folder_new(folder, &plan, "1", &error));
    assert_holds(error.text, "There is a run in");
    assert_holds(error.text, "--resume");
    unlink(in_folder("run.json"));
    assert_null(run_folder_new(folder, &plan, "1", &error));
    assert_holds(error.text, "journal.jsonl is left over");
    unlink(in_folder("journal.jsonl"));
    write_text(in_folder("checkpoint-2.json"), "{}", 2);
    assert_null(run_folder_new(folder, &plan, "1", &error));
    assert_holds(error.text, "checkpoint-2.json is left over");
    unlink(in_folder("checkpoint-2.json"));
    run_folder_close(make_folder(&plan));
    learning_plan_free(&plan);
}

static void folders_that_cannot_be_used_are_named(void **state) {
    (void)state;
    LearningPlan plan, again;
    Error error = {""};
    make_plan(&plan, OPTIMISER_CMAES, "du", 1);
    assert_null(run_folder_new("/tmp/no/such/parent", &plan, "1", &error));
    assert_holds(error.text, "cannot make the folder /tmp/no/such/parent");
    assert_null(run_folder_new("/dev/null", &plan, "1", &error));
    assert_holds(error.text, "/dev/null");
    assert_null(run_folder_open(folder, &again, &error));
    assert_holds(error.text, "There is no run in");
    learning_plan_free(&again);
    plan.race.bounds[0] = INFINITY; // no JSON number
    assert_null(run_folder_new(folder, &plan, "1", &error));
    assert_holds(error.text, "The plan cannot be written");
    assert_int_equal(access(folder, F_OK), -1);
    plan.race.bounds[0] = 0;
    plan.race.delta = -1; // what could not be read again is not written
    assert_null(run_folder_new(folder, &plan, "1", &error));
    assert_holds(error.text, "\"race\": \"delta\" is -1");
    assert_int_equal(access(folder, F_OK), -1);
    learning_plan_free(&plan);
}

static void a_second_program_is_kept_out_until_the_first_is_gone(void **state) {
    (void)state;
    LearningPlan plan, again;
    Error error = {""};
    make_plan(&plan, OPTIMISER_CMAES, "du", 2);
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) { // learns until it is killed
        RunFolder *made = run_folder_new(folder, &plan, "1", &error);
        ssize_t sent = write(pipes[1], made ? "y" : "n", 1);
        while (sent == 1)
            pause();
        _exit(1);
    }
    char answer = 0;
    assert_int_equal(read(pipes[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    assert_null(run_folder_open(folder, &again, &error));
    assert_holds(error.text, "Another program is learning in");
    learning_plan_free(&again);
    assert_null(run_folder_new(folder, &plan, "1", &error));
    assert_holds(error.text, "Another program is learning in");
    int complaints;
    assert_int_equal(count_lines(&complaints), 0); // reading is always possible
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(pipes[0]);
    close(pipes[1]);
    RunFolder *opened = open_folder();
    assert_null(run_folder_open(folder, &again, &error)); // also within one program
    learning_plan_free(&again);
    run_folder_close(opened);
    learning_plan_free(&plan);
}

static void every_cut_of_the_journal_costs_only_its_lines(void **state) {
    (void)state;
    make_some();
    size_t length;
    int complaints;
    char *text = read_text(in_folder("journal.jsonl"), &length);
    for (size_t cut = 0; cut <= length; cut++) {
        int whole = 0;
        for (size_t k = 0; k < cut; k++)
            whole += text[k] == '\n';
        if (cut > 0 && cut < length && text[cut] == '\n')
            whole++; // nothing but the end of the line is missing
        write_text(in_folder("journal.jsonl"), text, cut);
        assert_int_equal(count_lines(&complaints), whole);
        assert_int_equal(complaints, cut > 0 && text[cut - 1] != '\n' && text[cut] != '\n');
        if (cut % 7 && cut + 2 < length && (cut == 0 || text[cut - 1] != '\n'))
            continue; // going on is tried at every seventh byte, and at all ends of lines
        RunFolder *opened = open_folder();
        write_generation(opened, 0, 4, 8);
        run_folder_close(opened);
        assert_int_equal(count_lines(&complaints), whole + 1);
        assert_int_equal(complaints, 0);
        // As it was, for the next one.
        MadeUp made;
        generation_make(&made, 0, 3, 8);
        json_t *old = state_make(3);
        char *checkpoint = run_checkpoint_text(&made.generation, old, NULL);
        write_text(in_folder("checkpoint-1.json"), checkpoint, strlen(checkpoint));
        json_decref(old);
        free(checkpoint);
    }
    free(text);
}

static void lines_ahead_of_their_checkpoint_are_dropped(void **state) {
    (void)state;
    make_some();
    size_t journal_length, best_length, length;
    char *journal = read_text(in_folder("journal.jsonl"), &journal_length);
    char *checkpoint = read_text(in_folder("checkpoint-1.json"), &length);
    char *best = read_text(in_folder("best.json"), &best_length);
    RunFolder *opened = open_folder();
    write_generation(opened, 0, 4, 8);
    run_folder_close(opened);
    write_text(in_folder("checkpoint-1.json"), checkpoint, length); // killed before it was replaced
    opened = open_folder();
    assert_int_equal(opened->left_out, 1);
    run_folder_close(opened);
    char *again = read_text(in_folder("journal.jsonl"), &length),
         *players = read_text(in_folder("best.json"), &length);
    assert_string_equal(again, journal);
    assert_string_equal(players, best); // and the player is that of the checkpoints
    free(again);
    free(players);
    unlink(in_folder("checkpoint-2.json")); // run 2 begins anew
    run_folder_close(open_folder());
    int complaints;
    assert_int_equal(count_lines(&complaints), 3);
    free(journal);
    free(checkpoint);
    free(best);
}

static void damaged_lines_in_the_middle_are_left_out_and_dropped(void **state) {
    (void)state;
    make_some();
    size_t length;
    int complaints;
    char *text = read_text(in_folder("journal.jsonl"), &length);
    text[100] = '\\';
    FILE *file = fopen(in_folder("journal.jsonl"), "wb");
    assert_non_null(file);
    fputs("\nno JSON\n[1, 2]\n{\"run\": 1}\n", file);
    for (int k = 0; k < JSON_LINE_LIMIT + 1; k++)
        fputc('x', file);
    fputc('\n', file);
    fwrite(text, 1, length, file);
    fwrite(text + length / 2, 1, length - length / 2, file); // comes a second time, beginning within a line
    assert_int_equal(fclose(file), 0);
    free(text);
    assert_int_equal(count_lines(&complaints), 4);
    assert_int_equal(complaints, 4 + 1 + 3); // an empty line means nothing
    run_folder_close(open_folder());
    assert_int_equal(count_lines(&complaints), 4);
    assert_int_equal(complaints, 0);
}

static bool no_links;

// Takes the place of the system's: some disks know no hard links.
int link(const char *from, const char *to) {
    errno = EPERM;
    return no_links ? -1 : linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

static void the_history_as_it_was_is_kept_with_and_without_hard_links(void **state) {
    (void)state;
    for (int without = 0; without < 2; without++) {
        make_some();
        size_t length, kept_length;
        char *text = read_text(in_folder("journal.jsonl"), &length);
        text[100] = '\\';
        write_text(in_folder("journal.jsonl"), text, length);
        no_links = without;
        run_folder_close(open_folder());
        no_links = false;
        char *kept = read_text(in_folder("journal.jsonl.before"), &kept_length);
        assert_int_equal(kept_length, length);
        assert_memory_equal(kept, text, length);
        int complaints;
        assert_int_equal(count_lines(&complaints), 4);
        assert_int_equal(complaints, 0);
        free(text);
        free(kept);
        erase(folder);
    }
}

static void every_cut_of_a_checkpoint_is_a_clear_error(void **state) {
    (void)state;
    make_some();
    size_t length;
    char *text = read_text(in_folder("checkpoint-2.json"), &length);
    for (size_t cut = 0; cut < length - 1; cut++) { // without its last byte, the end of the line, it is whole
        LearningPlan plan;
        Error error = {""};
        write_text(in_folder("checkpoint-2.json"), text, cut);
        assert_null(run_folder_open(folder, &plan, &error));
        assert_holds(error.text, "checkpoint-2.json:1:");
        assert_holds(error.text, "Remove this file to begin run 2 anew.");
        learning_plan_free(&plan);
    }
    write_text(in_folder("checkpoint-2.json"), text, length);
    run_folder_close(open_folder());
    free(text);
}

static void every_cut_of_the_plan_is_a_clear_error(void **state) {
    (void)state;
    make_some();
    size_t length;
    char *text = read_text(in_folder("run.json"), &length);
    assert_int_equal(text[length - 2], '}');
    for (size_t cut = 0; cut < length - 1; cut++) {
        LearningPlan plan;
        Error error = {""};
        assert_false(run_plan_parse(&plan, "run.json", text, cut, &error));
        assert_holds(error.text, "run.json:");
        learning_plan_free(&plan);
    }
    free(text);
}

static void wrong_checkpoints_are_named(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {"{\"format\":2,\"run\":1,\"generation\":1,\"seconds\":0,\"answer\":[1,2],\"state\":{}}",
         "\"run\" is 1; it must be 2"},
        {"{\"format\":2,\"run\":2,\"generation\":0,\"seconds\":0,\"answer\":[1,2],\"state\":{}}",
         "\"generation\" is 0; it must"},
        {"{\"format\":2,\"run\":2,\"generation\":1,\"seconds\":-1,\"answer\":[1,2],\"state\":{}}",
         "\"seconds\" is -1; it must"},
        {"{\"format\":2,\"run\":2,\"generation\":1,\"seconds\":0,\"answer\":[1],\"state\":{}}",
         "\"answer\" needs a list of 2 numbers, found 1"},
        {"{\"format\":2,\"run\":2,\"generation\":1,\"seconds\":0,\"answer\":[1,null],\"state\":{}}",
         "\"answer\" needs a number"},
        {"{\"format\":2,\"run\":2,\"generation\":1,\"seconds\":0,\"state\":{}}", "\"answer\" is missing"},
        {"{\"format\":2,\"run\":2,\"generation\":1,\"seconds\":0,\"answer\":[1,2]}",
         "\"state\" must be an object"},
        {"{\"format\":2,\"run\":2,\"generation\":1,\"seconds\":0,\"answer\":[1e999,2]}", "is too large"},
        {"{\"format\":7}", "its format is 7"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Error error = {""};
        Generation newest;
        json_t *its;
        assert_false(run_checkpoint_parse(&newest, &its, 1, 2, "c.json", wrong[k].text, strlen(wrong[k].text),
                                          &error));
        assert_holds(error.text, "c.json");
        assert_holds(error.text, wrong[k].part);
        run_line_free(&newest);
        json_decref(its);
    }
}

// The system is told to refuse files beyond so many bytes, which cuts off lines as a full disk does.
static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_full_disk_is_told_and_the_folder_stays_usable(void **state) {
    (void)state;
    make_some();
    signal(SIGXFSZ, SIG_IGN);
    size_t length;
    Error error = {""};
    MadeUp made;
    json_t *new_state = state_make(4);
    generation_make(&made, 0, 4, 8);
    char *journal = read_text(in_folder("journal.jsonl"), &length);
    char *line = line_text(&made.generation);
    int refused = 0, cut = 0, complaints;
    for (rlim_t bytes = 0; bytes <= length + strlen(line); bytes += 97) {
        RunFolder *opened = open_folder();
        limit_files(bytes);
        bool good = run_folder_generation(opened, &made.generation, new_state, &error);
        limit_files(RLIM_INFINITY);
        assert_false(good);
        assert_holds(error.text, "cannot write");
        refused++;
        cut += bytes > length;
        assert_int_equal(count_lines(&complaints), 5); // what was begun was taken back
        assert_int_equal(complaints, 0);
        run_folder_close(opened);
    }
    assert_true(refused > 40 && cut > 4);
    // No room for the checkpoint: the history is ahead, until the folder is opened again.
    RunFolder *opened = open_folder();
    char aside[200];
    snprintf(aside, sizeof aside, "%s", in_folder("aside.json"));
    assert_int_equal(rename(in_folder("checkpoint-1.json"), aside), 0);
    assert_int_equal(mkdir(in_folder("checkpoint-1.json"), 0777), 0);
    assert_false(run_folder_generation(opened, &made.generation, new_state, &error));
    assert_holds(error.text, "checkpoint-1.json");
    run_folder_close(opened);
    assert_int_equal(count_lines(&complaints), 6);
    assert_int_equal(rmdir(in_folder("checkpoint-1.json")), 0);
    assert_int_equal(rename(aside, in_folder("checkpoint-1.json")), 0);
    opened = open_folder();
    assert_int_equal(count_lines(&complaints), 5);
    write_generation(opened, 0, 4, 8);
    run_folder_close(opened);
    assert_int_equal(count_lines(&complaints), 6);
    free(journal);
    free(line);
    json_decref(new_state);
}

// ---------------------------------------------------------------------------------------------------
// History and players

static void the_history_is_read_back_bit_for_bit(void **state) {
    (void)state;
    make_some();
    LearningHistory history;
    Error error = {""};
    int complaints = 0;
    assert_true(learning_history_read(&history, folder, count_complaint, &complaints, &error));
    assert_int_equal(complaints, 0);
    assert_int_equal(history.count, 5);
    assert_int_equal(history.runs, 2);
    assert_int_equal(history.size, 8);
    assert_int_equal(history.kind, OBJECTIVE_GAMES);
    assert_true(history.directions && history.switches == 0);
    assert_string_equal(history.label[0], "landing-height");
    assert_holds(history.title, "cmaes, features du, board 10x10 hard, objective games");
    const int run[] = {0, 0, 0, 1, 1}, number[] = {1, 2, 3, 1, 2};
    for (int k = 0; k < 5; k++) {
        MadeUp made;
        generation_make(&made, run[k], (uint64_t)number[k], 8);
        const Generation *a = &made.generation, *b = &history.generation[k];
        assert_true(a->run == b->run && a->generation == b->generation && a->evaluations == b->evaluations);
        assert_true(a->pieces == b->pieces && a->samples == b->samples && a->full == b->full &&
                    a->size == b->size);
        assert_true(a->seconds == b->seconds && a->best == b->best && a->mean == b->mean &&
                    a->worst == b->worst);
        assert_true(a->curve == b->curve || (isnan(a->curve) && isnan(b->curve)));
        assert_true(a->sigma == b->sigma && a->limit == b->limit && !b->stopped);
        assert_memory_equal(a->answer, b->answer, 8 * sizeof(double));
        assert_memory_equal(a->best_vector, b->best_vector, 8 * sizeof(double));
        assert_memory_equal(a->deviation, b->deviation, 8 * sizeof(double));
        assert_memory_equal(a->axes, b->axes, 8 * sizeof(double));
    }
    learning_history_free(&history);
}

static void lines_have_the_score_of_every_candidate_or_of_none(void **state) {
    (void)state;
    static const double scores[] = {1.5, -2, 1e-300}, samples[] = {1, 7, 2}, pieces[] = {10, 0x1p53, 0};
    MadeUp made;
    Generation again;
    Error error = {""};
    generation_make(&made, 0, 1, 3);
    json_t *line = run_line_json(&made.generation, &error);
    assert_non_null(line);
    assert_null(json_object_get(line, "candidates"));
    assert_true(run_line_parse(&again, 1, 3, line, &error) && !again.candidates && !again.scores);
    run_line_free(&again);
    json_decref(line);
    made.generation.candidates = 3;
    made.generation.scores = scores;
    made.generation.score_samples = samples;
    made.generation.score_pieces = pieces;
    line = run_line_json(&made.generation, &error);
    assert_true(run_line_parse(&again, 1, 3, line, &error) && again.candidates == 3);
    assert_memory_equal(again.scores, scores, sizeof scores);
    assert_memory_equal(again.score_samples, samples, sizeof samples);
    assert_memory_equal(again.score_pieces, pieces, sizeof pieces);
    run_line_free(&again);
    json_object_del(line, "score_pieces");
    assert_false(run_line_parse(&again, 1, 3, line, &error));
    assert_holds(error.text, "score_pieces");
    json_decref(line);
}

static void lines_may_lack_lists_and_have_infinite_scores(void **state) {
    (void)state;
    MadeUp made;
    Generation again;
    Error error = {""};
    generation_make(&made, 6, UINT64_MAX, 3);
    made.generation.axes = made.generation.best_vector = NULL;
    made.generation.best = INFINITY;
    made.generation.worst = -INFINITY;
    made.generation.mean = NAN;
    made.generation.stopped = "The \"end\"\n\xFF.";
    json_t *line = run_line_json(&made.generation, &error);
    assert_non_null(line);
    if (!run_line_parse(&again, 7, 3, line, &error))
        fail_msg("%s", error.text);
    assert_true(again.run == 6 && again.generation == UINT64_MAX);
    assert_true(!again.axes && !again.best_vector && again.deviation[2] == made.vectors[2][2]);
    assert_true(again.best == INFINITY && again.worst == -INFINITY && isnan(again.mean));
    assert_true(again.lower == made.generation.lower && again.upper == made.generation.upper);
    assert_true(again.selection_pieces == made.generation.selection_pieces);
    assert_string_equal(again.stopped, "The \"end\"??.");
    run_line_free(&again);
    json_object_del(line, "lower"); // older versions did not write these
    json_object_del(line, "selection_pieces");
    assert_true(run_line_parse(&again, 7, 3, line, &error) && isnan(again.lower));
    assert_true(isnan(again.selection_pieces));
    run_line_free(&again);
    assert_false(run_line_parse(&again, 6, 3, line, &error)); // there are 6 runs only
    assert_false(run_line_parse(&again, 7, 4, line, &error));
    json_decref(line);
    made.vectors[0][1] = NAN; // a checkpoint with it could not be read
    assert_null(run_line_json(&made.generation, &error));
    assert_holds(error.text, "not finite");
}

static void features_are_described_by_their_set_their_number_or_their_mix(void **state) {
    (void)state;
    static const struct {
        const char *features, *mix, *text;
    } cases[] = {
        {"du", NULL, "features du"},
        {"holes,landing-height", NULL, "2 features"},
        {"holes", NULL, "1 feature"},
        {"holes", "bcts,0.5*dellacherie", "a mix of bcts, dellacherie"},
        {"holes", "dellacherie-first,dellacherie-first,bcts", "a mix of dellacherie-first, dellache..."}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Encoding encoding;
        Error error = {""};
        double vector[ENCODING_MAX];
        char text[RUN_FEATURES];
        encoding_defaults(&encoding, 10);
        if (!encoding_set_features(&encoding, cases[k].features, &error) ||
            (cases[k].mix && !encoding_set_mix(&encoding, cases[k].mix, vector, &error)))
            fail_msg("%s", error.text);
        run_features_text(&encoding, text);
        assert_string_equal(text, cases[k].text);
    }
}

static void the_player_is_the_mean_of_the_directions(void **state) {
    (void)state;
    LearningPlan plan;
    Strategy strategy;
    Error error = {""};
    make_plan(&plan, OPTIMISER_CMAES, "holes,landing-height", 2);
    plan.seed = 7;
    RunFolder *made = make_folder(&plan);
    double first[] = {-3, 4}, second[] = {-1000, 0};
    Generation generation = {.run = 0, .generation = 1, .size = 2, .answer = first};
    json_t *empty = json_object();
    assert_true(run_folder_generation(made, &generation, empty, &error));
    if (!strategy_find(&strategy, in_folder("best.json"), &error))
        fail_msg("%s", error.text);
    assert_true(fabs(strategy.rating.weight[feature_first[FEATURE_HOLES]] + 0.6) < 1e-15);
    generation = (Generation){.run = 1, .generation = 2, .size = 2, .answer = second};
    assert_true(run_folder_generation(made, &generation, empty, &error));
    assert_true(strategy_find(&strategy, in_folder("best.json"), &error));
    assert_true(fabs(strategy.rating.weight[feature_first[FEATURE_HOLES]] + 0.8) < 1e-15);
    assert_true(fabs(strategy.rating.weight[feature_first[FEATURE_LANDING_HEIGHT]] - 0.4) < 1e-15);
    assert_string_equal(strategy.name, "run-10x10-hard");
    assert_string_equal(strategy.source, "Learned by cmaes: 2 features, objective games on 10x10 hard, seed "
                                         "7, mean of 2 runs, 1 to 2 generations.");
    assert_true(strategy_find(&strategy, in_folder("run-2.json"), &error));
    assert_true(strategy.rating.weight[feature_first[FEATURE_HOLES]] == -1000);
    assert_string_equal(strategy.name, "run-10x10-hard-run2");
    double player[2];
    run_players_mean(&made->players, player);
    assert_true(fabs(player[0] + 0.8) < 1e-15 && fabs(player[1] - 0.4) < 1e-15);
    json_decref(empty);
    run_folder_close(made);
    learning_plan_free(&plan);
}

static void a_single_run_keeps_the_length_of_its_answer(void **state) {
    (void)state;
    LearningPlan plan;
    Strategy strategy;
    Error error = {""};
    make_plan(&plan, OPTIMISER_CROSS_ENTROPY, "du", 1);
    RunFolder *made = make_folder(&plan);
    write_generation(made, 0, 1, 8);
    MadeUp expected;
    generation_make(&expected, 0, 1, 8);
    assert_true(strategy_find(&strategy, in_folder("best.json"), &error));
    assert_true(strategy.rating.weight[feature_first[FEATURE_LANDING_HEIGHT]] == expected.vectors[0][0]);
    assert_string_equal(strategy.name, "run-10x10-hard");
    assert_int_equal(access(in_folder("run-1.json"), F_OK), -1);
    run_folder_close(made);
    learning_plan_free(&plan);
}

static void names_come_from_folder_and_rules_or_from_the_plan(void **state) {
    (void)state;
    LearningPlan plan;
    char name[64];
    static const struct {
        const char *folder, *name;
    } cases[] = {{"learned", "learned-10x10-hard"},
                 {"a/b/strong//", "strong-10x10-hard"},
                 {"two words", "two-words-10x10-hard"},
                 {".", "learned-10x10-hard"},
                 {"/", "learned-10x10-hard"},
                 {"x/..", "learned-10x10-hard"},
                 {"..x", "..x-10x10-hard"},
                 {NULL, "learned-nce-du-10x10-hard-seed18446744073709551614"}};
    make_plan(&plan, OPTIMISER_CROSS_ENTROPY, "du", 1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        run_players_name(&plan, cases[k].folder, name);
        assert_string_equal(name, cases[k].name);
    }
    strcpy(plan.name, "my own");
    run_players_name(&plan, "learned", name);
    assert_string_equal(name, "my own");
    learning_plan_free(&plan);
}

static void players_on_the_way_come_from_the_history(void **state) {
    (void)state;
    LearningPlan plan;
    RunPlayers players;
    Error error = {""};
    make_plan(&plan, OPTIMISER_CROSS_ENTROPY, "du", 2);
    RunFolder *made = make_folder(&plan);
    assert_false(run_players_read(&players, folder, 0, NULL, NULL, &error));
    assert_holds(error.text, "holds no generation yet");
    run_players_free(&players);
    for (uint64_t g = 1; g <= 3; g++)
        write_generation(made, 0, g, 8);
    write_generation(made, 1, 1, 8);
    static const struct {
        uint64_t at, of[2];
    } cases[] = {{1, {1, 1}}, {2, {2, 1}}, {3, {3, 1}}, {0, {3, 1}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(run_players_read(&players, folder, cases[k].at, NULL, NULL, &error));
        for (int run = 0; run < 2; run++) {
            MadeUp expected;
            generation_make(&expected, run, cases[k].of[run], 8);
            assert_int_equal(players.generations[run], cases[k].of[run]);
            assert_memory_equal(run_players_answer(&players, run), expected.vectors[0], 8 * sizeof(double));
        }
        run_players_free(&players);
    }
    assert_false(run_players_read(&players, folder, 4, NULL, NULL, &error));
    assert_holds(error.text, "There is no generation 4 in ");
    assert_holds(error.text, "the newest is 3.");
    run_players_free(&players);
    run_folder_close(made);
    learning_plan_free(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_come_from_folder_and_rules_or_from_the_plan),
        cmocka_unit_test_teardown(players_on_the_way_come_from_the_history, clear),
        cmocka_unit_test(plans_of_all_methods_come_back_equal),
        cmocka_unit_test(every_option_of_a_method_is_written),
        cmocka_unit_test(every_wrong_member_of_a_plan_is_named),
        cmocka_unit_test(plans_of_older_versions_have_no_limit_of_pieces),
        cmocka_unit_test(damaged_plans_are_refused_with_their_place),
        cmocka_unit_test_teardown(states_and_time_come_back_equal, clear),
        cmocka_unit_test_teardown(a_folder_without_a_generation_begins_anew, clear),
        cmocka_unit_test_teardown(a_folder_holds_one_run, clear),
        cmocka_unit_test_teardown(folders_that_cannot_be_used_are_named, clear),
        cmocka_unit_test_teardown(a_second_program_is_kept_out_until_the_first_is_gone, clear),
        cmocka_unit_test_teardown(every_cut_of_the_journal_costs_only_its_lines, clear),
        cmocka_unit_test_teardown(lines_ahead_of_their_checkpoint_are_dropped, clear),
        cmocka_unit_test_teardown(damaged_lines_in_the_middle_are_left_out_and_dropped, clear),
        cmocka_unit_test_teardown(the_history_as_it_was_is_kept_with_and_without_hard_links, clear),
        cmocka_unit_test_teardown(every_cut_of_a_checkpoint_is_a_clear_error, clear),
        cmocka_unit_test_teardown(every_cut_of_the_plan_is_a_clear_error, clear),
        cmocka_unit_test(wrong_checkpoints_are_named),
        cmocka_unit_test_teardown(a_full_disk_is_told_and_the_folder_stays_usable, clear),
        cmocka_unit_test_teardown(the_history_is_read_back_bit_for_bit, clear),
        cmocka_unit_test(lines_have_the_score_of_every_candidate_or_of_none),
        cmocka_unit_test(lines_may_lack_lists_and_have_infinite_scores),
        cmocka_unit_test(features_are_described_by_their_set_their_number_or_their_mix),
        cmocka_unit_test_teardown(the_player_is_the_mean_of_the_directions, clear),
        cmocka_unit_test_teardown(a_single_run_keeps_the_length_of_its_answer, clear),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
