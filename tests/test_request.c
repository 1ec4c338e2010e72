// SPDX-License-Identifier: GPL-3.0-or-later
// Request lines of tetralab evaluate, and the lines that a descriptor gives bit by bit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/lines.h"
#include "base/random.h"
#include "tasks/request.h"

static bool parse(Request *request, const char *text, Error *error) {
    request->seed = 1;
    request->first = 0;
    request->games = 10;
    return request_parse(request, text, strlen(text), 3, error);
}

static void a_bare_list_is_a_vector(void **state) {
    (void)state;
    Request request;
    Error error = {""};
    assert_true(parse(&request, " [1, -2.5e1, 0] \r", &error));
    assert_true(request.vector[0] == 1 && request.vector[1] == -25 && request.vector[2] == 0);
    assert_true(request.seed == 1 && request.first == 0 && request.games == 10);
    assert_string_equal(request.id, "");
}

static void members_replace_what_was_filled_in(void **state) {
    (void)state;
    Request request;
    Error error = {""};
    assert_true(parse(
        &request, "{\"games\": 7, \"weights\": [1,2,3], \"seed\": \"18446744073709551615\", \"first\": 1e3}",
        &error));
    assert_true(request.seed == UINT64_MAX && request.first == 1000 && request.games == 7);
    assert_true(request.vector[2] == 3 && !request.describe);
    assert_true(parse(&request, "{\"describe\": true, \"id\": 1}", &error));
    assert_true(request.describe);
}

static void ids_come_back_as_they_were_written(void **state) {
    (void)state;
    static const char *const ids[] = {
        "7",     "12345678901234567890123", "1.50", "\"a b, \\\"c\\\" ü\"", "true", "null",
        "-0e-5", "\"\\ud83d\\ude00\""};
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        char line[200];
        Request request;
        Error error = {""};
        snprintf(line, sizeof line, "{\"weights\": [1,2,3], \"id\" : %s}", ids[k]);
        if (!parse(&request, line, &error))
            fail_msg("%s: %s", line, error.text);
        assert_string_equal(request.id, ids[k]);
    }
}

static const struct {
    const char *line, *sentence, *id;
} wrong[] = {
    {"", "found the end", ""},
    {"7", "Character 1: ", ""},
    {"[1,2,3", "Character 7: expected \",\" or \"]\"", ""},
    {"[1,2,3] [1,2,3]", "Character 9: ", ""},
    {"[1,2]", "has 2 numbers, but needs 3", ""},
    {"[1,2,3,4]", "has 4 numbers", ""},
    {"[1,\"2\",3]", "Entry 2 of the vector is not a number", ""},
    {"[1,NaN,3]", "numbers must be finite", ""},
    {"[1,1e999,3]", "too large", ""},
    {"[1,2,-1e101]", "Entry 3 of the vector is -1e+101", ""},
    {"{}", "\"weights\" is missing", ""},
    {"{\"id\": 5}", "\"weights\" is missing", "5"},
    {"{\"weights\": 3, \"id\": \"x\"}", "must be a list of 3 numbers", "\"x\""},
    {"{\"wieghts\": [1,2,3], \"id\": 2}", "did you mean \"weights\"", "2"},
    {"{\"weights\": [1,2,3], \"id\": [2]}", "\"id\" must be a text", ""},
    {"{\"weights\": [1,2,3], \"seed\": -1}", "\"seed\" must be a whole number from 0", ""},
    {"{\"weights\": [1,2,3], \"seed\": 1e16}", "above 2^53 write it in quotes", ""},
    {"{\"weights\": [1,2,3], \"seed\": \"18446744073709551616\"}", "\"seed\" must be", ""},
    {"{\"weights\": [1,2,3], \"first\": 0.5}", "\"first\" must be", ""},
    {"{\"weights\": [1,2,3], \"games\": 0}", "\"games\" is 0; it must lie between 1 and 100000", ""},
    {"{\"weights\": [1,2,3], \"games\": 100001}", "\"games\" is 100001", ""},
    {"{\"weights\": [1,2,3], \"games\": \"\"}", "\"games\" must be", ""},
    {"{\"weights\": [1,2,3], \"id\": 1, \"id\": 2}", "is there twice", ""},
    {"{\"describe\": 1}", "\"describe\" must be true or false", ""},
    {"{\"describe\": true, \"weights\": [1,2,3]}", "exclude each other", ""},
    {"{\"weights\": [1,2,3], \"\\u001b[31m\": 1}", "\"?[31m\" is not a key of a request", ""},
    {"[\xff]", "no UTF-8", ""},
};

static void every_mistake_has_its_sentence_and_the_id_if_there_is_one(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Request request;
        Error error = {""};
        if (parse(&request, wrong[k].line, &error) || !strstr(error.text, wrong[k].sentence))
            fail_msg("%s: %s", wrong[k].line, error.text);
        assert_string_equal(request.id, wrong[k].id);
    }
    char line[400];
    Request request;
    Error error = {""};
    memset(line, 'x', sizeof line);
    memcpy(line, "{\"id\": \"", 8);
    memcpy(line + 300, "\", \"weights\": [1,2,3]}", 23);
    assert_false(parse(&request, line, &error));
    assert_non_null(strstr(error.text, "the limit is 259"));
}

