// SPDX-License-Identifier: GPL-3.0-or-later
// The genetic algorithm: who survives, what crossover and mutation do, scores of vectors seen before,
// functions it must climb, saving. (Selection itself: test_selection.c.) Seeds are fixed. Chi-square tests
// refuse at 1e-7, of which there are fewer than ten; other statistics allow 5.5 standard errors.
#include "landscapes.h"
#include "optimise/genetic.h"

#include <gsl/gsl_cdf.h>

static OptimiserPlan plan_of(int dimension) {
    OptimiserPlan plan = {.dimension = dimension, .seed = 91};
    optimiser_defaults(&plan, OPTIMISER_GENETIC);
    genetic_plan(&plan)->revisit = REVISIT_AGAIN;
    return plan;
}

static void assert_frequencies(const int *count, const double *probability, int kinds, int draws) {
    double sum = 0;
    for (int i = 0; i < kinds; i++)
        sum += pow(count[i] - probability[i] * draws, 2) / (probability[i] * draws);
    if (gsl_cdf_chisq_Q(sum, kinds - 1) < 1e-7)
        fail_msg("chi-square %g with %d degrees of freedom", sum, kinds - 1);
}

static void assert_rate(int count, int draws, double rate) {
    double error = 5.5 * sqrt(rate * (1 - rate) * draws);
    if (fabs(count - rate * draws) > error)
        fail_msg("%d of %d instead of %g +- %g", count, draws, rate * draws, error);
}

static void defaults_are_those_of_the_thesis_but_for_known_vectors(void **state) {
    (void)state;
    OptimiserPlan plan = {.dimension = 8};
    optimiser_defaults(&plan, OPTIMISER_GENETIC);
    const GeneticPlan *own = genetic_plan(&plan);
    assert_int_equal(plan.population, 100);
    assert_true(own->selection == SELECT_TOURNAMENT && own->tournament == 10 && own->random_rate == 0.1);
    assert_true(own->crossover == CROSSOVER_POINTS && own->points == 2 && own->crossover_rate == 0.5);
    assert_true(own->elite == 2 && own->mutation_rate == 0 && own->range == 100);
    assert_true(own->revisit == REVISIT_AVERAGE && !plan.group && !plan.is_switch);
}

static void genes_start_as_whole_numbers_and_switches_as_bits(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(2);
    plan.population = 10000;
    genetic_plan(&plan)->range = 5;
    plan.is_switch = (const bool[]){false, true};
    Optimiser *optimiser = make_optimiser(&plan);
    const double *batch;
    int values[11] = {0}, bits[2] = {0};
    assert_int_equal(optimiser_ask(optimiser, &batch), 10000);
    for (int i = 0; i < 10000; i++) {
        assert_true(fabs(batch[2 * i]) <= 5 && batch[2 * i] == floor(batch[2 * i]));
        assert_true(batch[2 * i + 1] == 0 || batch[2 * i + 1] == 1);
        values[(int)batch[2 * i] + 5]++;
        bits[(int)batch[2 * i + 1]]++;
    }
    double even[11];
    for (int i = 0; i < 11; i++)
        even[i] = 1.0 / 11;
    assert_frequencies(values, even, 11, 10000);
    assert_rate(bits[1], 10000, 0.5);
    optimiser_free(optimiser);
}

