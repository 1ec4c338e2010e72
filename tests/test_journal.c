// SPDX-License-Identifier: GPL-3.0-or-later
// Journals: what is written is read back bit for bit, and whatever is damaged costs no more than its line.
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "measure_fixture.h"
#include "tasks/journal.h"

static char path[64];
static Table table;
static Measurement splitting, games;
static char splitting_id[JOURNAL_ID], games_id[JOURNAL_ID];

typedef struct Keeper {
    JsonLines *journal;
    const char *id;
} Keeper;

static void keep(void *context, const MeasureEvent *event) {
    Keeper *keeper = context;
    Error error = {""};
    if (!journal_event(keeper->journal, keeper->id, event, &error))
        fail_msg("%s", error.text);
}

static void write_one(JsonLines *journal, MeasureMethod method, Measurement *m, char id[JOURNAL_ID]) {
    Error error = {""};
    Keeper keeper = {journal, id};
    MeasurePlan plan = {.player = table.player,
                        .seed = UINT64_MAX - 1,
                        .method = method,
                        .precision = 0.3,
                        .work.jobs = 2,
                        .record = keep,
                        .keeper = &keeper};
    if (!journal_plan(journal, &plan, "1.2.3", id, &error) || !measurement_run(m, &plan, &error) ||
        !journal_result(journal, id, m, &error))
        fail_msg("%s", error.text);
}

// A journal with a measurement by splitting and one by games.
static int set_up(void **state) {
    (void)state;
    Error error = {""};
    table_make(&table, "bcts", "6x8", "strict", "S:3,Z:3,O:1,I:2");
    snprintf(path, sizeof path, "journal-test-%d.jsonl", (int)getpid());
    unlink(path);
    JsonLines *journal = json_lines_open(path, &error);
    if (!journal)
        fail_msg("%s", error.text);
    write_one(journal, MEASURE_SPLITTING, &splitting, splitting_id);
    write_one(journal, MEASURE_GAMES, &games, games_id);
    json_lines_close(journal);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    measurement_free(&splitting);
    measurement_free(&games);
    table_free(&table);
    unlink(path);
    return 0;
}

static void count_complaint(void *context, const char *sentence) {
    int *count = context;
    assert_non_null(strstr(sentence, "skipped."));
    (*count)++;
}

static void what_was_written_is_read_back_exactly(void **state) {
    (void)state;
    JournalContents contents = {0};
    Error error = {""};
    int complaints = 0;
    assert_true(journal_read(&contents, path, count_complaint, &complaints, &error));
    assert_int_equal(complaints, 0);
    assert_int_equal(contents.entries, 2);
    const JournalEntry *a = &contents.entry[0], *b = &contents.entry[1];
    assert_string_equal(a->id, splitting_id);
    assert_string_equal(a->name, "bcts");
    assert_string_equal(a->version, "1.2.3");
    assert_int_equal(a->rules.width, 6);
    assert_int_equal(a->rules.overflow, OVERFLOW_STRICT);
    assert_string_equal(a->rules.pieces.name, "S:3,Z:3,O:1,I:2");
    assert_true(a->plan.seed == UINT64_MAX - 1 && a->plan.precision == 0.3);
    Strategy strategy;
    assert_true(strategy_parse_json(&strategy, "strategy", a->strategy, strlen(a->strategy), &error));
    assert_memory_equal(&strategy.rating, &table.strategy.rating, sizeof strategy.rating);
    assert_true(a->known.started && a->known.trials == splitting.trials && a->known.base == splitting.base);
    assert_true(a->known.runs >= splitting.splitting.runs);
    for (uint64_t k = 0; k < splitting.splitting.runs; k++) {
        const SplittingRun *old = &splitting.splitting.run[k], *new = &a->known.run[k];
        assert_true(new->done &&new->lambda == old->lambda &&new->pieces == old->pieces);
        assert_true(new->cells == old->cells || (isnan(new->cells) && isnan(old->cells)));
    }
    assert_true(a->finished && a->mean_lines == splitting.mean_lines &&
                a->interval.high == splitting.interval.high);
    assert_int_equal(b->known.scores, games.games.games);
    assert_memory_equal(b->known.score, games.games.score, games.games.games * sizeof(Score));
    assert_true(b->finished && b->mean_lines == games.mean_lines && b->used == MEASURE_GAMES);
    journal_free(&contents);
}

