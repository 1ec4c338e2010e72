// SPDX-License-Identifier: GPL-3.0-or-later
// Files, the nearest name, numbers as people read them.
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/replacing.h"
#include "base/text.h"
#include "base/utf8.h"

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/tetralab-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

// <- the number of entries, which are removed
static int empty_folder(void) {
    int count = 0;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            count += !unlink(path);
    }
    if (list)
        closedir(list);
    return count;
}

static int remove_folder(void **state) {
    (void)state;
    empty_folder();
    return rmdir(folder);
}

static const char *in_folder(const char *name) {
    static char path[2][128];
    static int turn;
    turn ^= 1;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void a_file_comes_back_as_written_with_a_zero_behind_it(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 16382, 16383, 16384, 32767, 1000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = malloc(sizes[i] + 1);
        assert_non_null(text);
        for (size_t k = 0; k < sizes[i]; k++)
            text[k] = (char)(k * 7 + i); // zeros among them
        assert_true(text_write_file(in_folder("a"), text, sizes[i], NULL));
        size_t length = 1;
        char *back = text_read_file(in_folder("a"), &length, NULL);
        assert_non_null(back);
        assert_int_equal(length, sizes[i]);
        assert_memory_equal(back, text, sizes[i]);
        assert_int_equal(back[length], 0);
        free(back);
        free(text);
    }
    assert_int_equal(empty_folder(), 1); // no temporary file stays behind
}

static void reading_says_what_is_wrong(void **state) {
    (void)state;
    size_t length;
    Error error;
    assert_null(text_read_file("/no/such/file", &length, &error));
    assert_string_equal(error.text, "cannot read /no/such/file: No such file or directory.");
    assert_null(text_read_file("/tmp", &length, &error));
    assert_string_equal(error.text, "cannot read /tmp: Is a directory.");
    assert_null(text_read_file("/dev/zero", &length, &error));
    assert_string_equal(error.text, "/dev/zero is larger than 64 MiB, the most that is read.");
}

static void writing_says_what_is_wrong(void **state) {
    (void)state;
    Error error;
    assert_false(text_write_file("/no/such/file", "x", 1, &error));
    assert_string_equal(error.text, "cannot write /no/such/file: No such file or directory.");
    assert_false(text_write_file("/tmp", "x", 1, &error));
    assert_string_equal(error.text, "cannot write /tmp: Is a directory.");
}

static void whether_a_file_can_be_written_is_known_before(void **state) {
    (void)state;
    Error error;
    assert_false(text_can_write("/no/such/file", &error));
    assert_string_equal(error.text, "cannot write /no/such/file: No such file or directory.");
    assert_false(text_can_write("/tmp", &error));
    assert_string_equal(error.text, "cannot write /tmp: Is a directory.");
    assert_true(text_can_write("-", NULL));
    assert_true(text_can_write("/dev/full", NULL)); // only writing shows it
    assert_true(text_can_write(in_folder("new"), NULL));
    assert_int_equal(empty_folder(), 0); // asking leaves nothing behind,
    assert_true(text_write_file(in_folder("a"), "old", 3, NULL));
    assert_true(text_can_write(in_folder("a"), NULL));
    size_t length;
    char *back = text_read_file(in_folder("a"), &length, NULL);
    assert_non_null(back);
    assert_string_equal(back, "old"); // and what is there stays
    free(back);
    assert_int_equal(empty_folder(), 1);
}

