// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of fields: text and JSON give back every value, every mistake has its sentence and its place.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fields_json.h"
#include "base/json_parse.h"

typedef enum Taste { SWEET, SOUR } Taste;

typedef struct Cake {
    int eggs;
    uint64_t grains;
    double sugar, worth, layers[3];
    bool baked, round;
    Taste taste;
    char name[8];
    double seconds;
} Cake;

static const char *const taste_words[] = {"sweet", "sour", NULL};
static const char *const shape_words[] = {"square", "round", NULL};

static const Field cake_field[] = {
    {"eggs", FIELD_INT, FIELD_AT(Cake, eggs), .preset = 3, .least = -2, .most = 12, .argument = "N"},
    {"grains", FIELD_WHOLE, FIELD_AT(Cake, grains), .preset = INFINITY, .argument = "N"},
    {"sugar", FIELD_REAL, FIELD_AT(Cake, sugar), .preset = 0.5, .least = 0, .most = 1, .argument = "X"},
    {"worth", FIELD_SCORE, FIELD_AT(Cake, worth), .preset = NAN, .argument = "X"},
    {"layers", FIELD_LIST, FIELD_AT(Cake, layers), .size = 3, .least = -9, .most = 9, .argument = "A,B,C"},
    {"baked", FIELD_FLAG, FIELD_AT(Cake, baked), .help = "Put it into the oven."},
    {"shape", FIELD_FLAG, FIELD_AT(Cake, round), .words = shape_words, .argument = "SHAPE"},
    {"taste", FIELD_WORD, FIELD_AT(Cake, taste), .preset = SOUR, .words = taste_words, .argument = "KIND"},
    {"name", FIELD_TEXT, FIELD_TEXT_AT(Cake, name), .otherwise = "plain", .argument = "NAME"},
    {"oven_time", FIELD_OTHER, FIELD_AT(Cake, seconds), .type = &field_seconds, .otherwise = "5min"},
};
static const Fields cake_fields = FIELDS(cake_field);

static Cake made_cake(void) {
    Cake cake;
    memset(&cake, 0x5a, sizeof cake);
    fields_preset(cake_fields, &cake);
    return cake;
}

static void defaults_come_from_the_table(void **state) {
    (void)state;
    Cake cake = made_cake();
    assert_int_equal(cake.eggs, 3);
    assert_true(cake.grains == UINT64_MAX && cake.sugar == 0.5 && isnan(cake.worth));
    assert_true(cake.layers[0] == 0 && cake.layers[2] == 0 && !cake.baked && !cake.round);
    assert_int_equal(cake.taste, SOUR);
    assert_string_equal(cake.name, "plain");
    assert_true(cake.seconds == 300);
}

static void set(Cake *cake, const char *name, const char *text) {
    Error error = {""};
    if (!field_parse(fields_find(cake_fields, name), cake, text, &error))
        fail_msg("%s = %s: %s", name, text, error.text);
}

// Numbers that are easily lost on the way: the ends of the ranges, 17 digits, not finite.
static Cake hard_cake(void) {
    Cake cake = made_cake();
    set(&cake, "eggs", "-2");
    set(&cake, "grains", "18446744073709551614");
    set(&cake, "sugar", "0.1000000000000000194");
    set(&cake, "worth", "-inf");
    set(&cake, "layers", "-9,0.3,1e-300");
    set(&cake, "baked", "true");
    set(&cake, "shape", "round");
    set(&cake, "taste", "sweet");
    set(&cake, "name", "Bäume"); // six bytes
    set(&cake, "oven-time", "1.5ms");
    return cake;
}

static void assert_same_cake(const Cake *a, const Cake *b) {
    assert_int_equal(a->eggs, b->eggs);
    assert_true(a->grains == b->grains && a->sugar == b->sugar && a->seconds == b->seconds);
    assert_true(a->worth == b->worth || (isnan(a->worth) && isnan(b->worth)));
    assert_memory_equal(a->layers, b->layers, sizeof a->layers);
    assert_true(a->baked == b->baked && a->round == b->round && a->taste == b->taste);
    assert_string_equal(a->name, b->name);
}