static uint64_t kept_in(const JournalContents *contents) {
    uint64_t kept = 0;
    for (int i = 0; i < contents->entries; i++) {
        const JournalEntry *entry = &contents->entry[i];
        kept += 1 + entry->known.started + entry->finished;
        for (uint64_t k = 0; k < entry->known.runs; k++)
            kept += entry->known.run[k].done;
        kept += entry->known.scores;
    }
    return kept;
}

static void every_truncation_is_read_to_its_last_whole_line(void **state) {
    (void)state;
    size_t length, whole = 0;
    Error error = {""};
    char *text = text_read_file(path, &length, &error);
    assert_non_null(text);
    uint64_t kept_before = 0;
    for (size_t cut = 0; cut <= length; cut++) {
        JournalContents contents = {0};
        int complaints = 0;
        char *copy = malloc(cut ? cut : 1); // its own block: reading past the end is seen
        memcpy(copy, text, cut);
        assert_true(journal_parse(&contents, "cut", copy, cut, count_complaint, &complaints, &error));
        uint64_t kept = kept_in(&contents);
        bool ends_whole = cut == 0 || text[cut - 1] == '\n' || text[cut] == '\n';
        if (ends_whole)
            whole = cut;
        assert_int_equal(complaints, ends_whole ? 0 : 1);
        assert_true(ends_whole ? kept >= kept_before : kept == kept_before);
        kept_before = kept;
        journal_free(&contents);
        free(copy);
        if (cut > 3000 && cut + 3000 < length && cut > whole + 40 && strcspn(text + cut, "\n") > 40)
            cut += 28; // the middle of long lines
    }
    free(text);
}

// Other programs refuse such a text as too large; it is mostly empty lines here, which mean nothing.
static void journals_of_any_size_are_read(void **state) {
    (void)state;
    enum { LINE = 1 << 20, LINES = 65 };
    size_t length;
    Error error = {""};
    char name[80], *text = text_read_file(path, &length, &error), *blank = malloc(LINE);
    assert_non_null(text);
    assert_non_null(blank);
    memset(blank, ' ', LINE);
    blank[LINE - 1] = '\n';
    snprintf(name, sizeof name, "%s.large", path);
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    for (int k = 0; k < LINES; k++)
        assert_int_equal(fwrite(blank, 1, LINE, file), LINE);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    JournalContents contents = {0};
    bool read = journal_read(&contents, name, NULL, NULL, &error);
    unlink(name);
    if (!read)
        fail_msg("%s", error.text);
    assert_int_equal(contents.entries, 2);
    assert_true(contents.entry[1].finished);
    journal_free(&contents);
    free(text);
    free(blank);
}

static void a_torn_line_does_not_spoil_the_next_one(void **state) {
    (void)state;
    char torn[80];
    size_t length;
    Error error = {""};
    snprintf(torn, sizeof torn, "%s.torn", path);
    char *text = text_read_file(path, &length, &error);
    assert_non_null(text);
    size_t first = (size_t)(strchr(text, '\n') - text) + 1;
    assert_true(text_write_file(torn, text, first + 30, &error));
    JsonLines *journal = json_lines_open(torn, &error);
    assert_non_null(journal);
    MeasureEvent event = {.kind = MEASURE_STARTED, .method = MEASURE_GAMES};
    assert_true(journal_event(journal, splitting_id, &event, &error));
    json_lines_close(journal);
    JournalContents contents = {0};
    int complaints = 0;
    assert_true(journal_read(&contents, torn, count_complaint, &complaints, &error));
    assert_int_equal(complaints, 1);
    assert_true(contents.entries == 1 && contents.entry[0].known.started);
    journal_free(&contents);
    unlink(torn);
    free(text);
}

static char complaint[800];

static void copy_complaint(void *context, const char *sentence) {
    (void)context;
    snprintf(complaint, sizeof complaint, "%s", sentence);
}

