// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab evaluate: scores vectors for other people's optimisers. Requests come in as JSON lines, answers go
// out as JSON lines as soon as they are ready; tasks/request.h has the form of a request. Reading goes on
// while vectors are being scored, but only so far that the crew has work: a program that writes faster waits.
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/evaluate_report.h"
#include "app/recommend.h"
#include "base/fields_json.h"
#include "base/json_memory.h"
#include "base/lines.h"
#include "base/progress.h"
#include "learn/benchmark.h"
#include "learn/scoring.h"
#include "tasks/ioh_log.h"
#include "tasks/request.h"

static const double LOOK_AGAIN = 0.001; // seconds after which input is looked for while vectors are scored
static const double LOOK_AROUND = 0.1;  // after which an interrupt is noticed

typedef struct EvaluateOptions {
    AppOptions app;
    ScoringSettings scoring;
    bool ordered;
    const char *instance, *iohprofiler, *algorithm; // NULL: none
    int number;
} EvaluateOptions;

// ---------------------------------------------------------------------------------------------------
// Options

static const char *const in_folder[] = {"/", NULL};

static const Field own_field[] = {
    {"ordered", FIELD_FLAG, FIELD_AT(EvaluateOptions, ordered),
     .help = "Answer in the order of the requests, not as soon as each is ready."},
    {"instance", FIELD_STRING, FIELD_AT(EvaluateOptions, instance), .argument = "NAME",
     .suggest = benchmark_suggest,
     .help = "Score on an instance of the benchmark for optimisers, which fixes features, rules, objective, "
             "seeds and budget. 'tetralab instances' lists them."},
    {"number", FIELD_INT, FIELD_AT(EvaluateOptions, number), .preset = 1, .least = 1,
     .most = BENCHMARK_MAX_INSTANCE, .argument = "K",
     .help = "Which instance of it: they differ in their random numbers."},
    {"iohprofiler", FIELD_STRING, FIELD_AT(EvaluateOptions, iohprofiler), .file = FIELD_WRITES,
     .endings = in_folder, .argument = "DIR",
     .help = "Also write every score into this folder, for IOHanalyzer; a further run is added to what is "
             "there. docs/evaluate.md shows it."},
    {"algorithm", FIELD_STRING, FIELD_AT(EvaluateOptions, algorithm), .otherwise = "unnamed",
     .argument = "TEXT", .help = "What the log calls the optimiser."},
};

static int more_options(void *options, OptionSet *sets) {
    ScoringSettings *scoring = &((EvaluateOptions *)options)->scoring;
    sets[0] = (OptionSet){scoring_fields, scoring, NULL};
    sets[1] = (OptionSet){FIELDS(own_field), options, NULL};
    sets[2] = (OptionSet){objective_fields, &scoring->objective, NULL};
    sets[3] = (OptionSet){encoding_fields, &scoring->objective.encoding, NULL};
    return 4;
}

// ---------------------------------------------------------------------------------------------------
// Open requests

typedef struct Open {
    bool used;
    uint64_t number; // requests in their order, from 0
    uint64_t line;
    char id[JSON_ID];
    Scoring scoring;     // its values are owned
    uint64_t evaluation; // its number, from 1
    json_t *answer;      // owned; ready, but not yet its turn
} Open;

typedef struct Service {
    const EvaluateOptions *options;
    const Objective *objective;
    Crew *crew;
    LineReader reader;
    Open *open; // owned
    int room, count;
    uint64_t tasks;      // under way
    uint64_t read, told; // requests so far, and answers
    bool ended, wrong;   // wrong: some line was, or could not be answered
    Request request;
    CrewResult result;
    const Benchmark *benchmark; // NULL: none
    IohLog log;                 // without runs if there is none. Owned
    IohRow *row;                // owned; of evaluation k at [k - 1], which come in any order
    double *vector;             // owned; likewise
    uint64_t evaluations, rows; // asked for; room for them
    bool keeps;                 // rows are wanted, for the log, --csv or --plot
} Service;