static void text_gives_every_value_back(void **state) {
    (void)state;
    Cake cake = hard_cake(), again = made_cake();
    char text[FIELD_PRINTED];
    for (int i = 0; i < cake_fields.count; i++)
        set(&again, cake_field[i].key, field_print(&cake_field[i], &cake, text));
    assert_same_cake(&cake, &again);
}

static void json_gives_every_value_back(void **state) {
    (void)state;
    Cake cakes[] = {hard_cake(), made_cake()};
    for (int k = 0; k < 2; k++) {
        Cake again = made_cake();
        again.eggs = 7;
        Error error = {""};
        uint64_t given;
        json_t *object = json_object();
        assert_true(fields_save(cake_fields, &cakes[k], object));
        char *text = json_dumps(object, JSON_REAL_PRECISION(17));
        json_t *read = json_loads(text, 0, NULL);
        assert_true(fields_restore(cake_fields, &again, read, FIELDS_ALL, NULL, &given, &error));
        assert_int_equal(given, (1 << cake_fields.count) - 1);
        assert_same_cake(&cakes[k], &again);
        json_decref(object);
        json_decref(read);
        free(text);
    }
}

// Paths may be longer than what field_print has room for.
static void long_texts_are_written_whole(void **state) {
    (void)state;
    typedef struct Place {
        char path[1024];
    } Place;
    static const Field field[] = {{"path", FIELD_TEXT, FIELD_TEXT_AT(Place, path)}};
    static const Fields fields = FIELDS(field);
    Place place, again = {""};
    memset(place.path, 'x', sizeof place.path);
    place.path[sizeof place.path - 1] = 0;
    json_t *object = json_object();
    assert_true(fields_save(fields, &place, object));
    assert_true(fields_restore(fields, &again, object, FIELDS_ALL, NULL, NULL, NULL));
    assert_string_equal(again.path, place.path);
    json_decref(object);
}

typedef struct Shelf {
    int count;
    double *heights, *widths;
} Shelf;
static const Field shelf_field[] = {
    {"heights", FIELD_VECTOR, FIELD_AT(Shelf, heights), .size_at = FIELD_AT(Shelf, count), .most = 9},
    {"widths", FIELD_VECTOR, FIELD_AT(Shelf, widths), .size_at = FIELD_AT(Shelf, count), .preset = NAN},
};
static const Fields shelf_fields = FIELDS(shelf_field);

static void vectors_are_as_long_as_their_struct_says(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } mistakes[] = {
        {"{\"widths\": [1, 2]}", "\"heights\" is missing."},
        {"{\"heights\": [1]}", "\"heights\" needs a list of 2 numbers, found 1."},
        {"{\"heights\": [1, 10]}", "\"heights\" is 10; it must lie between 0 and 9."},
        {"{\"heights\": [1, null]}", "\"heights\" needs a number, found \"null\"."},
    };
    double heights[] = {0.1, 9};
    Shelf shelf = {2, heights, NULL}, copy = {.count = 2};
    json_t *object = json_object();
    assert_true(fields_save(shelf_fields, &shelf, object));
    assert_int_equal(json_object_size(object), 1);
    fields_preset(shelf_fields, &copy);
    assert_true(fields_restore(shelf_fields, &copy, object, FIELDS_ALL, NULL, NULL, NULL));
    assert_memory_equal(copy.heights, heights, sizeof heights);
    assert_null(copy.widths);
    free(copy.heights);
    json_decref(object);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        Error error = {""};
        Shelf read = {.count = 2};
        object = json_loads(mistakes[i].text, 0, NULL);
        assert_false(fields_restore(shelf_fields, &read, object, FIELDS_ALL, NULL, NULL, &error));
        assert_string_equal(error.text, mistakes[i].says);
        free(read.heights);
        json_decref(object);
    }
}