static void every_wrong_line_has_its_sentence(void **state) {
    (void)state;
    static const struct {
        const char *line, *sentence;
    } cases[] = {
        {"{\"kind\":\"dream\",\"id\":\"x\"}", "f:2: \"kind\" must be \"plan\", \"start\", \"repetition\", "
                                              "\"games\" or \"result\", found \"dream\". "},
        {"{\"kind\":\"start\",\"id\":\"x\"}", "f:2: There is no plan with its id before. "},
        {"{\"kind\":\"start\"}", "f:2: \"id\" is missing. "},
        {"{\"kind\":\"plan\",\"id\":\"y\",\"format\":2}",
         "f:2: \"format\" is not 1, which this program knows: "},
        {"[1]", "f:2: The line is damaged: expected an object, {...}. "},
        {"{\"kind\":", "f:2: The line is damaged: "},
        {"\x01", "f:2: The line is damaged: the control character 0x01 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        Error error = {""};
        JournalContents contents = {0};
        snprintf(text, sizeof text, "\n%s\n", cases[i].line);
        complaint[0] = 0;
        assert_true(journal_parse(&contents, "f", text, strlen(text), copy_complaint, NULL, &error));
        if (strncmp(complaint, cases[i].sentence, strlen(cases[i].sentence)) != 0)
            fail_msg("%s: %s", cases[i].line, complaint);
        journal_free(&contents);
    }
}

static void wrong_values_are_refused(void **state) {
    (void)state;
    static const char *const lines[] = {
        "{\"kind\":\"repetition\",\"id\":\"ID\",\"number\":4095,\"lambda\":0.1,\"cells\":1,\"pieces\":1,"
        "\"extinct\":0}",
        "{\"kind\":\"repetition\",\"id\":\"ID\",\"number\":-1,\"lambda\":0.1,\"cells\":1,\"pieces\":1,"
        "\"extinct\":0}",
        "{\"kind\":\"repetition\",\"id\":\"ID\",\"number\":0,\"lambda\":2,\"cells\":1,\"pieces\":1,"
        "\"extinct\":0}",
        "{\"kind\":\"games\",\"id\":\"ID\",\"first\":32769,\"lines\":[1],\"pieces\":[1],\"censored\":[]}",
        "{\"kind\":\"games\",\"id\":\"ID\",\"first\":0,\"lines\":[1],\"pieces\":[1,2],\"censored\":[]}",
        "{\"kind\":\"games\",\"id\":\"ID\",\"first\":0,\"lines\":[1],\"pieces\":[1],\"censored\":[1]}",
        "{\"kind\":\"games\",\"id\":\"ID\",\"first\":0,\"lines\":[0.5],\"pieces\":[1],\"censored\":[]}",
        "{\"kind\":\"start\",\"id\":\"ID\",\"method\":\"auto\",\"base\":1,\"trials\":1,\"pilot_pieces\":0}",
        "{\"kind\":\"repetition\",\"id\":\"ID\",\"number\":0,\"lambda\":0.1,\"cells\":null,\"pieces\":1,"
        "\"extinct\":0}",
        "{\"kind\":\"repetition\",\"id\":\"ID\",\"number\":0,\"lambda\":0.1,\"cells\":-1,\"pieces\":1,"
        "\"extinct\":0}",
        ("{\"kind\":\"result\",\"id\":\"ID\",\"method\":\"games\",\"mean_lines\":1,\"pieces\":1,"
         "\"count\":1,\"seconds\":1,\"precise\":true,\"interrupted\":false,\"note\":\"\",\"ci95\":[1]}"),
    };
    size_t length;
    Error error = {""};
    char *text = text_read_file(path, &length, &error), all[2000];
    assert_non_null(text);
    size_t first = (size_t)(strchr(text, '\n') - text) + 1;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        JournalContents contents = {0};
        const char *mark = strstr(lines[i], "\"ID\"");
        snprintf(all, sizeof all, "%.*s%.*s\"%s\"%s\n", (int)first, text, (int)(mark - lines[i]), lines[i],
                 splitting_id, mark + 4);
        int complaints = 0;
        assert_true(journal_parse(&contents, "f", all, strlen(all), count_complaint, &complaints, &error));
        if (complaints != 1 || kept_in(&contents) != 1)
            fail_msg("accepted: %s", lines[i]);
        journal_free(&contents);
    }
    free(text);
}