// In every mode, with every selection: the best of a generation, by the scores that count, begin the next
// one.
static void the_elite_is_never_lost(void **state) {
    (void)state;
    for (int selection = SELECT_TOURNAMENT; selection <= SELECT_SIGMA; selection++) {
        OptimiserPlan plan = plan_of(4);
        plan.population = 20;
        genetic_plan(&plan)->elite = 3;
        genetic_plan(&plan)->selection = (GeneticSelection)selection;
        Optimiser *optimiser = make_optimiser(&plan);
        double elite[3][4], last_best = -INFINITY;
        for (int g = 0; g < 40; g++) {
            const double *batch;
            assert_int_equal(optimiser_ask(optimiser, &batch), 20);
            if (g > 0)
                assert_memory_equal(batch, elite, sizeof elite);
            bool taken[20] = {false};
            for (int e = 0; e < 3; e++) {
                int best = -1;
                for (int i = 0; i < 20; i++)
                    if (!taken[i] &&
                        (best < 0 || sphere(batch + 4 * i, 4, NULL) > sphere(batch + 4 * best, 4, NULL)))
                        best = i;
                taken[best] = true;
                memcpy(elite[e], batch + 4 * best, sizeof elite[e]);
            }
            generation(optimiser, sphere, NULL);
            OptimiserStatus status = optimiser_status(optimiser);
            assert_memory_equal(status.answer, elite[0], sizeof elite[0]);
            assert_memory_equal(status.best, elite[0], sizeof elite[0]);
            assert_true(status.best_score >= last_best);
            last_best = status.best_score;
        }
        optimiser_free(optimiser);
    }
}

// ---------------------------------------------------------------------------------------------------
// Crossover: with genes of a wide range and no mutation, a gene tells which parent it comes from.

enum { GENES = 10, PARTS = 5, PEOPLE = 400 };
static const int groups[GENES] = {7, 7, -3, 0, 7, 0, 12, 5, -3, 12}; // parts: 7, -3, 0, 12, 5
static const int part_of[GENES] = {0, 0, 1, 2, 0, 2, 3, 4, 1, 3};

// How two generations hang together: parent[child][gene]
static void find_parents(const double *old, const double *now, int (*parent)[GENES]) {
    for (int i = 0; i < PEOPLE; i++)
        for (int k = 0; k < GENES; k++) {
            parent[i][k] = -1;
            for (int j = 0; j < PEOPLE; j++)
                if (old[j * GENES + k] == now[i * GENES + k])
                    parent[i][k] = j;
            assert_true(parent[i][k] >= 0);
        }
}

// <- for each child: bit p is set when part p comes from another parent than part 0; -1: more than two
// parents
static void cross(GeneticCrossover crossover, int points, double rate, int *pattern) {
    OptimiserPlan plan = plan_of(GENES);
    plan.population = PEOPLE;
    genetic_plan(&plan)->crossover = crossover;
    genetic_plan(&plan)->points = points;
    genetic_plan(&plan)->crossover_rate = rate;
    genetic_plan(&plan)->elite = 0;
    genetic_plan(&plan)->tournament = 1; // parents: anybody
    genetic_plan(&plan)->mutation_rate = 1e-300;
    genetic_plan(&plan)->range = 1e6;
    plan.group = groups;
    Optimiser *optimiser = make_optimiser(&plan);
    static double old[PEOPLE * GENES], score[PEOPLE];
    static int parent[PEOPLE][GENES];
    const double *batch;
    optimiser_ask(optimiser, &batch);
    memcpy(old, batch, sizeof old);
    optimiser_tell(optimiser, score, NULL);
    optimiser_ask(optimiser, &batch);
    find_parents(old, batch, parent);
    for (int i = 0; i < PEOPLE; i++) {
        int source[PARTS] = {-1, -1, -1, -1, -1}, other = -1;
        pattern[i] = 0;
        for (int k = 0; k < GENES; k++) {
            int *own = &source[part_of[k]];
            assert_true(*own < 0 || *own == parent[i][k]); // a group stays together
            *own = parent[i][k];
        }
        for (int p = 1; p < PARTS; p++)
            if (source[p] != source[0]) {
                assert_true(other < 0 || source[p] == other); // two parents, not three
                other = source[p];
                pattern[i] |= 1 << p;
            }
    }
    optimiser_free(optimiser);
}

static int changes_of(int pattern) {
    int changes = 0;
    for (int p = 1; p < PARTS; p++)
        changes += (pattern >> p & 1) != (pattern >> (p - 1) & 1);
    return changes;
}

