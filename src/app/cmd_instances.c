// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab instances: the benchmark for optimisers.
#include "app/app.h"
#include "app/table.h"
#include "base/fields_json.h"
#include "learn/benchmark.h"

static const Field instances_field[] = {
    {APP_JSON,
     .help = "Also write them as JSON to FILE; - writes them to standard output instead of the table."},
};

// <- numbers in a vector of the problem
static int dimension(const Benchmark *benchmark) {
    Encoding encoding = {0};
    Rules rules;
    Error error = {""};
    rules_default(&rules);
    fields_preset(encoding_fields, &encoding);
    bool good = encoding_set_features(&encoding, benchmark->features, &error) &&
                field_parse(fields_find(rules_fields, "board"), &rules, benchmark->board, &error);
    encoding.width = rules.width;
    rules_free(&rules);
    return good ? encoding_size(&encoding) : 0;
}

static json_t *instances_json(void) {
    json_t *list = json_array();
    for (int i = 0; benchmark_at(i); i++) {
        json_t *one = json_object();
        fields_save(benchmark_fields, benchmark_at(i), one);
        json_object_set_new(one, "dimension", json_integer(dimension(benchmark_at(i))));
        json_object_set_new(one, "maximization", json_true());
        json_object_set_new(one, "instances", json_integer(BENCHMARK_INSTANCES));
        json_array_append_new(list, one);
    }
    return list;
}

static void print_table(void) {
    const TableColumn columns[] = {{"id", 2},    {"name", -34},       {"dimension", 9},
                                   {"games", 5}, {"evaluations", 11}, {"pieces", 7}};
    Table table = {.out = stdout};
    TABLE_HEAD(&table, columns);
    for (int i = 0; benchmark_at(i); i++) {
        const Benchmark *benchmark = benchmark_at(i);
        table_cell(&table, "%d", benchmark->id);
        table_cell(&table, "%s", benchmark->name);
        table_cell(&table, "%d", dimension(benchmark));
        table_cell(&table, "%d", (int)benchmark->games);
        table_grouped(&table, benchmark->evaluations);
        table_count(&table, (double)benchmark->budget);
    }
    printf("\nScores are maximised. Each has %d instances and more, by their random numbers. A "
           "recommendation of\n"
           "instance K is measured by 'tetralab measure' with --precision %s and --seed %d + K.\n",
           BENCHMARK_INSTANCES, BENCHMARK_PRECISION, (int)benchmark_measure_seed(0));
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const AppOptions *options = chosen;
    if (arguments->operands) {
        error_set(error, "there are no operands, got '%.60s'.", arguments->operand[0]);
        return EXIT_USAGE;
    }
    if (!options->quiet)
        print_table();
    return app_write_json(options->json ? instances_json() : NULL, options->json, error) ? EXIT_DONE
                                                                                         : EXIT_FAILED;
}

const Command command_instances = COMMAND(
    "instances", "", AppOptions, instances_field, "List the instances of the benchmark for optimisers",
    "Names of problems that fix everything that changes a score, for 'learn --instance'\n"
    "and 'evaluate --instance', with their budgets; docs/evaluate.md tells more.\n");
