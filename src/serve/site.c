// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/site.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"

enum {
    MAX_FILES = 100, // of the page
    MAX_RUNS = 1000,
    NAME_ROOM = 256,
    MAX_FILE = 16 << 20, // bytes of a file that is given out
    MAX_PIECE = 1 << 20  // and of a history, in one answer
};

typedef struct Run {
    int folder;           // of those given
    char name[NAME_ROOM]; // inside of it; "": the folder itself
} Run;

typedef struct Folder {
    int file; // descriptor
    char name[NAME_ROOM];
} Folder;

struct Site {
    int page; // descriptor
    char file[MAX_FILES][NAME_ROOM];
    int files;
    Folder *folder; // owned
    int folders;
    Run run[MAX_RUNS]; // its number is its id, and stays
    int runs;
};

// ---------------------------------------------------------------------------------------------------
// Files

static void shut(int file) {
    if (file >= 0)
        close(file);
}

// -> folder  -1: there is no such folder
// <- a descriptor of a regular file that is really there, and its size; -1: there is none
static int open_file(int folder, const char *name, off_t *size) {
    struct stat status;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0 && (fstat(file, &status) || !S_ISREG(status.st_mode))) {
        close(file);
        file = -1;
    }
    *size = file < 0 ? 0 : status.st_size;
    return file;
}

static bool has_file(int folder, const char *name) {
    off_t size;
    int file = open_file(folder, name, &size);
    shut(file);
    return file >= 0;
}

// Reads `most` bytes from `from` on, or fewer if there are no more.
static bool read_part(int folder, const char *name, off_t from, size_t most, SiteAnswer *answer) {
    off_t size;
    int file = open_file(folder, name, &size);
    if (file < 0)
        return false;
    size_t length = from < size ? (size_t)(size - from) : 0, done = 0;
    length = length < most ? length : most;
    char *body = malloc(length + 1);
    ssize_t got = 1;
    while (body && done < length && got > 0) {
        got = pread(file, body + done, length - done, from + (off_t)done);
        done += got > 0 ? (size_t)got : 0;
    }
    close(file);
    answer->body = body;
    answer->length = done;
    return body;
}

static const char *type_of(const char *name) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".svg", "image/svg+xml"},
                                           {".wasm", "application/wasm"},
                                           {".json", "application/json"},
                                           {".jsonl", "application/jsonl; charset=utf-8"}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (!strcmp(dot, types[i][0]))
            return types[i][1];
    return "text/plain; charset=utf-8";
}

// ---------------------------------------------------------------------------------------------------
// What there is

// Calls back with every name in a folder that can be one of ours. -> each  <- false: enough
static void each_name(int folder, bool (*each)(Site *site, int which, const char *name), Site *site,
                      int which) {
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = copy >= 0 ? fdopendir(copy) : NULL;
    if (!directory) {
        shut(copy);
        return;
    }
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.' && strlen(entry->d_name) < NAME_ROOM && !each(site, which, entry->d_name))
            break;
    closedir(directory);
}

static bool add_page_file(Site *site, int which, const char *name) {
    (void)which;
    if (has_file(site->page, name))
        snprintf(site->file[site->files++], NAME_ROOM, "%s", name);
    return site->files < MAX_FILES;
}

static bool add_run(Site *site, int folder, const char *name) {
    for (int i = 0; i < site->runs; i++)
        if (site->run[i].folder == folder && !strcmp(site->run[i].name, name))
            return true;
    site->run[site->runs].folder = folder;
    snprintf(site->run[site->runs++].name, NAME_ROOM, "%s", name);
    return site->runs < MAX_RUNS;
}