static void point_crossover_keeps_groups_and_changes_sides_so_many_times(void **state) {
    (void)state;
    int pattern[PEOPLE], kinds[32] = {0}, crossed = 0;
    for (int points = 1; points <= 6; points++) {
        cross(CROSSOVER_POINTS, points, 1, pattern);
        for (int i = 0; i < PEOPLE; i++) // 0: both parents are the same
            assert_true(pattern[i] == 0 || changes_of(pattern[i]) == (points < PARTS ? points : PARTS - 1));
    }
    cross(CROSSOVER_POINTS, 2, 1, pattern);
    for (int i = 0; i < PEOPLE; i++)
        if (pattern[i]) {
            kinds[pattern[i]]++;
            crossed++;
        }
    assert_true(crossed > PEOPLE * 9 / 10);
    int seen[6], count = 0; // 2 of 4 places: six ways, all alike
    for (int i = 0; i < 32; i++)
        if (kinds[i]) {
            assert_true(count < 6);
            seen[count++] = kinds[i];
        }
    assert_int_equal(count, 6);
    assert_frequencies(seen, (const double[]){1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0}, 6,
                       crossed);
}

static void uniform_crossover_keeps_groups_and_takes_every_part_from_either(void **state) {
    (void)state;
    int pattern[PEOPLE], kinds[16] = {0};
    double probability[16];
    cross(CROSSOVER_UNIFORM, 1, 1, pattern);
    for (int i = 0; i < PEOPLE; i++)
        kinds[pattern[i] >> 1]++;
    for (int i = 0; i < 16; i++) // the parents are one and the same with probability 1 / PEOPLE
        probability[i] = (1 - 1.0 / PEOPLE) / 16 + (i == 0 ? 1.0 / PEOPLE : 0);
    assert_frequencies(kinds, probability, 16, PEOPLE);
}

static void without_crossover_a_parent_is_copied(void **state) {
    (void)state;
    int pattern[PEOPLE], crossed = 0;
    cross(CROSSOVER_POINTS, 2, 0, pattern);
    for (int i = 0; i < PEOPLE; i++)
        assert_int_equal(pattern[i], 0);
    cross(CROSSOVER_POINTS, 2, 0.3, pattern);
    for (int i = 0; i < PEOPLE; i++)
        crossed += pattern[i] != 0;
    assert_rate(crossed, PEOPLE, 0.3 * (1 - 1.0 / PEOPLE));
}

// ---------------------------------------------------------------------------------------------------
// Mutation: with a tournament of all, everybody is a child of the best.

static void mutation_adds_whole_numbers_of_its_range_and_draws_switches_anew(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(2);
    plan.population = 8001;
    genetic_plan(&plan)->elite = 1;
    genetic_plan(&plan)->tournament = 8001;
    genetic_plan(&plan)->random_rate = 0;
    genetic_plan(&plan)->mutation_rate = 0.25;
    genetic_plan(&plan)->range = 3;
    plan.is_switch = (const bool[]){false, true};
    Optimiser *optimiser = make_optimiser(&plan);
    generation(optimiser, sphere, NULL);
    double best[2];
    memcpy(best, optimiser_status(optimiser).answer, sizeof best);
    const double *batch;
    int steps[7] = {0}, flips = 0;
    assert_int_equal(optimiser_ask(optimiser, &batch), 8001);
    for (int i = 1; i < 8001; i++) {
        double step = batch[2 * i] - best[0];
        assert_true(fabs(step) <= 3 && step == floor(step));
        steps[(int)step + 3]++;
        flips += batch[2 * i + 1] != best[1];
    }
    double probability[7];
    for (int i = 0; i < 7; i++)
        probability[i] = 0.25 / 7 + (i == 3 ? 0.75 : 0);
    assert_frequencies(steps, probability, 7, 8000);
    assert_rate(flips, 8000, 0.125);
    optimiser_free(optimiser);
}