// The id goes first, as it came: it may be a number that no double holds.
static void print_answer(Service *service, Open *open) {
    char *text = json_text(open->answer, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!text)
        printf("{\"line\":%" PRIu64 ",\"error\":\"Out of memory for the answer.\"}\n", open->line);
    else if (open->id[0])
        printf("{\"id\":%s,%s\n", open->id, text + 1);
    else
        printf("%s\n", text);
    fflush(stdout);
    service->wrong |= !text;
    free(text);
    json_decref(open->answer);
    free(open->scoring.value);
    *open = (Open){0};
}

static Open *take_slot(Service *service) {
    Open *open = service->open;
    while (open->used)
        open++;
    *open = (Open){.used = true, .number = service->read++, .line = service->reader.line};
    memcpy(open->id, service->request.id, sizeof open->id);
    service->count++;
    return open;
}

static Open *next_to_tell(Service *service) {
    for (int k = 0; k < service->room; k++)
        if (service->open[k].used && service->open[k].number == service->told)
            return service->open[k].scoring.missing ? NULL : &service->open[k];
    return NULL;
}

// Takes the reference. -> answer  NULL: memory ran out
static void answer(Service *service, Open *open, json_t *json) {
    open->answer = json;
    open->scoring.missing = 0;
    for (Open *next = service->options->ordered ? next_to_tell(service) : open; next;
         next = service->options->ordered ? next_to_tell(service) : NULL) {
        print_answer(service, next);
        service->told++;
        service->count--;
    }
}

static void answer_error(Service *service, const Error *error) {
    Open *open = take_slot(service);
    service->wrong = true;
    answer(service, open, json_pack("{s:I, s:s}", "line", (json_int_t)open->line, "error", error->text));
}

static void answer_description(Service *service) {
    const Encoding *encoding = &service->objective->encoding;
    Open *open = take_slot(service);
    json_t *labels = json_array();
    for (int i = 0, size = encoding_size(encoding); i < size; i++) {
        char label[64];
        encoding_label(encoding, i, label);
        json_array_append_new(labels, json_string(label));
    }
    json_t *json = json_pack(
        "{s:I, s:i, s:o, s:s, s:s, s:I}", "line", (json_int_t)open->line, "size", encoding_size(encoding),
        "labels", labels, "rating", strategy_rating_names[encoding->rating], "objective",
        objective_words[service->objective->kind], "games", (json_int_t)service->options->scoring.games);
    if (json)
        fields_save(rules_fields, &service->objective->rules, json);
    if (json && service->benchmark) {
        json_object_set_new(json, "instance", json_string(service->benchmark->name));
        json_object_set_new(json, "number", json_integer(service->options->number));
        json_object_set_new(json, "maximization", json_true());
        json_object_set_new(json, "budget_evaluations", json_whole(service->benchmark->evaluations));
        json_object_set_new(json, "budget_pieces", json_whole(service->benchmark->budget));
    }
    answer(service, open, json);
}

static void answer_score(Service *service, Open *open) {
    ObjectiveKind kind = service->objective->kind;
    const Scoring *scoring = &open->scoring;
    double score = objective_score(kind, scoring->value, scoring->games);
    if (service->keeps)
        service->row[open->evaluation - 1] = (IohRow){score, scoring->games, scoring->pieces};
    json_t *samples = json_array();
    for (uint64_t k = 0; k < scoring->games; k++)
        json_array_append_new(samples, kind == OBJECTIVE_GAMES ? json_integer((json_int_t)scoring->value[k])
                                                               : json_real(scoring->value[k]));
    answer(service, open,
           json_pack("{s:I, s:f, s:f, s:o, s:I, s:f}", "line", (json_int_t)open->line, "score", score,
                     "mean_lines", objective_lines(kind, score), "samples", samples, "pieces",
                     (json_int_t)scoring->pieces, "seconds", scoring->seconds));
}