static void every_beginning_of_a_request_is_refused(void **state) {
    (void)state;
    static const char line[] = "{\"id\": \"x\\n\", \"weights\": [1, -2e-3, 3], \"seed\": \"5\"}";
    Request request;
    for (size_t length = 0; length < sizeof line - 1; length++) {
        Error error = {""};
        char *copy = malloc(length + 1); // its own block: reading past the end is seen
        memcpy(copy, line, length);
        assert_false(request_parse(&request, copy, length, 3, &error));
        assert_true(error.text[0]);
        free(copy);
    }
}

// ---- lines

typedef struct Pipe {
    int out;
    LineReader reader;
} Pipe;

static void pipe_open(Pipe *line, size_t limit) {
    int ends[2];
    Error error = {""};
    assert_int_equal(pipe(ends), 0);
    line->out = ends[1];
    assert_true(lines_open(&line->reader, ends[0], limit, &error));
}

static void pipe_close(Pipe *line) {
    close(line->reader.file);
    lines_close(&line->reader);
}

static void put(Pipe *line, const char *text, size_t length) {
    Error error = {""};
    assert_int_equal(write(line->out, text, length), (ssize_t)length);
    assert_true(lines_fill(&line->reader, &error));
}

static void expect(Pipe *line, LineEvent event, const char *text) {
    const char *found;
    size_t length;
    assert_int_equal(lines_next(&line->reader, &found, &length), event);
    if (event == LINE_TAKEN) {
        assert_int_equal(length, strlen(text));
        assert_memory_equal(found, text, length);
    }
}

static void lines_are_taken_when_they_are_whole(void **state) {
    (void)state;
    Pipe line;
    Error error = {""};
    pipe_open(&line, 8);
    expect(&line, LINE_WAIT, NULL);
    put(&line, "ab", 2);
    expect(&line, LINE_WAIT, NULL);
    put(&line, "c\n\nde", 5);
    expect(&line, LINE_TAKEN, "abc");
    expect(&line, LINE_TAKEN, "");
    expect(&line, LINE_WAIT, NULL);
    put(&line, "fghij\n", 6);
    expect(&line, LINE_TAKEN, "defghij");
    put(&line, "last", 4);
    close(line.out);
    expect(&line, LINE_WAIT, NULL);
    assert_true(lines_fill(&line.reader, &error));
    expect(&line, LINE_TAKEN, "last");
    expect(&line, LINE_END, NULL);
    expect(&line, LINE_END, NULL);
    assert_int_equal(line.reader.line, 4);
    pipe_close(&line);
}

static void long_lines_are_skipped_and_counted_once(void **state) {
    (void)state;
    Pipe line;
    pipe_open(&line, 4);
    put(&line, "1234\n", 5);
    expect(&line, LINE_TAKEN, "1234");
    put(&line, "12345", 5);
    expect(&line, LINE_TOO_LONG, NULL);
    expect(&line, LINE_WAIT, NULL);
    put(&line, "6789a", 5);
    expect(&line, LINE_WAIT, NULL);
    put(&line, "b\nok\n", 5);
    expect(&line, LINE_TAKEN, "ok");
    assert_int_equal(line.reader.line, 3);
    put(&line, "12345", 5);
    expect(&line, LINE_TOO_LONG, NULL);
    close(line.out);
    assert_true(lines_fill(&line.reader, NULL));
    expect(&line, LINE_END, NULL);
    pipe_close(&line);
}

// Against the obvious: cut the whole text at its line ends.
static void any_cutting_of_the_input_gives_the_same_lines(void **state) {
    (void)state;
    enum { LIMIT = 6, BYTES = 300, ROUNDS = 300 };
    print_message("seed 11\n");
    Random random = random_stream(11, 0, RANDOM_TEST);
    for (int round = 0; round < ROUNDS; round++) {
        char text[BYTES + 1] = "";
        for (int i = 0; i < BYTES; i++)
            text[i] = random_below(&random, 6) ? 'a' : '\n';
        Pipe line;
        pipe_open(&line, LIMIT);
        size_t sent = 0, start = 0;
        for (;;) {
            const char *found;
            size_t length, end = start + strcspn(text + start, "\n");
            LineEvent event = lines_next(&line.reader, &found, &length);
            if (event == LINE_END) {
                assert_int_equal(start, BYTES);
                break;
            } else if (event == LINE_WAIT && sent < BYTES) {
                size_t part = 1 + random_below(&random, 9);
                part = part < BYTES - sent ? part : BYTES - sent;
                assert_int_equal(write(line.out, text + sent, part), (ssize_t)part);
                sent += part;
                if (sent == BYTES)
                    close(line.out);
                assert_true(lines_fill(&line.reader, NULL));
            } else if (event == LINE_WAIT) {
                assert_true(lines_fill(&line.reader, NULL));
            } else {
                assert_int_equal(event, end - start > LIMIT ? LINE_TOO_LONG : LINE_TAKEN);
                if (event == LINE_TAKEN)
                    assert_true(length == end - start && !memcmp(found, text + start, length));
                start = end + (end < BYTES);
            }
        }
        pipe_close(&line);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_list_is_a_vector),
        cmocka_unit_test(members_replace_what_was_filled_in),
        cmocka_unit_test(ids_come_back_as_they_were_written),
        cmocka_unit_test(every_mistake_has_its_sentence_and_the_id_if_there_is_one),
        cmocka_unit_test(every_beginning_of_a_request_is_refused),
        cmocka_unit_test(lines_are_taken_when_they_are_whole),
        cmocka_unit_test(long_lines_are_skipped_and_counted_once),
        cmocka_unit_test(any_cutting_of_the_input_gives_the_same_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