static void the_usual_mutation_rate_is_one_gene_of_each_child(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(20);
    plan.population = 1001;
    genetic_plan(&plan)->elite = 1;
    genetic_plan(&plan)->tournament = 1001;
    genetic_plan(&plan)->random_rate = 0;
    genetic_plan(&plan)->range = 1e6;
    Optimiser *optimiser = make_optimiser(&plan);
    generation(optimiser, sphere, NULL);
    const double *batch, *best = optimiser_status(optimiser).answer;
    int changed = 0;
    optimiser_ask(optimiser, &batch);
    for (int i = 20; i < 20 * 1001; i++)
        changed += batch[i] != best[i % 20];
    assert_rate(changed, 20000, 0.05 * (1 - 1 / 2000001.0));
    optimiser_free(optimiser);
}

// ---------------------------------------------------------------------------------------------------
// Vectors seen before

// Without noise it makes no difference how a vector's second score is treated: same populations, but fewer
// scores.
static void without_noise_all_modes_find_the_same(void **state) {
    (void)state;
    Optimiser *optimiser[4];
    for (int mode = 0; mode < 4; mode++) {
        OptimiserPlan plan = plan_of(3);
        genetic_plan(&plan)->revisit = (GeneticRevisit)mode;
        genetic_plan(&plan)->range = 8;
        optimiser[mode] = make_optimiser(&plan);
    }
    for (int g = 0; g < 60; g++) {
        for (int mode = 0; mode < 4; mode++)
            generation(optimiser[mode], sphere, NULL);
        OptimiserStatus first = optimiser_status(optimiser[0]);
        for (int mode = 1; mode < 4; mode++) {
            OptimiserStatus other = optimiser_status(optimiser[mode]);
            assert_memory_equal(first.answer, other.answer, 3 * sizeof *first.answer);
            assert_memory_equal(first.deviation, other.deviation, 3 * sizeof *first.answer);
            assert_true(first.best_score == other.best_score && first.worst_score == other.worst_score);
            assert_true(fabs(first.mean_score - other.mean_score) < 1e-9);
        }
    }
    assert_true(optimiser_status(optimiser[0]).evaluations == 6000);
    assert_true(optimiser_status(optimiser[1]).evaluations < 3000);
    assert_true(optimiser_status(optimiser[2]).evaluations > optimiser_status(optimiser[1]).evaluations);
    assert_true(optimiser_status(optimiser[2]).evaluations < 6000); // equal vectors of a generation only once
    assert_true(optimiser_status(optimiser[3]).evaluations == 6000 - 59 * 2); // all but the elite
    for (int mode = 0; mode < 4; mode++)
        optimiser_free(optimiser[mode]);
}

enum { SIDE = 41, PLACES = SIDE * SIDE }; // small enough that everything is met again

static int place_of(const double *x) {
    return ((int)x[0] % SIDE + SIDE) % SIDE * SIDE + ((int)x[1] % SIDE + SIDE) % SIDE;
}

static void remembered_vectors_are_asked_for_once(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(2);
    genetic_plan(&plan)->revisit = REVISIT_REMEMBER;
    plan.is_switch = (const bool[]){true, true}; // four vectors in all
    Optimiser *optimiser = make_optimiser(&plan);
    const double *batch;
    assert_int_equal(optimiser_ask(optimiser, &batch), 4);
    static const double score[] = {3, 9, 1, 4};
    double best[2] = {batch[2], batch[3]};
    optimiser_tell(optimiser, score, NULL);
    for (int g = 0; g < 20; g++) {
        assert_int_equal(optimiser_ask(optimiser, &batch), 0);
        optimiser_tell(optimiser, NULL, NULL);
        OptimiserStatus status = optimiser_status(optimiser);
        assert_memory_equal(status.answer, best, sizeof best);
        assert_memory_equal(status.best, best, sizeof best);
        assert_true(status.best_score == 9 && status.evaluations == 4);
    }
    optimiser_free(optimiser);
}