static void assert_wrong(const Cake *cake, const char *says) {
    Error error = {""};
    assert_false(fields_check(cake_fields, cake, &error));
    assert_string_equal(error.text, says);
}

static void a_struct_set_by_hand_is_checked_against_its_table(void **state) {
    (void)state;
    Cake good = made_cake(), cake = good;
    assert_true(fields_check(cake_fields, &good, NULL));
    cake.eggs = 13;
    assert_wrong(&cake, "\"eggs\" is 13; it must lie between -2 and 12.");
    cake = good;
    cake.sugar = NAN;
    assert_wrong(&cake, "\"sugar\" is nan; it must lie between 0 and 1.");
    cake = good;
    cake.taste = (Taste)2;
    assert_wrong(&cake, "\"taste\" has no word number 2.");
}

static void a_seed_of_64_bits_is_written_whole(void **state) {
    (void)state;
    const struct {
        uint64_t value;
        const char *text;
    } cases[] = {{0, "0"},
                 {(uint64_t)1 << 53, "9007199254740992"},
                 {((uint64_t)1 << 53) + 1, "\"9007199254740993\""},
                 {UINT64_MAX, "\"18446744073709551615\""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *json = json_whole(cases[i].value);
        char *text = json_dumps(json, JSON_ENCODE_ANY);
        uint64_t again;
        assert_string_equal(text, cases[i].text);
        assert_true(json_whole_value(json, &again) && again == cases[i].value);
        free(text);
        json_decref(json);
    }
    const char *wrong[] = {"\"18446744073709551616\"",
                           "\"\"",
                           "\"-1\"",
                           "\"1 \"",
                           "-1",
                           "0.5",
                           "1e300",
                           "1.00e17",
                           "true",
                           "null"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint64_t number;
        json_t *json = json_loads(wrong[i], JSON_DECODE_ANY, NULL);
        assert_non_null(json);
        assert_false(json_whole_value(json, &number));
        json_decref(json);
    }
}

static void mistakes_in_texts_have_their_sentence(void **state) {
    (void)state;
    const struct {
        const char *name, *text, *sentence;
    } cases[] = {
        {"eggs", "13", "expected a whole number (10k and 5M are understood) from -2 to 12, got '13'."},
        {"eggs", "-3", "expected a whole number (10k and 5M are understood) from -2 to 12, got '-3'."},
        {"eggs", "2.5", "expected a whole number (10k and 5M are understood) from -2 to 12, got '2.5'."},
        {"sugar", "nan", "expected a number from 0 to 1, got 'nan'."},
        {"sugar", "0x1", "expected a number from 0 to 1, got '0x1'."},
        {"layers", "1,2", "expected 3 numbers with commas between them, each from -9 to 9, got '1,2'."},
        {"layers", "1,2,3,4",
         "expected 3 numbers with commas between them, each from -9 to 9, got '1,2,3,4'."},
        {"layers", "1-2-3", "expected 3 numbers with commas between them, each from -9 to 9, got '1-2-3'."},
        {"layers", "1,2,10", "expected 3 numbers with commas between them, each from -9 to 9, got '1,2,10'."},
        {"taste", "salty", "expected sweet or sour, got 'salty'."},
        {"shape", "true", "expected square or round, got 'true'."},
        {"name", "12345678", "it has 8 bytes; the limit is 7."},
        {"name", "", "expected NAME, got nothing."},
        {"oven_time", "5 years", "expected a time such as 60s, 5min or 2h, got '5 years'."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Cake cake = made_cake();
        Error error = {""};
        assert_false(field_parse(fields_find(cake_fields, cases[i].name), &cake, cases[i].text, &error));
        assert_string_equal(error.text, cases[i].sentence);
    }
}

static void mistakes_in_json_have_their_place(void **state) {
    (void)state;
    const struct {
        const char *text, *sentence;
    } cases[] = {
        {"{\"eggs\": 13}", "f:1:10: \"eggs\" is 13; it must lie between -2 and 12."},
        {"{\"eggs\": 1.5}", "f:1:10: \"eggs\" is 1.5; it must be a whole number."},
        {"{\n \"baked\": 1}", "f:2:11: \"baked\" must be true or false, found a number."},
        {"{\"taste\": \"salty\"}", "f:1:11: \"taste\" must be \"sweet\" or \"sour\", found \"salty\"."},
        {"{\"taste\": 1}", "f:1:11: \"taste\" must be \"sweet\" or \"sour\", found a number."},
        {"{\"layers\": [1, 2]}", "f:1:12: \"layers\" needs a list of 3 numbers, found 2."},
        {"{\"layers\": [1, 2,\n  10]}", "f:2:3: \"layers\" is 10; it must lie between -9 and 9."},
        {"{\"layers\": [1, \"2\", 3]}", "f:1:16: \"layers\" needs a number, found a text."},
        {"{\"name\": \"12345678\"}", "f:1:10: \"name\" has 8 bytes; the limit is 7."},
        {"{\"name\": \"a\\u0007\"}", "f:1:10: \"name\" holds a control character; use printable ones."},
        {"{\"sugar\": \"much\"}", "f:1:11: \"sugar\" needs a number, found a text."},
        {"{\"worth\": \"much\"}", "f:1:11: \"worth\" must be a number, \"inf\", \"-inf\" or null."},
        {"{\"grains\": -1}",
         "f:1:12: \"grains\" must be a whole number from 0 on; above 2^53 write it in quotes."},
        {"{\"oven_time\": \"x\"}", "f:1:15: \"oven_time\" needs a number, found a text."},
        {"{\"egs\": 1}", "f:1:2: \"egs\" is not a key of a cake; did you mean \"eggs\"?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Cake cake = made_cake();
        Error error = {""};
        size_t length = strlen(cases[i].text);
        json_t *root = json_parse("f", cases[i].text, length, &error);
        assert_non_null(root);
        JsonSource source = {"f", cases[i].text, length, root};
        assert_false(fields_refuse_unknown(&cake_fields, 1, root, "a cake", &source, &error) &&
                     fields_restore(cake_fields, &cake, root, FIELDS_MAY_MISS, &source, NULL, &error));
        assert_string_equal(error.text, cases[i].sentence);
        json_decref(root);
    }
    Error error = {""};
    Cake cake = made_cake();
    json_t *empty = json_object();
    assert_false(fields_restore(cake_fields, &cake, empty, FIELDS_ALL, NULL, NULL, &error));
    assert_string_equal(error.text, "\"eggs\" is missing.");
    json_decref(empty);
}

// A mistake below the outermost object is found there, though "true" is one value everywhere in memory.
static void places_are_found_in_objects_within_objects(void **state) {
    (void)state;
    const char *text = "{\"a\": {\"baked\": true}, \"b\": [{\"baked\": true}, {\"eggs\": true}]}";
    Error error = {""};
    json_t *root = json_parse("f", text, strlen(text), &error);
    JsonSource source = {"f", text, strlen(text), root};
    Cake cake = made_cake();
    const json_t *inner = json_array_get(json_object_get(root, "b"), 1);
    assert_false(fields_restore(cake_fields, &cake, inner, FIELDS_MAY_MISS, &source, NULL, &error));
    assert_string_equal(error.text, "f:1:56: \"eggs\" needs a number, found \"true\".");
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_come_from_the_table),
        cmocka_unit_test(text_gives_every_value_back),
        cmocka_unit_test(json_gives_every_value_back),
        cmocka_unit_test(long_texts_are_written_whole),
        cmocka_unit_test(vectors_are_as_long_as_their_struct_says),
        cmocka_unit_test(a_struct_set_by_hand_is_checked_against_its_table),
        cmocka_unit_test(a_seed_of_64_bits_is_written_whole),
        cmocka_unit_test(mistakes_in_texts_have_their_sentence),
        cmocka_unit_test(mistakes_in_json_have_their_place),
        cmocka_unit_test(places_are_found_in_objects_within_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
