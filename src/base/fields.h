// SPDX-License-Identifier: GPL-3.0-or-later
// A struct that is saved, read, set on the command line or documented is described once, beside the struct,
// as a table of its fields:
//
//     typedef struct Cake { int eggs; bool baked; Taste taste; } Cake;
//     static const char *const taste_words[] = {"sweet", "sour", NULL};    // in the order of the enum
//     static const Field cake_field[] = {
//         {"eggs", FIELD_INT, FIELD_AT(Cake, eggs), .preset = 3, .least = 0, .most = 12,
//          .argument = "N", .help = "Eggs in the dough."},
//         {"baked", FIELD_FLAG, FIELD_AT(Cake, baked), .help = "Put it into the oven."},
//         {"taste", FIELD_WORD, FIELD_AT(Cake, taste), .words = taste_words, .argument = "KIND",
//          .help = "What it is like."},
//     };
//     const Fields cake_fields = FIELDS(cake_field);
//
// From the table come the options of the command line and their help (base/options.h), the members of JSON
// objects (base/fields_json.h), settings by name (fields_find, field_parse, field_print) and the tables in
// docs (fields_markdown). Limits, words and defaults stand nowhere else.
#ifndef TETRALAB_BASE_FIELDS_H
#define TETRALAB_BASE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

typedef struct Field Field;
struct json_t; // of jansson

// What becomes of a file that a text names.
typedef enum FieldFile {
    FIELD_NO_FILE,
    FIELD_READS,
    FIELD_WRITES, // "-": the standard output
    FIELD_KEEPS   // it is read and added to
} FieldFile;

typedef enum FieldKind {
    FIELD_FLAG,   // bool. With `words` it is written as the first (false) or the second (true)
    FIELD_INT,    // int
    FIELD_WHOLE,  // uint64_t
    FIELD_REAL,   // double, finite
    FIELD_SCORE,  // double, also INFINITY, -INFINITY and NAN (unknown)
    FIELD_WORD,   // an enum: its place in `words`; -1: none
    FIELD_TEXT,   // char[size]
    FIELD_STRING, // const char *: borrowed from what it is read from
    FIELD_TEXTS,  // char[size]: texts, a 0 byte behind each and one more at the end. In files only, as a list
    FIELD_LIST,   // double[size], all finite; with preset NAN also others, which JSON has as null: NAN
    FIELD_VECTOR, // double *, likewise, as many as the int at `size_at` says. NULL: none; else malloc'ed when
                  //   read. In files only
    FIELD_JSON,   // const json_t *, borrowed. In files only; `type` says what it must be
    FIELD_OTHER   // whatever `type` says
} FieldKind;

// A kind of value with a text form of its own.
typedef struct FieldType {
    // -> at  the value
    bool (*parse)(const Field *field, void *at, const char *text, Error *error);
    // The same for texts from files, which may not make the program open other files. NULL: as parse
    bool (*read)(const Field *field, void *at, const char *text, Error *error);
    void (*print)(const Field *field, const void *at, char *out, size_t room); // NULL: it is never written
    // Of FIELD_JSON: is the value right, and else what "must it be"?
    bool (*accepts)(const struct json_t *value);
    const char *must;
    bool is_number; // it is a double, and a number in JSON
} FieldType;

struct Field {
    const char *key; // in files, with _ or - between words; as an option with -
    FieldKind kind;
    size_t offset;
    int size;              // text: bytes with the final 0; list: numbers
    size_t size_at;        // vector: FIELD_AT of the int that says how many numbers
    const char *option;    // NULL: the option is called like the key
    double preset;         // the default of a number (INFINITY: the largest), flag or word. NAN: there is
                           //   none: reals become NAN, words -1, whole numbers 0, and `otherwise` says more
    const char *otherwise; // the default of a text or list; else words for the help instead
    double least, most;    // of numbers; both 0: any
    const char *const *words; // up to NULL
    bool (*takes)(int word);  // NULL: all of them
    const FieldType *type;    // FIELD_OTHER
    const char *argument;     // "N": what the help calls it; NULL: a flag without argument
    const char *help;         // sentences, without the default, which is added. NULL: it is no option.
                              //   Behind a colon at its end come the words
    // What other tables know and the help is to say: behind `help`, and as the default. May be NULL
    void (*tell_help)(FILE *out);
    void (*tell_default)(FILE *out);
    // 0 means what `otherwise` says, and so does a file without it; on the command line 0 is refused.
    bool zero_is_unset;
    const char *belongs; // "crossover points": to which words of which field of its table; else it is nothing
    void (*suggest)(
        FILE *out); // words to choose from where `words` has none, a space before each; NULL: none
    FieldFile file; // the text names a file, or the beginning of the names of several
    const char *const *endings; // of these names, up to NULL; "/": any in that folder. NULL: one file
};
#define FIELD_AT(type, member)      offsetof(type, member)
#define FIELD_TEXT_AT(type, member) offsetof(type, member), sizeof((type *)0)->member

typedef struct Fields {
    const Field *field;
    int count;
} Fields;
#define FIELDS(table)                                                                                        \
    { table, (int)(sizeof(table) / sizeof *(table)) }

// Sets all to their defaults; what has a type of its own is left alone unless `otherwise` can be parsed.
void fields_preset(Fields fields, void *base);

// Is every number within its limits, and every word one that there is? Fields that have no value are right.
bool fields_check(Fields fields, const void *base, Error *error);
bool field_within(const Field *field, double value);

// <- the field with this name, as a key or as an option; NULL: there is none
const Field *fields_find(Fields fields, const char *name);

// Text -> value, for the command line and settings. The sentence of the error does not name the field.
bool field_parse(const Field *field, void *base, const char *text, Error *error);
// The same for texts from files, which cannot name further files.
bool field_read(const Field *field, void *base, const char *text, Error *error);

// Value -> text that field_parse reads back.
enum { FIELD_PRINTED = 512 };
const char *field_print(const Field *field, const void *base, char out[FIELD_PRINTED]);

// <- "mutation-rate" for "mutation_rate"
enum { FIELD_OPTION_NAME = 48 };
const char *field_option(const Field *field, char out[FIELD_OPTION_NAME]);

// <- the words of a list as "a, b or c", each between the quotes given ("" or "\""). -> join  "or", "and"
enum { FIELD_WORDS_TEXT = 240, FIELD_MAX_WORDS = 30 };
const char *field_words(const char *const *words, const char *quote, const char *join,
                        char out[FIELD_WORDS_TEXT]);
// The same with the words that the field takes.
const char *field_taken(const Field *field, const char *quote, char out[FIELD_WORDS_TEXT]);
// <- the place of the word among those that the field takes, -1: it is not there
int field_word(const Field *field, const char *text);

// <- the help, the default as the help says it; NULL: nothing is to be said
enum { FIELD_HELP = 1000 };
const char *field_help(const Field *field, char out[FIELD_HELP]);
const char *field_default(const Field *field, char out[FIELD_PRINTED]);

// A table for docs: key, values, default, meaning; one line per field.
void fields_markdown(FILE *out, Fields fields);

// Types that many have.
extern const FieldType field_seconds;    // double; 50ms, 60s, 5min, 2h
extern const FieldType field_percentage; // double in percent; "5%" or "5"

#endif