static int open_folder(int parent, const char *name) {
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool add_if_run(Site *site, int folder, const char *name) {
    int inner = open_folder(site->folder[folder].file, name);
    bool is_run = has_file(inner, "run.json");
    shut(inner);
    return !is_run || add_run(site, folder, name);
}

// Runs that began since are found too.
static void find_runs(Site *site) {
    for (int i = 0; i < site->folders && site->runs < MAX_RUNS; i++)
        if (has_file(site->folder[i].file, "run.json"))
            add_run(site, i, "");
        else
            each_name(site->folder[i].file, add_if_run, site, i);
}

// What the folder is called, also if the path does not say so: "." or "..".
static void name_folder(char out[NAME_ROOM], const char *path) {
    char *real = realpath(path, NULL);
    const char *slash = real ? strrchr(real, '/') : NULL;
    snprintf(out, NAME_ROOM, "%s", slash && slash[1] ? slash + 1 : path);
    free(real);
}

Site *site_open(const char *page, const char *const *folders, int count, Error *error) {
    Site *site = calloc(1, sizeof *site);
    if (!site || !(site->folder = calloc((size_t)count + 1, sizeof *site->folder))) {
        error_set(error, "Out of memory for the list of files.");
        site_close(site);
        return NULL;
    }
    site->page = open(page, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (site->page >= 0)
        each_name(site->page, add_page_file, site, 0);
    bool good = site->page >= 0 && has_file(site->page, "index.html");
    if (!good)
        error_set(error, "the page is not in %.300s: 'make web' builds it, --page says where it is.", page);
    for (int i = 0; good && i < count; i++) {
        int folder = open(folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        good = folder >= 0 || error_set(error, "%.300s: %s.", folders[i], strerror(errno));
        if (good) {
            name_folder(site->folder[site->folders].name, folders[i]);
            site->folder[site->folders++].file = folder;
        }
    }
    if (good)
        return site;
    site_close(site);
    return NULL;
}

void site_close(Site *site) {
    if (!site)
        return;
    if (site->page > 0)
        close(site->page);
    for (int i = 0; i < site->folders; i++)
        close(site->folder[i].file);
    free(site->folder);
    free(site);
}

// ---------------------------------------------------------------------------------------------------
// Answers

// A page of another origin whose name leads here (DNS rebinding) says its own name.
static bool is_for_us(const SiteAsked *asked) {
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char wanted[40];
    for (size_t i = 0; asked->host && i < sizeof names / sizeof *names; i++) {
        snprintf(wanted, sizeof wanted, "%s:%u", names[i], asked->port);
        if (!strcasecmp(asked->host, wanted) || (asked->port == 80 && !strcasecmp(asked->host, names[i])))
            return true;
    }
    return false;
}

static void say(SiteAnswer *answer, int status, const char *sentence) {
    free(answer->body);
    *answer = (SiteAnswer){status, "text/plain; charset=utf-8", strdup(sentence), strlen(sentence)};
}

static int open_run(const Site *site, const Run *run) {
    return open_folder(site->folder[run->folder].file, run->name[0] ? run->name : ".");
}

static json_t *run_json(const Site *site, int id) {
    const Run *run = &site->run[id];
    char clean[2 * NAME_ROOM];
    const char *name = run->name[0] ? run->name : site->folder[run->folder].name;
    off_t size = 0;
    int folder = open_run(site, run);
    shut(open_file(folder, "journal.jsonl", &size));
    shut(folder);
    utf8_clean(clean, sizeof clean, name, strlen(name));
    json_t *json = json_object();
    json_object_set_new(json, "id", json_integer(id));
    json_object_set_new(json, "name", json_string(clean));
    json_object_set_new(json, "bytes", json_integer(size));
    return json;
}

static void answer_list(Site *site, SiteAnswer *answer) {
    json_t *list = json_array();
    find_runs(site);
    for (int i = 0; i < site->runs; i++)
        json_array_append_new(list, run_json(site, i));
    answer->body = json_dumps(list, JSON_COMPACT);
    answer->length = answer->body ? strlen(answer->body) : 0;
    json_decref(list);
}

// A whole number without anything else.
static bool read_number(const char *text, uint64_t most, uint64_t *number) {
    size_t digits = strspn(text, "0123456789");
    *number = digits && digits <= 18 ? strtoull(text, NULL, 10) : most + 1;
    return digits && !text[digits] && *number <= most;
}

// -> rest  behind /runs/
static bool answer_run(Site *site, const char *rest, const SiteAsked *asked, SiteAnswer *answer) {
    static const char *const names[] = {"run.json", "best.json", "journal.jsonl"};
    const char *slash = strchr(rest, '/');
    char digits[20];
    uint64_t id, from = 0;
    if (!slash || (size_t)(slash - rest) >= sizeof digits)
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)(slash - rest), rest);
    if (!read_number(digits, MAX_RUNS, &id) || id >= (uint64_t)site->runs)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(slash + 1, names[i]))
            continue;
        bool history = i == 2;
        if (history && asked->from && !read_number(asked->from, (uint64_t)1 << 50, &from))
            return false;
        int folder = open_run(site, &site->run[id]);
        bool good = read_part(folder, names[i], (off_t)from, history ? MAX_PIECE : MAX_FILE, answer);
        shut(folder);
        answer->type = type_of(names[i]);
        return good;
    }
    return false;
}

static bool answer_page(const Site *site, const char *name, SiteAnswer *answer) {
    name = *name ? name : "index.html";
    for (int i = 0; i < site->files; i++)
        if (!strcmp(name, site->file[i])) {
            answer->type = type_of(name);
            return read_part(site->page, name, 0, MAX_FILE, answer);
        }
    return false;
}

void site_answer(Site *site, const SiteAsked *asked, SiteAnswer *answer) {
    static const char runs[] = "/runs/";
    const char *path = asked->path;
    *answer = (SiteAnswer){.status = 200, .type = "application/json"};
    if (!is_for_us(asked)) {
        say(answer, 403, "This server is for this machine only.\n");
        return;
    }
    if (strcmp(asked->method, "GET") && strcmp(asked->method, "HEAD")) {
        say(answer, 405, "Only GET and HEAD are served.\n");
        return;
    }
    bool found = false;
    if (path[0] == '/') {
        if (!strcmp(path, "/runs.json")) {
            answer_list(site, answer);
            found = true;
        } else if (!strncmp(path, runs, strlen(runs))) {
            found = answer_run(site, path + strlen(runs), asked, answer);
        } else {
            found = answer_page(site, path + 1, answer);
        }
    }
    if (!found)
        say(answer, 404, "There is no such file here.\n");
    else if (!answer->body)
        say(answer, 500, "Out of memory for the answer.\n");
}