// A line that is missing costs its own games, not those of the lines after it; a game that was stopped is
// replaced by one that went further.
static void games_after_a_gap_are_kept_and_longer_ones_count(void **state) {
    (void)state;
    size_t length;
    Error error = {""};
    char *text = text_read_file(path, &length, &error), all[3000];
    assert_non_null(text);
    snprintf(
        all, sizeof all,
        "%.*s\n"
        "{\"kind\":\"games\",\"id\":\"%s\",\"first\":8,\"lines\":[5,7],\"pieces\":[20,30],\"censored\":[1]}\n"
        "{\"kind\":\"games\",\"id\":\"%s\",\"first\":9,\"lines\":[70],\"pieces\":[200],\"censored\":[]}\n"
        "{\"kind\":\"games\",\"id\":\"%s\",\"first\":8,\"lines\":[1],\"pieces\":[9],\"censored\":[0]}\n",
        (int)(strchr(text, '\n') - text), text, splitting_id, splitting_id, splitting_id);
    JournalContents contents = {0};
    int complaints = 0;
    assert_true(journal_parse(&contents, "f", all, strlen(all), count_complaint, &complaints, &error));
    assert_int_equal(complaints, 0);
    const MeasureKnown *known = &contents.entry[0].known;
    assert_int_equal(known->scores, 10);
    assert_false(known->score[0].played || known->score[7].played);
    assert_true(known->score[8].played && known->score[8].lines == 5 && !known->score[8].censored);
    assert_true(known->score[9].played && known->score[9].lines == 70 && !known->score[9].censored);
    journal_free(&contents);
    free(text);
}

static void games_that_did_not_end_come_back_as_such(void **state) {
    (void)state;
    static const Score score[] = {
        {5, 20, true, true}, {7, 30, false, true}, {0, 0, false, false}, {9, 40, true, true}};
    char other[80], id[JOURNAL_ID];
    Error error = {""};
    snprintf(other, sizeof other, "%s.ends", path);
    unlink(other);
    JsonLines *journal = json_lines_open(other, &error);
    MeasurePlan plan = {
        .player = table.player, .seed = 1, .method = MEASURE_GAMES, .precision = 0.3, .budget = 1000};
    MeasureEvent event = {.kind = MEASURE_GAMES_PLAYED, .score = score, .count = 4};
    assert_true(journal && journal_plan(journal, &plan, "1.2.3", id, &error) &&
                journal_event(journal, id, &event, &error));
    json_lines_close(journal);
    JournalContents contents = {0};
    int complaints = 0;
    assert_true(journal_read(&contents, other, count_complaint, &complaints, &error));
    assert_int_equal(contents.entry[0].known.scores, 4);
    for (int k = 0; k < 4; k++) {
        const Score *read = &contents.entry[0].known.score[k];
        assert_true(read->lines == score[k].lines && read->pieces == score[k].pieces &&
                    read->censored == score[k].censored && read->played == score[k].played);
    }
    journal_free(&contents);
    unlink(other);
}

// What is not finite is written as null: which of the two it was follows from the lower end.
static void means_without_a_bound_are_read_back(void **state) {
    (void)state;
    static const Measurement cases[] = {
        {.method = MEASURE_SPLITTING, .mean_lines = INFINITY, .interval = {5, INFINITY}},
        {.method = MEASURE_SPLITTING, .mean_lines = 7, .interval = {5, INFINITY}},
        {.method = MEASURE_SPLITTING, .mean_lines = NAN, .interval = {NAN, NAN}},
    };
    char file[80];
    Error error = {""};
    snprintf(file, sizeof file, "%s.bounds", path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MeasurePlan plan = {.player = table.player, .method = MEASURE_AUTO, .precision = 0.05};
        char id[JOURNAL_ID];
        JournalContents contents = {0};
        JsonLines *journal = json_lines_open(file, &error);
        assert_non_null(journal);
        assert_true(journal_plan(journal, &plan, "1", id, &error));
        assert_true(journal_result(journal, id, &cases[i], &error));
        json_lines_close(journal);
        assert_true(journal_read(&contents, file, NULL, NULL, &error));
        assert_true(contents.entries == 1 && contents.entry[0].finished);
        const double was[] = {cases[i].mean_lines, cases[i].interval.low, cases[i].interval.high},
                     is[] = {contents.entry[0].mean_lines, contents.entry[0].interval.low,
                             contents.entry[0].interval.high};
        for (int k = 0; k < 3; k++)
            assert_true(is[k] == was[k] || (isnan(is[k]) && isnan(was[k])));
        journal_free(&contents);
        unlink(file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read_back_exactly),
        cmocka_unit_test(every_truncation_is_read_to_its_last_whole_line),
        cmocka_unit_test(journals_of_any_size_are_read),
        cmocka_unit_test(a_torn_line_does_not_spoil_the_next_one),
        cmocka_unit_test(every_wrong_line_has_its_sentence),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(means_without_a_bound_are_read_back),
        cmocka_unit_test(games_after_a_gap_are_kept_and_longer_ones_count),
        cmocka_unit_test(games_that_did_not_end_come_back_as_such),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
