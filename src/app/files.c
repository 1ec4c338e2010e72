// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/app.h"
#include "base/text.h"

enum { MAX_FILES = 32, PATH_ROOM = 4096 };

typedef struct NamedFile {
    char option[FIELD_OPTION_NAME];
    char path[PATH_ROOM];
    FieldFile file;
    bool folder;      // any file in it
    const char *text; // as given
    const Field *field;
} NamedFile;

static NamedFile named[MAX_FILES];
static int count;
static const char *confined; // NULL: anywhere

void files_confine(const char *folder) {
    confined = folder;
}

// ---------------------------------------------------------------------------------------------------
// Which files

static const char *word_of(const Arguments *arguments, const char *option) {
    for (int k = 0; k < arguments->words; k++)
        if ((int)strlen(option) == arguments->word[k].length &&
            !strncmp(arguments->word[k].name, option, strlen(option)))
            return arguments->word[k].text;
    return NULL;
}

// What is not given has its default, but a resumed run stays in its own folder.
static const char *text_of(const OptionSet *set, const Field *field, const char *option,
                           const Arguments *arguments) {
    const char *given = word_of(arguments, option);
    if (given || field->kind != FIELD_STRING || !set->base || arguments_given(arguments, "resume"))
        return given;
    return *(const char *const *)((const char *)set->base + field->offset);
}

static bool add(const Field *field, const char *option, const char *text, Error *error) {
    static const char *const itself[] = {"", NULL};
    const char *const *endings = field->endings ? field->endings : itself;
    for (int i = 0; endings[i]; i++) {
        assert(count < MAX_FILES);
        NamedFile *file = &named[count++];
        *file = (NamedFile){.file = field->file, .text = text, .field = field};
        file->folder = !strcmp(endings[i], "/");
        snprintf(file->option, sizeof file->option, "%s", option);
        size_t stem = file->folder ? strlen(text) : text_stem(text, endings); // best.json for best
        int length = snprintf(file->path, sizeof file->path, "%.*s%s", (int)stem, text,
                              file->folder ? "" : endings[i]);
        if (length >= PATH_ROOM)
            return error_set(error, "--%s: the name is longer than %d bytes.", option, PATH_ROOM - 1);
    }
    return true;
}