// The best score is the mean of all scores its vector has had, by a table of our own.
static void averaged_vectors_have_the_mean_of_all_their_scores(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(2);
    genetic_plan(&plan)->revisit = REVISIT_AVERAGE;
    genetic_plan(&plan)->range = 3;
    plan.population = 50;
    Optimiser *optimiser = make_optimiser(&plan);
    static double sum[PLACES], scores[PLACES];
    Random noise = random_stream(92, 0, RANDOM_TEST);
    double most = 0;
    for (int g = 0; g < 40; g++) {
        const double *batch;
        double score[50], best = -INFINITY;
        int count = optimiser_ask(optimiser, &batch);
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < i; j++) // no vector plays the same games twice
                assert_int_not_equal(place_of(batch + 2 * i), place_of(batch + 2 * j));
            assert_true(fabs(batch[2 * i]) < SIDE / 2 && fabs(batch[2 * i + 1]) < SIDE / 2);
            int place = place_of(batch + 2 * i);
            bool far = fabs(batch[2 * i]) + fabs(batch[2 * i + 1]) > 6; // keeps them from drifting away
            score[i] = (far ? 0 : 10) + 20 * random_unit(&noise);
            sum[place] += score[i];
            scores[place]++;
        }
        for (int i = 0; i < count; i++) {
            int place = place_of(batch + 2 * i);
            best = fmax(best, sum[place] / scores[place]);
        }
        optimiser_tell(optimiser, score, NULL);
        OptimiserStatus status = optimiser_status(optimiser);
        int place = place_of(status.answer);
        assert_true(fabs(status.best_score - best) < 1e-9);
        assert_true(fabs(sum[place] / scores[place] - best) < 1e-9);
        most = fmax(most, scores[place]);
    }
    assert_true(most > 10);
    optimiser_free(optimiser);
}

// With 1024 genes there is room for 1024 vectors: old ones are forgotten, the present generation is not.
static void a_long_run_forgets_but_not_its_elite(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(1024);
    genetic_plan(&plan)->revisit = REVISIT_REMEMBER;
    Optimiser *optimiser = make_optimiser(&plan);
    for (int g = 0; g < 30; g++) {
        const double *batch;
        int count = optimiser_ask(optimiser, &batch);
        for (int i = 0; g > 0 && i < count; i++)
            assert_memory_not_equal(batch + 1024 * i, optimiser_status(optimiser).answer,
                                    1024 * sizeof *batch);
        generation(optimiser, sphere, NULL);
        OptimiserStatus status = optimiser_status(optimiser);
        assert_true(status.best_score == sphere(status.answer, 1024, NULL));
    }
    assert_true(optimiser_status(optimiser).evaluations > 1500);
    json_t *saved = optimiser_save(optimiser);
    const json_t *memory = json_object_get(json_object_get(saved, "state"), "memory");
    assert_in_range(json_array_size(json_object_get(memory, "sum")), 512, 1024);
    json_decref(saved);
    optimiser_free(optimiser);
}

// Section 5.2 of the thesis: the elite keeps the score it was lucky to get, until a copy of it, or somebody
// else, is luckier still. So the best score never falls, and the answer is the best that was ever seen.
static void an_elite_that_keeps_its_score_is_the_best_ever_seen(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(2);
    plan.population = 30;
    genetic_plan(&plan)->revisit = REVISIT_ELITE;
    genetic_plan(&plan)->mutation_rate = 1e-300; // a closed population: everybody is soon a copy
    Optimiser *optimiser = make_optimiser(&plan);
    Random noise = random_stream(94, 0, RANDOM_TEST);
    double most = -INFINITY, best[2] = {0};
    int copies = 0;
    for (int g = 0; g < 30; g++) {
        const double *batch;
        double score[30];
        int count = optimiser_ask(optimiser, &batch);
        assert_int_equal(count, g ? 28 : 30);
        for (int i = 0; i < count; i++) {
            copies += !memcmp(batch + 2 * i, best, sizeof best);
            score[i] = -log1p(-random_unit(&noise));
        }
        for (int i = 0; i < count; i++)
            if (score[i] > most) {
                most = score[i];
                memcpy(best, batch + 2 * i, sizeof best);
            }
        optimiser_tell(optimiser, score, NULL);
        OptimiserStatus status = optimiser_status(optimiser);
        assert_true(status.best_score == most);
        assert_memory_equal(status.answer, best, sizeof best);
    }
    assert_true(copies > 100); // these were scored again
    optimiser_free(optimiser);
}