// The pipe comes first: were it replaced, the test would end here and leave the devices of root alone.
static void pipes_and_devices_are_written_to_and_not_replaced(void **state) {
    (void)state;
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    int reader = open(in_folder("pipe"), O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_true(text_write_file(in_folder("pipe"), "x", 1, NULL));
    struct stat status;
    assert_int_equal(stat(in_folder("pipe"), &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    char back = 0;
    assert_int_equal(read(reader, &back, 1), 1);
    assert_int_equal(back, 'x');
    close(reader);
    assert_int_equal(empty_folder(), 1);
    Error error;
    assert_false(text_write_file("/dev/full", "x", 1, &error));
    assert_string_equal(error.text, "cannot write /dev/full: No space left on device.");
}

static void replacing_keeps_links_and_permissions(void **state) {
    (void)state;
    assert_true(text_write_file(in_folder("a"), "old", 3, NULL));
    assert_int_equal(chmod(in_folder("a"), 0640), 0);
    assert_int_equal(symlink(in_folder("a"), in_folder("link")), 0);
    assert_true(text_write_file(in_folder("link"), "new", 3, NULL));
    struct stat status;
    assert_int_equal(lstat(in_folder("link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(in_folder("a"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    size_t length;
    char *back = text_read_file(in_folder("a"), &length, NULL);
    assert_string_equal(back, "new");
    free(back);
    assert_int_equal(empty_folder(), 2);
}

static bool look_at_what_grows(void *mode, FILE *out, Error *error) {
    struct stat status;
    (void)error;
    assert_int_equal(fstat(fileno(out), &status), 0);
    *(int *)mode = (int)(status.st_mode & 07777);
    return true;
}

static void a_private_file_stays_private_while_the_new_one_grows(void **state) {
    (void)state;
    Error error = {""};
    struct stat status;
    int mode = 0;
    assert_true(text_write_file(in_folder("secret"), "old", 3, &error));
    assert_int_equal(chmod(in_folder("secret"), 0600), 0);
    assert_true(replacing_write(in_folder("secret"), false, look_at_what_grows, &mode, &error));
    assert_int_equal(mode, 0600);
    assert_int_equal(stat(in_folder("secret"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    if (!geteuid()) { // the superuser does not take files away from others
        assert_int_equal(chown(in_folder("secret"), 1234, 2345), 0);
        assert_true(text_write_file(in_folder("secret"), "new", 3, &error));
        assert_int_equal(stat(in_folder("secret"), &status), 0);
        assert_int_equal(status.st_uid, 1234);
        assert_int_equal(status.st_gid, 2345);
    }
    assert_int_equal(empty_folder(), 1);
}

// Take the place of the system's, which they ask, and note what is done in which order.
static char done[16];

static void note(char what) {
    size_t length = strlen(done);
    if (length + 1 < sizeof done)
        done[length] = what;
}

int fsync(int file) {
    struct stat status;
    note(fstat(file, &status) ? '?' : S_ISDIR(status.st_mode) ? 'd' : 'f');
    return fdatasync(file);
}

int rename(const char *from, const char *to) {
    note('r');
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

// First the file, then its name: a power cut leaves the old one or the new one, whole.
static void a_written_file_is_on_the_disk_and_so_is_its_name(void **state) {
    (void)state;
    Error error = {""};
    const char *path = in_folder("synced");
    for (int again = 0; again < 2; again++) {
        memset(done, 0, sizeof done);
        assert_true(text_write_file(path, "x", 1, &error));
        assert_string_equal(done, "frd");
    }
    memset(done, 0, sizeof done);
    assert_true(text_replace(path, "y", 1, false, &error));
    assert_string_equal(done, "r");
    assert_int_equal(empty_folder(), 1);
}

static void a_link_that_leads_nowhere_is_refused_and_nothing_is_made_behind_it(void **state) {
    (void)state;
    Error error;
    assert_int_equal(symlink(in_folder("nothing"), in_folder("link")), 0);
    assert_false(text_write_file(in_folder("link"), "x", 1, &error));
    assert_non_null(strstr(error.text, "/link is a link to a file that does not exist"));
    assert_false(text_can_write(in_folder("link"), NULL));
    assert_int_equal(replacing_open(in_folder("link"), 0, &error), -1);
    assert_non_null(strstr(error.text, "/link is a link to a file that does not exist"));
    assert_int_equal(empty_folder(), 1); // the link
}

// -> name  of a file in the folder
static bool is_there(const char *name) {
    return access(in_folder(name), F_OK) == 0;
}

static void what_killed_programs_left_over_is_removed_and_nothing_else(void **state) {
    (void)state;
    static const char *const gone[] = {"a.0123456789abcdef.tmp", "a.0123456789abcdef.tmp-journal",
                                       "a.b.0123456789abcdef.tmp"};
    static const char *const stays[] = {"a",
                                        "a.tmp",
                                        "a.0123456789abcde.tmp",
                                        "a.0123456789abcdeg.tmp",
                                        "ab.0123456789abcdef.tmp",
                                        "a.0123456789abcdef.tmp.json"};
    enum { GONE = sizeof gone / sizeof *gone, STAYS = sizeof stays / sizeof *stays };
    for (int i = 0; i < GONE + STAYS; i++)
        assert_true(text_write_file(in_folder(i < GONE ? gone[i] : stays[i - GONE]), "x", 1, NULL));
    assert_int_equal(symlink(in_folder("a"), in_folder("a.1123456789abcdef.tmp")), 0);
    Temporary mine;
    assert_true(temporary_make(&mine, in_folder("a"), NULL)); // is being written
    assert_true(text_can_write(in_folder("a"), NULL));
    for (int i = 0; i < GONE; i++)
        assert_false(is_there(gone[i]));
    for (int i = 0; i < STAYS; i++)
        assert_true(is_there(stays[i]));
    assert_true(is_there("a.1123456789abcdef.tmp")); // a link is nobody's temporary file
    assert_int_equal(access(mine.name, F_OK), 0);
    temporary_end(&mine);
    assert_int_equal(empty_folder(), STAYS + 1);
}

// Programs that write one file at the same time, and remove what seems to be left over before.
static void programs_that_write_one_file_do_not_disturb_each_other(void **state) {
    (void)state;
    enum { PROGRAMS = 4, TIMES = 300 };
    for (int k = 0; k < PROGRAMS; k++) {
        pid_t child = fork();
        assert_true(child >= 0);
        for (int i = 0; child == 0 && i < TIMES; i++)
            if (!text_can_write(in_folder("a"), NULL) || !text_replace(in_folder("a"), "x", 1, false, NULL))
                _exit(1);
        if (child == 0)
            _exit(0);
    }
    for (int k = 0, status; k < PROGRAMS; k++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(empty_folder(), 1);
}

static void what_is_below_a_folder_is_found_wherever_links_and_dots_lead(void **state) {
    (void)state;
    assert_int_equal(mkdir(in_folder("d"), 0777), 0);
    assert_int_equal(symlink("/tmp", in_folder("d/out")), 0);
    assert_int_equal(symlink("nothing", in_folder("d/nowhere")), 0);
    assert_int_equal(symlink("d", in_folder("in")), 0);
    static const char *const below[] = {"d/a", "d/new/a", "d/./a", "in/a", "d/../d/a"};
    static const char *const beside[] = {
        "d",      "a", "d/..", "d/../a", "dd/a", "d/out/a", "d/out/../d/a", "d/nowhere", "d/new/../../a",
        "in/../a"};
    char folder_d[128];
    snprintf(folder_d, sizeof folder_d, "%s", in_folder("d"));
    for (size_t i = 0; i < sizeof below / sizeof *below; i++)
        assert_true(text_is_below(in_folder(below[i]), folder_d));
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        assert_false(text_is_below(in_folder(beside[i]), folder_d));
    assert_true(text_is_below("/tmp/a", "/"));
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(mkdir(in_folder("gone"), 0777), 0);
    assert_int_equal(chdir(in_folder("gone")), 0);
    assert_int_equal(rmdir(in_folder("gone")), 0);
    assert_false(text_is_below("a", folder_d)); // the working folder is nowhere
    assert_int_equal(chdir(here), 0);
    unlink(in_folder("d/out"));
    unlink(in_folder("d/nowhere"));
    assert_int_equal(rmdir(in_folder("d")), 0);
    empty_folder();
}

// The first and the last of what each length can hold; just beside them there is no UTF-8.
static void characters_have_one_form_and_surrogates_none(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t code; // 0: none
    } cases[] = {{"\x7f", 0x7F},
                 {"\xc1\xbf", 0},
                 {"\xc2\x80", 0x80},
                 {"\xdf\xbf", 0x7FF},
                 {"\xe0\x9f\xbf", 0},
                 {"\xe0\xa0\x80", 0x800},
                 {"\xed\x9f\xbf", 0xD7FF},
                 {"\xed\xa0\x80", 0},
                 {"\xed\xbf\xbf", 0},
                 {"\xee\x80\x80", 0xE000},
                 {"\xef\xbf\xbf", 0xFFFF},
                 {"\xf0\x8f\xbf\xbf", 0},
                 {"\xf0\x90\x80\x80", 0x10000},
                 {"\xf4\x8f\xbf\xbf", 0x10FFFF},
                 {"\xf4\x90\x80\x80", 0},
                 {"\x80", 0},
                 {"\xc2\x41", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t code = 0;
        size_t length = strlen(cases[i].text);
        assert_int_equal(utf8_decode(cases[i].text, length, &code), cases[i].code ? (int)length : 0);
        assert_int_equal(code, cases[i].code);
        assert_int_equal(utf8_decode(cases[i].text, length - 1, &code), 0); // cut off
    }
}

// Unicode's property Bidi_Control: 12 characters, with which a text can be shown as another one.
static void what_turns_the_order_of_letters_is_never_shown(void **state) {
    (void)state;
    static const uint32_t turning[] = {0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C,
                                       0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069};
    for (size_t i = 0; i < sizeof turning / sizeof *turning; i++)
        assert_true(utf8_is_control(turning[i]));
    assert_false(utf8_is_control(0x061B) || utf8_is_control(0x061D) || utf8_is_control(0x200D));
}

static void a_misspelt_name_is_guessed_and_an_unknown_one_is_not(void **state) {
    (void)state;
    static const char *const names[] = {"play", "strategies", "features", "bench", "perft", "games", "bd"};
    static const struct {
        const char *word, *meant;
    } rows[] = {{"paly", "play"},
                {"strategy", "strategies"},
                {"feature", "features"},
                {"bnech", "bench"},
                {"perf", "perft"},
                {"play", "play"},
                {"str", "strategies"},
                {"gmaes", "games"},
                {"hcneb", NULL},
                {"help", NULL},
                {"watch", NULL},
                {"foo", NULL},
                {"", NULL},
                {"x", NULL}};
    char out[TEXT_MEANT], expected[TEXT_MEANT];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(expected, sizeof expected, rows[i].meant ? "; did you mean <%s>?" : ".", rows[i].meant);
        assert_string_equal(text_meant(out, "<", ">", rows[i].word, names, 7), expected);
    }
    static const char *const swap[] = {"abxy", "acbd"}; // one swap, not two replacements
    assert_string_equal(text_meant(out, "", "", "abcd", swap, 2), "; did you mean acbd?");
    static const char *const tie[] = {"abx", "aby"};
    assert_string_equal(text_meant(out, "", "", "ab", tie, 2), "; did you mean abx?");
    assert_string_equal(text_meant(out, "", "", "ab", tie, 0), ".");
    char word[3000];
    memset(word, 'b', sizeof word);
    word[sizeof word - 1] = 0;
    assert_string_equal(text_meant(out, "", "", word, names, 7), ".");
}

static void counts_have_three_significant_digits(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0, "0"},          {950, "950"},         {999.4, "999"},     {999.5, "1.00 k"}, {13.7, "13.7"},
        {5, "5"},          {26159, "26.2 k"},    {9994, "9.99 k"},   {9996, "10.0 k"},  {99960, "100 k"},
        {999499, "999 k"}, {999500, "1.00 M"},   {32.3e6, "32.3 M"}, {1.5e9, "1.50 G"}, {8e11, "800 G"},
        {2.5e14, "250 T"}, {-32.3e6, "-32.3 M"}, {1e15, "1e+15"},    {INFINITY, "inf"}, {0.25, "0.25"},
    };
    char out[24];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(text_count(rows[i].value, out), rows[i].text);
}

static void large_numbers_are_grouped_by_three(void **state) {
    (void)state;
    char out[32];
    assert_string_equal(text_grouped(0, out), "0");
    assert_string_equal(text_grouped(999, out), "999");
    assert_string_equal(text_grouped(1000, out), "1,000");
    assert_string_equal(text_grouped(1234567, out), "1,234,567");
    assert_string_equal(text_grouped(UINT64_MAX, out), "18,446,744,073,709,551,615");
}

static void times_use_the_unit_that_fits(void **state) {
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } rows[] = {
        {0, "0 ms"},           {0.00125, "1.25 ms"},     {0.85, "850 ms"},
        {0.9994, "999 ms"},    {0.9996, "1.0 s"},        {12.34, "12.3 s"},
        {59.94, "59.9 s"},     {59.96, "1 min 00 s"},    {200, "3 min 20 s"},
        {185, "3 min 05 s"},   {3599.4, "59 min 59 s"},  {3599.6, "1 h 00 min"},
        {7500, "2 h 05 min"},  {360000, "100 h 00 min"}, {-1, "unknown"},
        {INFINITY, "unknown"}, {NAN, "unknown"},         {9.9e11, "275000000 h 00 min"},
    };
    char out[24];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(text_seconds(rows[i].seconds, out), rows[i].text);
}

static void a_name_has_one_of_its_endings_taken_off(void **state) {
    (void)state;
    static const char *const endings[] = {".json", ".patterns", NULL};
    static const struct {
        const char *name;
        size_t length;
    } rows[] = {{"best.json", 4}, {"a/b.patterns", 3}, {"best", 4}, {"best.json.patterns", 9},
                {".json", 5},     {"best.jso", 8},     {"json", 4}, {"", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(text_stem(rows[i].name, endings), rows[i].length);
}

// As its authors publish them.
static void texts_have_their_numbers_by_fnv_1a(void **state) {
    (void)state;
    assert_true(hash_bytes(HASH_EMPTY, "", 0) == 0xcbf29ce484222325);
    assert_true(hash_bytes(HASH_EMPTY, "a", 1) == 0xaf63dc4c8601ec8c);
    assert_true(hash_bytes(hash_bytes(HASH_EMPTY, "foo", 3), "bar", 3) == 0x85944171f73967e8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_comes_back_as_written_with_a_zero_behind_it),
        cmocka_unit_test(reading_says_what_is_wrong),
        cmocka_unit_test(writing_says_what_is_wrong),
        cmocka_unit_test(whether_a_file_can_be_written_is_known_before),
        cmocka_unit_test(pipes_and_devices_are_written_to_and_not_replaced),
        cmocka_unit_test(replacing_keeps_links_and_permissions),
        cmocka_unit_test(a_private_file_stays_private_while_the_new_one_grows),
        cmocka_unit_test(a_written_file_is_on_the_disk_and_so_is_its_name),
        cmocka_unit_test(a_link_that_leads_nowhere_is_refused_and_nothing_is_made_behind_it),
        cmocka_unit_test(what_killed_programs_left_over_is_removed_and_nothing_else),
        cmocka_unit_test(programs_that_write_one_file_do_not_disturb_each_other),
        cmocka_unit_test(what_is_below_a_folder_is_found_wherever_links_and_dots_lead),
        cmocka_unit_test(what_turns_the_order_of_letters_is_never_shown),
        cmocka_unit_test(a_misspelt_name_is_guessed_and_an_unknown_one_is_not),
        cmocka_unit_test(counts_have_three_significant_digits),
        cmocka_unit_test(large_numbers_are_grouped_by_three),
        cmocka_unit_test(times_use_the_unit_that_fits),
        cmocka_unit_test(a_name_has_one_of_its_endings_taken_off),
        cmocka_unit_test(characters_have_one_form_and_surrogates_none),
        cmocka_unit_test(texts_have_their_numbers_by_fnv_1a),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