static bool collect(const OptionSet *sets, int set_count, const Arguments *arguments, Error *error) {
    char option[FIELD_OPTION_NAME];
    count = 0;
    for (int s = 0; s < set_count; s++)
        for (int i = 0; i < sets[s].fields.count; i++) {
            const Field *field = &sets[s].fields.field[i];
            if (!field->file)
                continue;
            const char *text = text_of(&sets[s], field, field_option(field, option), arguments);
            if (text && !add(field, option, text, error))
                return false;
        }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Which are the same

static bool is_standard(const char *path) {
    return !strcmp(path, "-");
}

// Is the file one of those in the folder, or to be made there? Links to them count.
static bool is_in(const char *path, const char *folder) {
    struct stat file, a, b;
    bool exists = !stat(path, &file), found = false;
    char *above = exists ? NULL : text_folder(path);
    DIR *list = exists ? opendir(folder) : NULL;
    for (struct dirent *entry; list && !found && (entry = readdir(list));)
        found = !fstatat(dirfd(list), entry->d_name, &a, 0) && S_ISREG(a.st_mode) &&
                a.st_dev == file.st_dev && a.st_ino == file.st_ino;
    if (list)
        closedir(list);
    if (above)
        found = !stat(above, &a) && !stat(folder, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    free(above);
    return found && !is_standard(path);
}

static bool are_same(const NamedFile *a, const NamedFile *b) {
    if (a->field == b->field || (a->folder && b->folder))
        return false;
    if (a->folder || b->folder)
        return a->folder ? is_in(b->path, a->path) : is_in(a->path, b->path);
    if (is_standard(a->path) && is_standard(b->path))
        return a->file != FIELD_READS && b->file != FIELD_READS;
    return text_same_file(a->path, b->path);
}

// An operand is a file if there is one; else it is a name, or about to be refused.
static bool is_operand(const NamedFile *file, const char *operand) {
    struct stat status;
    return !file->folder && !stat(operand, &status) && S_ISREG(status.st_mode) &&
           text_same_file(file->path, operand);
}

static bool refuse_read(const NamedFile *written, const char *path, Error *error) {
    return error_set(error, "--%s cannot go to %.200s, which is read: give another file.", written->option,
                     path);
}

static bool check_pair(const NamedFile *a, const NamedFile *b, Error *error) {
    bool writes_a = a->file != FIELD_READS, writes_b = b->file != FIELD_READS;
    if ((!writes_a && !writes_b) || !are_same(a, b))
        return true;
    const char *path = a->folder ? b->path : a->path;
    if (a->folder || b->folder)
        return error_set(error,
                         "--%s cannot go to %.200s, which is in the folder of --%s: give another file.",
                         a->folder ? b->option : a->option, path, a->folder ? a->option : b->option);
    if (writes_a && writes_b)
        return error_set(error, "--%s and --%s cannot both go to %.200s.", a->option, b->option,
                         is_standard(path) ? "the standard output" : path);
    return refuse_read(writes_a ? a : b, path, error);
}

// ---------------------------------------------------------------------------------------------------
// Checking

static bool check_confined(const char *what, const char *path, Error *error) {
    return !confined || is_standard(path) || text_is_below(path, confined) ||
           error_set(error,
                     "%s: %.200s is not below %.200s: a command of a definition writes into its own folder, "
                     "{dir}, and nowhere else.",
                     what, path, confined);
}

static bool check_file(int i, const Arguments *arguments, Error *error) {
    const NamedFile *file = &named[i];
    for (int k = i + 1; k < count; k++)
        if (!check_pair(file, &named[k], error))
            return false;
    if (file->file == FIELD_READS)
        return true;
    for (int k = 0; k < arguments->operands; k++)
        if (is_operand(file, arguments->operand[k]))
            return refuse_read(file, arguments->operand[k], error);
    char option[FIELD_OPTION_NAME + 2];
    snprintf(option, sizeof option, "--%s", file->option);
    return check_confined(option, file->path, error);
}

int files_check(const OptionSet *sets, int set_count, const Arguments *arguments, bool *quiet, Error *error) {
    if (!collect(sets, set_count, arguments, error))
        return EXIT_USAGE;
    for (int i = 0; i < count; i++) {
        *quiet |= named[i].file == FIELD_WRITES && is_standard(named[i].path);
        if (!check_file(i, arguments, error))
            return EXIT_USAGE;
    }
    for (int i = 0; i < count; i++)
        if (named[i].file == FIELD_WRITES && !named[i].field->endings &&
            !text_can_write(named[i].path, error))
            return EXIT_FAILED;
    return EXIT_DONE;
}

bool files_check_strategy(const Strategy *strategy, Error *error) {
    if (confined && strategy->player == PLAYER_TBP)
        return error_set(error, "%s: a definition runs no other programs, and \"player\": \"tbp\" is one.",
                         strategy->name);
    Fields fields = strategy_options(strategy->player);
    for (int i = 0; i < fields.count; i++) {
        const Field *field = &fields.field[i];
        const char *path = (const char *)strategy + field->offset;
        if (!field->file || !*path)
            continue;
        for (int k = 0; k < count; k++)
            if (named[k].file != FIELD_READS && is_operand(&named[k], path))
                return refuse_read(&named[k], path, error);
        char what[160];
        snprintf(what, sizeof what, "\"%.20s\" of %.63s", field->key, strategy->name);
        if (field->file != FIELD_READS && !check_confined(what, path, error))
            return false;
    }
    return true;
}

Player *files_player_of_entry(const JournalEntry *entry, const Kernel *kernel, Error *error) {
    Strategy strategy;
    if (!strategy_parse_json(&strategy, "strategy", entry->strategy, strlen(entry->strategy), error) ||
        !files_check_strategy(&strategy, error))
        return NULL;
    if (strategy.player == PLAYER_TBP) { // the journal may be anybody's
        error_set(error,
                  "A journal starts no other program: give the bot's strategy file again, with the same "
                  "--journal.");
        return NULL;
    }
    return player_new(&strategy, &entry->rules, kernel, error);
}