// The thesis' trouble (section 5.2): pure luck raises the best score of vectors that are all equally good.
// Scored again in every generation, the best score stays at what the best of 100 draws gives; as a mean of
// all, it falls.
static double luck(const double *x, int n, Random *noise) {
    (void)x, (void)n;
    return -log1p(-random_unit(noise));
}

static void averaging_takes_the_luck_out_of_the_elite(void **state) {
    (void)state;
    double best[3];
    for (int mode = 0; mode < 3; mode++) {
        OptimiserPlan plan = plan_of(2);
        genetic_plan(&plan)->revisit = (GeneticRevisit)mode;
        genetic_plan(&plan)->mutation_rate = 1e-300; // a closed population
        Optimiser *optimiser = make_optimiser(&plan);
        Random noise = random_stream(93, 0, RANDOM_TEST);
        for (int g = 0; g < 200; g++)
            generation(optimiser, luck, &noise);
        best[mode] = optimiser_status(optimiser).best_score;
        optimiser_free(optimiser);
    }
    assert_true(best[REVISIT_AVERAGE] < 1.5);  // the true mean is 1
    assert_true(best[REVISIT_REMEMBER] > 2.5); // as lucky as the luckiest of the first generations
    assert_true(best[REVISIT_AGAIN] > 2.5);
}

// ---------------------------------------------------------------------------------------------------
// As a whole

// 10 runs each in 8 dimensions with the parameters of the thesis; the worst of 150 runs of another seed meet
// the targets. At the start, the best of 100 on the sphere is about -5000. Genes are whole numbers: the best
// values can be is met exactly. Rosenbrock's valley is too narrow for steps of whole numbers in one
// coordinate.
// Lines of a player whose mean depends on its weights: 30 games, exponential, as Amundsen scored his
// individuals.
static double worth(const double *x) {
    return 1000 / (1 + 0.01 * (pow(x[0] - 40, 2) + pow(x[1] + 20, 2)) / 100);
}

static double thirty_games(const double *x, int n, Random *noise) {
    double sum = 0;
    (void)n;
    for (int k = 0; k < 30; k++)
        sum -= log(1 - random_unit(noise));
    return worth(x) * sum / 30;
}