// What it is worth, apart from all scores. The crew goes on meanwhile.
static void answer_recommended(Service *service) {
    const Request *request = &service->request;
    Recommendation found = {0};
    Strategy strategy;
    Error wrong = {""};
    encoding_strategy(&service->objective->encoding, request->vector, "recommended", &strategy);
    if (!recommend_measure(&found, &strategy, service->objective, service->options->number,
                           &service->options->app, &wrong) ||
        (found.interrupted && error_set(&wrong, "The measurement was interrupted."))) {
        answer_error(service, &wrong);
        return;
    }
    if (service->log.runs) {
        service->log.run[0].lines = found.lines;
        service->log.run[0].low = found.low;
        service->log.run[0].high = found.high;
    }
    Open *open = take_slot(service);
    json_t *json =
        json_pack("{s:I, s:b, s:f, s:o, s:I, s:f}", "line", (json_int_t)open->line, "recommended", 1,
                  "mean_lines", found.lines, "ci95",
                  json_pack("[f, o]", found.low, isfinite(found.high) ? json_real(found.high) : json_null()),
                  "pieces", (json_int_t)found.pieces, "seconds", found.seconds);
    answer(service, open, json);
}

// ---------------------------------------------------------------------------------------------------
// The log

// Room for one evaluation more. Its number is that of the request, whenever its score comes.
static bool note_evaluation(Service *service, Open *open, Error *error) {
    uint64_t number = service->evaluations + 1;
    size_t size = (size_t)encoding_size(&service->objective->encoding);
    open->evaluation = number;
    if (service->keeps && number > service->rows) {
        uint64_t rows = 2 * service->rows + 256;
        IohRow *row = realloc(service->row, rows * sizeof *row);
        service->row = row ? row : service->row;
        double *vector = row ? realloc(service->vector, rows * size * sizeof *vector) : NULL;
        service->vector = vector ? vector : service->vector;
        if (!vector)
            return error_set(error, "Out of memory for a log of %" PRIu64 " scores.", number);
        service->rows = rows;
    }
    if (service->keeps) {
        service->row[number - 1] = (IohRow){0};
        memcpy(service->vector + (number - 1) * size, service->request.vector, size * sizeof(double));
    }
    service->evaluations = number;
    return true;
}

// Evaluations that got no score, as the run was interrupted, are not there.
static bool write_log(Service *service, Error *error) {
    const EvaluateOptions *options = service->options;
    size_t size = (size_t)encoding_size(&service->objective->encoding);
    if (!service->log.runs)
        return true;
    for (uint64_t k = 0; k < service->evaluations; k++)
        if (service->row[k].samples &&
            !ioh_log_row(&service->log, 0, &service->row[k], service->vector + k * size, error))
            return false;
    return ioh_log_write(&service->log, options->iohprofiler, IOH_APPEND, error);
}

static bool start_log(Service *service, Error *error) {
    const EvaluateOptions *options = service->options;
    char info[80];
    if (!options->iohprofiler)
        return true;
    snprintf(info, sizeof info, "scored by tetralab %s evaluate", TETRALAB_VERSION);
    if (!ioh_log_make(&service->log, service->benchmark ? service->benchmark->name : "", service->objective,
                      options->algorithm, info, 1, error))
        return false;
    service->log.run[0].instance = options->number;
    return ioh_log_check(&service->log, options->iohprofiler, IOH_APPEND, error);
}

// ---------------------------------------------------------------------------------------------------
// Requests in, results out

static bool submit(Service *service, Error *error) {
    const Request *request = &service->request;
    Open *open = take_slot(service);
    uint64_t seed = request->seed;
    if (service->benchmark)
        seed = benchmark_evaluation_seed(service->benchmark, service->options->number, seed);
    Sampling sampling = {seed, request->first, request->games};
    double *value = malloc(request->games * sizeof *value);
    open->scoring = (Scoring){.value = value, .missing = request->games};
    if (!value)
        return error_set(error, "Out of memory for %" PRIu64 " samples.", request->games);
    return note_evaluation(service, open, error) &&
           scoring_begin(&open->scoring, (int)(open - service->open), request->vector, &sampling, value,
                         service->crew, &service->tasks, error);
}