// Thesis, section 5.2: the elite keeps the score of its luckiest day. The best score never falls then; scored
// again, it falls often. And it says more than the player is worth, more so than with new scores.
static void an_elite_that_keeps_its_score_halts_evolution(void **state) {
    (void)state;
    enum { SEEDS = 6, GENERATIONS = 24 };
    static const GeneticRevisit rule[] = {REVISIT_ELITE, REVISIT_AGAIN};
    int falls[2] = {0}, fewest = GENERATIONS, changes[2] = {0};
    double luck[2] = {0};
    for (int i = 0; i < 2 * SEEDS; i++) {
        int kind = i % 2, own_falls = 0;
        OptimiserPlan plan = plan_of(2);
        plan.population = 40;
        plan.seed = (uint64_t)(1 + i / 2);
        genetic_plan(&plan)->revisit = rule[kind];
        Optimiser *optimiser = make_optimiser(&plan);
        Random noise = random_stream(plan.seed, 0, RANDOM_TEST);
        double last = 0, best[2] = {0};
        for (int g = 0; g < GENERATIONS; g++) {
            generation(optimiser, thirty_games, &noise);
            OptimiserStatus status = optimiser_status(optimiser);
            own_falls += status.best_score < last;
            changes[kind] += g >= GENERATIONS / 2 && memcmp(best, status.best, sizeof best);
            last = status.best_score;
            memcpy(best, status.best, sizeof best);
        }
        luck[kind] += last / worth(best) / SEEDS;
        falls[kind] += own_falls;
        if (kind == 1 && own_falls < fewest)
            fewest = own_falls;
        optimiser_free(optimiser);
    }
    print_message("falls %d and %d, changes of the best %d and %d, luck %.2f and %.2f\n", falls[0], falls[1],
                  changes[0], changes[1], luck[0], luck[1]);
    assert_int_equal(falls[0], 0);
    assert_true(fewest >= GENERATIONS / 4);
    assert_true(2 * changes[0] < changes[1]);
    assert_true(luck[0] > luck[1] && luck[1] > 1);
}