static bool is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r", text[i]))
            return false;
    return true;
}

// An instance fixes what an evaluation is, and how many there are.
static bool check_instance(const Service *service, Error *error) {
    const Benchmark *benchmark = service->benchmark;
    const Request *request = &service->request;
    if (request->recommend && !benchmark)
        return error_set(error, "\"recommend\" belongs to --instance, which says how to measure.");
    if (!benchmark || request->describe || request->recommend)
        return true;
    if (request->games != benchmark->games || request->first)
        return error_set(error, "\"games\" and \"first\" belong to what the instance fixes: leave them out.");
    return service->evaluations < benchmark->evaluations ||
           error_set(error,
                     "The budget of %" PRIu64 " evaluations is used up; {\"weights\": [...], "
                     "\"recommend\": true} ends the run.",
                     benchmark->evaluations);
}

static bool take_line(Service *service, const char *text, size_t length, Error *error) {
    Request *request = &service->request;
    Error wrong = {""};
    if (is_blank(text, length))
        return true;
    request->seed = service->benchmark ? service->evaluations + 1 : service->options->app.seed;
    request->first = 0;
    request->games = service->options->scoring.games;
    if (!request_parse(request, text, length, encoding_size(&service->objective->encoding), &wrong) ||
        !check_instance(service, &wrong))
        answer_error(service, &wrong);
    else if (request->describe)
        answer_description(service);
    else if (request->recommend)
        answer_recommended(service);
    else
        return submit(service, error);
    return true;
}

static bool has_room(const Service *service) {
    return service->count < service->room && service->tasks < (uint64_t)service->room;
}

// Takes the lines that are there, as far as there is room. <- false: the run cannot go on
static bool read_requests(Service *service, Error *error) {
    const char *text = NULL;
    size_t length = 0;
    LineEvent event = LINE_TAKEN;
    while (has_room(service) && event != LINE_WAIT && event != LINE_END && !ferror(stdout)) {
        event = lines_next(&service->reader, &text, &length);
        Error wrong;
        if (event == LINE_TAKEN && !take_line(service, text, length, error))
            return false;
        if (event == LINE_TOO_LONG) {
            error_set(&wrong, "The line has more than %d bytes and is skipped.", REQUEST_LINE_LIMIT);
            service->request.id[0] = 0;
            answer_error(service, &wrong);
        }
    }
    service->ended = event == LINE_END;
    if (event != LINE_WAIT)
        return true;
    struct pollfd input = {.fd = service->reader.file, .events = POLLIN};
    int ready = poll(&input, 1, service->tasks ? 0 : (int)(1000 * LOOK_AROUND));
    return ready <= 0 || lines_fill(&service->reader, error);
}

static void take_result(Service *service) {
    Open *open = &service->open[scoring_slot(&service->result)];
    service->tasks--;
    if (scoring_take(&open->scoring, &service->result))
        answer_score(service, open);
}

// Waits for a result, and takes all that are there. <- false: the crew has failed
static bool take_results(Service *service, Error *error) {
    bool reading = !service->ended && has_room(service);
    double patience = reading ? LOOK_AGAIN : LOOK_AROUND;
    while (service->tasks) {
        CrewEvent event = service->crew->wait(service->crew, patience, &service->result, error);
        if (event == CREW_FAILED)
            return false;
        if (event != CREW_RESULT)
            return true;
        take_result(service);
        patience = 0;
    }
    return true;
}

static bool serve(Service *service, Error *error) {
    while ((!service->ended || service->tasks) && !progress_interrupted && !ferror(stdout)) {
        if (!service->ended && has_room(service) && !read_requests(service, error))
            return false;
        if (!take_results(service, error))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------

static bool start_service(Service *service, Error *error) {
    if (service->options->instance)
        service->benchmark = benchmark_find(service->options->instance, error);
    if (!start_log(service, error))
        return false;
    service->crew = crew_make(&candidate_kind, service->objective, (int)service->options->app.jobs, error);
    if (!service->crew)
        return false;
    service->room = scoring_room(service->crew);
    service->open = calloc((size_t)service->room, sizeof *service->open);
    if (!service->open)
        return error_set(error, "Out of memory for %d requests.", service->room);
    return lines_open(&service->reader, STDIN_FILENO, REQUEST_LINE_LIMIT, error);
}

static void end_service(Service *service) {
    if (service->crew)
        service->crew->close(service->crew);
    for (int k = 0; k < service->room && service->open; k++) {
        json_decref(service->open[k].answer);
        free(service->open[k].scoring.value);
    }
    free(service->open);
    ioh_log_free(&service->log);
    free(service->row);
    free(service->vector);
    lines_close(&service->reader);
    free(service);
}

static int evaluate(const EvaluateOptions *options, const Objective *objective, Error *error) {
    Service *service = calloc(1, sizeof *service);
    if (!service) {
        error_set(error, "Out of memory.");
        return EXIT_FAILED;
    }
    service->options = options;
    service->objective = objective;
    service->keeps = options->iohprofiler || options->app.csv || options->app.plot;
    progress_catch_interrupt();
    bool good = start_service(service, error) && serve(service, error);
    good = good && write_log(service, error) &&
           outputs_write(&service->options->app, evaluate_table, evaluate_plot,
                         &(EvaluateScores){objective, service->row, service->evaluations}, 1, error);
    int unanswered = service->count;
    bool wrong = service->wrong;
    end_service(service);
    if (good && unanswered)
        fprintf(stderr, "Interrupted: %d request%s not answered.\n", unanswered,
                unanswered == 1 ? " was" : "s were");
    return !good || wrong || unanswered ? EXIT_FAILED : EXIT_DONE;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    EvaluateOptions *options = chosen;
    AppOptions *app = &options->app;
    ScoringSettings *scoring = &options->scoring;
    const Benchmark *benchmark = options->instance ? benchmark_find(options->instance, error) : NULL;
    int code = EXIT_USAGE;
    if (benchmark)
        scoring->games = benchmark->games;
    if (options->instance &&
        !(benchmark && benchmark_apply(benchmark, &scoring->objective, &app->rules, arguments, error)))
        ; // the error says why
    else if (!benchmark && arguments_given(arguments, "number"))
        error_set(error, "--number belongs to --instance.");
    else if (!options->iohprofiler && arguments_given(arguments, "algorithm"))
        error_set(error, "--algorithm belongs to --iohprofiler.");
    else if (app->csv && !strcmp(app->csv, "-"))
        error_set(error, "--csv -: the answers go to the standard output; give a file.");
    else if (arguments->operands > 0)
        error_set(error, "evaluate takes options only: vectors come from the standard input.");
    else if (scoring_complete(scoring, &app->rules, app->max_pieces, app->kernel, arguments, error))
        code = evaluate(options, &scoring->objective, error);
    objective_free(&scoring->objective);
    return code;
}

const Command command_evaluate = {
    .name = "evaluate",
    .operands = "",
    .summary = "Score weight vectors for another program: JSON lines in, JSON lines out",
    .details = "A line is a vector, as in [-1, 1, -1, -1, -4, -1, 0, 0], or an object such as\n"
               "{\"id\": 7, \"weights\": [...], \"seed\": 1, \"first\": 0, \"games\": 10}. The line\n"
               "{\"describe\": true} asks what the numbers are. Many vectors are scored at once;\n"
               "docs/evaluate.md tells more.\n",
    .run = run,
    .size = sizeof(EvaluateOptions),
    .more = more_options,
    .has_rules = true,
    .has_running = true,
    .titled = true,
    .without = " json ",
    .picture =
        "Also draw FILE (.svg, .png, .pdf or .eps) at the end: the score of every vector, and the largest so "
        "far.",
};