static void it_climbs(void **state) {
    (void)state;
    static const struct {
        Landscape *f;
        int generations;
        double target;
    } rows[] = {{sphere, 200, -4},
                {ellipsoid, 200, -10500},
                {rosenbrock, 100, -30000},
                {rastrigin, 200, -4},
                {noisy_sphere, 200, -8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OptimiserPlan plan = plan_of(8);
        assert_reaches(&plan, rows[i].f, rows[i].generations, 10, rows[i].target);
    }
    for (int selection = SELECT_UNIVERSAL; selection <= SELECT_SIGMA; selection++) {
        OptimiserPlan plan = plan_of(8);
        genetic_plan(&plan)->selection = (GeneticSelection)selection;
        genetic_plan(&plan)->crossover = CROSSOVER_UNIFORM;
        assert_reaches(&plan, sphere, 200, 10, -600);
    }
}

static double sometimes_nothing(const double *x, int n, Random *noise) {
    static const double strange[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308};
    uint32_t draw = random_below(noise, 10);
    return draw < 5 ? strange[draw] : sphere(x, n, noise);
}

static void strange_scores_leave_everything_finite(void **state) {
    (void)state;
    for (int variant = 0; variant < 12; variant++) {
        OptimiserPlan plan = plan_of(3);
        plan.population = 12;
        genetic_plan(&plan)->revisit = (GeneticRevisit)(variant % 4);
        genetic_plan(&plan)->selection = (GeneticSelection)(variant / 4);
        assert_goes_on(&plan, sometimes_nothing, 20);
    }
}

// The worst of the others stands for NaN, so that sampling in proportion to scores still works.
static void no_number_counts_as_the_worst(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(2);
    plan.population = 10;
    Optimiser *optimiser = make_optimiser(&plan);
    optimiser_ask(optimiser, NULL);
    static const double score[] = {5, NAN, 6, 2, 4, 9, -INFINITY, NAN, 3, 7};
    optimiser_tell(optimiser, score, NULL);
    OptimiserStatus status = optimiser_status(optimiser);
    assert_true(status.best_score == 9 && status.worst_score == 2);
    assert_true(fabs(status.mean_score - 4.2) < 1e-12);
    assert_true(status.lower_quartile == 2 && status.upper_quartile == 5.75); // 2 2 2 2 3 4 5 6 7 9
    optimiser_free(optimiser);
}

static void a_restored_one_goes_on_bit_for_bit(void **state) {
    (void)state;
    for (int variant = 0; variant < 24; variant++) {
        OptimiserPlan plan = plan_of(4);
        plan.population = 15;
        genetic_plan(&plan)->range = 4;
        genetic_plan(&plan)->revisit = (GeneticRevisit)(variant % 4);
        genetic_plan(&plan)->selection = (GeneticSelection)(variant / 4 % 3);
        genetic_plan(&plan)->crossover = (GeneticCrossover)(variant / 12);
        plan.group = (const int[]){0, 1, 1, 0};
        plan.is_switch = (const bool[]){false, false, true, false};
        assert_goes_on(&plan, noisy_sphere, 25);
    }
}

static void damaged_states_are_refused(void **state) {
    (void)state;
    for (int mode = 0; mode < 4; mode++) {
        OptimiserPlan plan = plan_of(3);
        plan.population = 10;
        genetic_plan(&plan)->revisit = (GeneticRevisit)mode;
        plan.is_switch = (const bool[]){false, true, false};
        assert_refuses_damage(&plan, noisy_sphere);
        Optimiser *optimiser = make_optimiser(&plan);
        static const double wrong[] = {0.5, 1e13, 2};
        static const size_t place[] = {0, 2, 1};
        for (int i = 0; i < 3; i++) {
            json_t *saved = optimiser_save(optimiser);
            json_t *genes = json_object_get(json_object_get(saved, "state"), "genes");
            json_array_set_new(genes, place[i], json_real(wrong[i]));
            Error error = {""};
            assert_false(optimiser_restore(optimiser, saved, &error));
            assert_non_null(strstr(error.text, "individual 1"));
            json_decref(saved);
        }
        optimiser_free(optimiser);
    }
}

static void wrong_plans_are_refused(void **state) {
    (void)state;
    enum { WRONG = 9 };
    OptimiserPlan plan[WRONG];
    for (int i = 0; i < WRONG; i++)
        plan[i] = plan_of(3);
    genetic_plan(&plan[0])->elite = 100;
    genetic_plan(&plan[1])->points = 0;
    genetic_plan(&plan[2])->crossover_rate = 1.5;
    genetic_plan(&plan[3])->tournament = 101;
    genetic_plan(&plan[4])->tournament = -1;
    genetic_plan(&plan[5])->random_rate = NAN;
    genetic_plan(&plan[6])->mutation_rate = -0.1;
    genetic_plan(&plan[7])->range = 0.5;
    genetic_plan(&plan[8])->selection = (GeneticSelection)7;
    for (int i = 0; i < WRONG; i++) {
        Error error = {""};
        assert_null(optimiser_new(&plan[i], &error));
        assert_true(strlen(error.text) > 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_thesis_but_for_known_vectors),
        cmocka_unit_test(genes_start_as_whole_numbers_and_switches_as_bits),
        cmocka_unit_test(the_elite_is_never_lost),
        cmocka_unit_test(point_crossover_keeps_groups_and_changes_sides_so_many_times),
        cmocka_unit_test(uniform_crossover_keeps_groups_and_takes_every_part_from_either),
        cmocka_unit_test(without_crossover_a_parent_is_copied),
        cmocka_unit_test(mutation_adds_whole_numbers_of_its_range_and_draws_switches_anew),
        cmocka_unit_test(the_usual_mutation_rate_is_one_gene_of_each_child),
        cmocka_unit_test(without_noise_all_modes_find_the_same),
        cmocka_unit_test(remembered_vectors_are_asked_for_once),
        cmocka_unit_test(averaged_vectors_have_the_mean_of_all_their_scores),
        cmocka_unit_test(a_long_run_forgets_but_not_its_elite),
        cmocka_unit_test(an_elite_that_keeps_its_score_is_the_best_ever_seen),
        cmocka_unit_test(averaging_takes_the_luck_out_of_the_elite),
        cmocka_unit_test(an_elite_that_keeps_its_score_halts_evolution),
        cmocka_unit_test(it_climbs),
        cmocka_unit_test(strange_scores_leave_everything_finite),
        cmocka_unit_test(no_number_counts_as_the_worst),
        cmocka_unit_test(a_restored_one_goes_on_bit_for_bit),
        cmocka_unit_test(damaged_states_are_refused),
        cmocka_unit_test(wrong_plans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
