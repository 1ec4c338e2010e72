// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson is made by tasks on all threads: each plays one game for a while and writes down some decisions.
// Then one thread goes through them in their order.
#include "learn/imitation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/portable.h"
#include "base/random.h"
#include "feature/feature_list.h"
#include "learn/decision.h"
#include "player/ranking.h"

enum {
    TASKS = 64,    // of a lesson
    PER_TASK = 32, // decisions of a task
    WARM_UP = 60,  // pieces before the first of them
    EVERY = 4,     // then one in so many, but every one of high piles
    BATCH = 64,    // decisions that make one step
    LONGEST = 80,  // pieces of a stretch
    SHORTEST = 20,
    SPACE_LEFT = 6,  // rows below the top in which pieces come by the rules' own law again
    MOST_REGRET = 10 // a decision counts no more, in usual distances
};
_Static_assert(TASKS *PER_TASK == 2048, "the help of --decisions");
static const double LAST_PART = 0.9; // of the decisions, after which the last score is taken

static const Field imitation_field[] = {
    {"decisions", FIELD_WHOLE, FIELD_AT(ImitationSettings, decisions), .preset = 200000, .least = 1000,
     .most = 1e12, .argument = "N",
     .help = "How many moves of the teacher are learned from, in lessons of 2048; the last one is whole."},
    {"rate", FIELD_REAL, FIELD_AT(ImitationSettings, rate), .preset = 0.01, .least = 1e-6, .most = 1,
     .argument = "X", .help = "How fast is learned in the beginning; it falls to 0."},
    {"temperature", FIELD_REAL, FIELD_AT(ImitationSettings, temperature), .preset = 0.5, .least = 1e-3,
     .most = 100, .argument = "X",
     .help = "How much worse a move may be in the teacher's eyes and still be almost right, as a multiple of "
             "the usual distance (the median) between its best and second best move."},
    {"trouble", FIELD_REAL, FIELD_AT(ImitationSettings, trouble), .preset = 0.5, .least = 0, .most = 1,
     .argument = "P",
     .help = "Share of the time in which pieces follow a law drawn at random, so that piles become high."},
};
const Fields imitation_fields = FIELDS(imitation_field);

// ---------------------------------------------------------------------------------------------------
// Decisions

typedef struct Lesson {
    const Imitation *imitation;
    const FeatureList *list;
    const Player *student; // NULL: not yet
    uint64_t number;
    int size;
    Decision decision[TASKS * PER_TASK];
    bool failed; // no memory
} Lesson;

// Can it be learned from? Not where every move loses, or the one that is made ends the game.
static bool is_lesson(const Ranking *ranking) {
    return ranking->chosen && ranking->count > 1 && !ranking->move[0].ends &&
           isfinite(ranking->move[0].value);
}

// How much worse a move is in the teacher's eyes. One that plans may prefer a move that it knows better to
// one with a higher value: they count as equal.
static float value_beside(const RankedMove *ranked, const RankedMove *best) {
    return isnan(ranked->value) ? -INFINITY : (float)fmin(0, ranked->value - best->value);
}

static bool write_down(Lesson *lesson, Decision *decision, const Ranking *ranking, const float *values) {
    int width = player_rules(lesson->imitation->teacher)->width, size = lesson->size, used = 0;
    const float *best = NULL;
    *decision = (Decision){.difference = malloc(sizeof(Difference) * (size_t)ranking->count * (size_t)size)};
    if (!decision->difference)
        return false;
    for (int k = 0; k < ranking->count; k++) {
        const RankedMove *ranked = &ranking->move[k];
        if (ranked->ends)
            continue;
        Placement placement = ranked->move.placement;
        const float *row =
            values +
            (size_t)(placement_orientation(placement) * width + placement_column(placement)) * (size_t)size;
        best = best ? best : row;
        Option *option = &decision->option[decision->options++];
        *option = (Option){value_beside(ranked, &ranking->move[0]), used, 0};
        for (int i = 0; i < size; i++)
            if (row[i] != best[i])
                decision->difference[used++] = (Difference){(uint16_t)i, row[i] - best[i]};
        option->count = used - option->first;
    }
    Difference *shorter = realloc(decision->difference, sizeof(Difference) * (size_t)(used ? used : 1));
    decision->difference = shorter ? shorter : decision->difference;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Games

// Where the pieces of a game come from: stretches of the rules' law and of hard times.
typedef struct Pieces {
    Random random;
    double chance[PIECES];
    int left; // of the stretch
} Pieces;

static void begin_stretch(Pieces *pieces, const double *law, double trouble) {
    bool hard = random_unit(&pieces->random) < trouble;
    double sum = 0;
    for (int p = 0; p < PIECES; p++) {
        double drawn = portable_log(1 - random_unit(&pieces->random));
        pieces->chance[p] = hard ? law[p] * drawn * drawn : law[p];
        sum += pieces->chance[p];
    }
    for (int p = 0; p < PIECES; p++)
        pieces->chance[p] /= sum;
    pieces->left = SHORTEST + (int)random_below(&pieces->random, LONGEST - SHORTEST + 1);
}

static int draw(Random *random, const double *chance) {
    double drawn = random_unit(random);
    int last = 0;
    for (int p = 0; p < PIECES; p++) {
        if (chance[p] > 0)
            last = p;
        drawn -= chance[p];
        if (drawn < 0 && chance[p] > 0)
            return p;
    }
    return last;
}

static int next_piece(Pieces *pieces, const Rules *rules, int height, double trouble) {
    const double *law = rules->pieces.weight;
    if (pieces->left-- <= 0)
        begin_stretch(pieces, law, trouble);
    return draw(&pieces->random, height > rules->height - SPACE_LEFT ? law : pieces->chance);
}

// Plays on, and writes down PER_TASK decisions.
static void play(void *context, uint64_t task, int thread) {
    (void)thread;
    Lesson *lesson = context;
    const Imitation *imitation = lesson->imitation;
    const Player *teacher = imitation->teacher;
    const Rules *rules = player_rules(teacher);
    uint64_t index = lesson->number * TASKS + task;
    Pieces pieces = {.random = random_stream(imitation->seed, index, RANDOM_IMITATION)};
    const Player *playing = lesson->student && task % 2 ? lesson->student : teacher;
    float *values = malloc(sizeof(float) * 4 * (size_t)rules->width * (size_t)lesson->size);
    int made = 0;
    Game game;
    game_start(&game, rules, imitation->seed, index);
    for (int piece = 0; values && made < PER_TASK && !work_is_stopped(&imitation->work); piece++) {
        int height = board_pile_height(&game.board, rules->width);
        bool learned =
            piece >= WARM_UP && (height > rules->height / 2 || random_below(&pieces.random, EVERY) == 0);
        game.piece = next_piece(&pieces, rules, height, imitation->settings.trouble);
        game.next = draw(&pieces.random, rules->pieces.weight);
        Placement placement;
        if (learned) {
            Ranking ranking;
            placement = player_rank(teacher, &game, &ranking);
            if (is_lesson(&ranking)) {
                feature_list_of_moves(lesson->list, &game.board, game.piece, values);
                if (!write_down(lesson, &lesson->decision[task * PER_TASK + (uint64_t)made], &ranking,
                                values))
                    break;
                made++;
            }
            if (playing != teacher)
                placement = player_choose(playing, &game);
        } else
            placement = player_choose(playing, &game);
        if (placement != PLACEMENT_NONE)
            game_move(&game, rules, placement, NULL);
        if (placement == PLACEMENT_NONE || game.state != GAME_RUNNING)
            game_restart(&game);
        player_forget(teacher, &game); // the next piece is another than the game's own
    }
    if (made < PER_TASK)
        __atomic_store_n(&lesson->failed, true, __ATOMIC_RELAXED);
    free(values);
}

// ---------------------------------------------------------------------------------------------------
// Learning from them

typedef struct Student {
    int size;
    double *weight;                   // borrowed; in steps of the temperature
    double *gradient, *mean, *square; // owned; of Adam
    uint64_t steps;
    double temperature; // of the teacher's values; 0: not known yet
    double distance;    // usual one between its best and second best move
} Student;

// Its part of the gradient, and of the score.
static void study(Student *student, const Decision *decision, ImitationScore *score) {
    int chosen = decision_study(decision, student->weight, student->temperature, student->gradient);
    double lost = -(double)decision->option[chosen].value / student->distance;
    score->decisions++;
    score->agreement += decision->option[chosen].value == 0; // or one that is as good
    score->regret += lost < MOST_REGRET ? lost : MOST_REGRET;
}

// Adam, with its usual constants.
static void step(Student *student, int decisions, double rate) {
    static const double KEEP_MEAN = 0.9, KEEP_SQUARE = 0.999, TINY = 1e-8;
    student->steps++;
    double mean_so_far = 1 - portable_power(KEEP_MEAN, (double)student->steps);
    double square_so_far = 1 - portable_power(KEEP_SQUARE, (double)student->steps);
    for (int i = 0; i < student->size; i++) {
        double gradient = student->gradient[i] / decisions;
        student->mean[i] = KEEP_MEAN * student->mean[i] + (1 - KEEP_MEAN) * gradient;
        student->square[i] = KEEP_SQUARE * student->square[i] + (1 - KEEP_SQUARE) * gradient * gradient;
        student->weight[i] +=
            rate * (student->mean[i] / mean_so_far) / (sqrt(student->square[i] / square_so_far) + TINY);
        student->gradient[i] = 0;
    }
}

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// The usual distance between the best and the second best move; 0: there is none.
static double usual_distance(const Lesson *lesson) {
    static const int MOST = TASKS * PER_TASK;
    float distance[TASKS * PER_TASK];
    int count = 0;
    for (int k = 0; k < MOST; k++)
        if (lesson->decision[k].options > 1 && isfinite(lesson->decision[k].option[1].value))
            distance[count++] = -lesson->decision[k].option[1].value;
    qsort(distance, (size_t)count, sizeof *distance, compare_floats);
    return count ? (double)distance[count / 2] : 0;
}

static bool set_temperature(Student *student, const Lesson *lesson, Error *error) {
    const Imitation *imitation = lesson->imitation;
    student->distance = usual_distance(lesson);
    if (!(student->distance > 0))
        return error_set(error,
                         "The teacher %s mostly finds its two best moves equal: there is nothing to "
                         "learn from it.",
                         player_strategy(imitation->teacher)->name);
    student->temperature = imitation->settings.temperature * student->distance;
    for (int i = 0; i < student->size; i++)
        student->weight[i] /= student->temperature;
    return true;
}

static ImitationScore take_lesson(Student *student, const Lesson *lesson, uint64_t *decisions) {
    const ImitationSettings *settings = &lesson->imitation->settings;
    ImitationScore score = {0};
    for (int k = 0; k < TASKS * PER_TASK; k++) {
        study(student, &lesson->decision[k], &score);
        ++*decisions;
        if (*decisions % BATCH == 0) {
            double left = 1 - (double)*decisions / (double)settings->decisions;
            step(student, BATCH, settings->rate * (left > 0 ? left : 0));
        }
    }
    score.agreement /= (double)score.decisions;
    score.regret /= (double)score.decisions;
    return score;
}

// ---------------------------------------------------------------------------------------------------
// All lessons

static void forget_lesson(Lesson *lesson) {
    for (int k = 0; k < TASKS * PER_TASK; k++)
        free(lesson->decision[k].difference);
    memset(lesson->decision, 0, sizeof lesson->decision);
}

// The student as a player, to play in the next lesson.
static bool renew_player(Player **player, const Imitation *imitation, Error *error) {
    Strategy strategy;
    encoding_strategy(imitation->encoding, imitation->weights, "student", &strategy);
    player_free(*player);
    *player = player_new(&strategy, player_rules(imitation->teacher), imitation->kernel, error);
    return *player != NULL;
}

// Adds a lesson's score to that of the lessons before, each counting its decisions.
static void add_score(ImitationScore *sum, const ImitationScore *score) {
    double all = (double)(sum->decisions + score->decisions), share = (double)score->decisions / all;
    sum->decisions += score->decisions;
    sum->agreement += (score->agreement - sum->agreement) * share;
    sum->regret += (score->regret - sum->regret) * share;
}

// <- false: stopped, or an error
static bool one_lesson(Imitation *imitation, Lesson *lesson, Student *student, Player **player,
                       Error *error) {
    if (!pool_run(imitation->work.jobs, TASKS, play, lesson, imitation->work.stop, error))
        return false;
    if (work_is_stopped(&imitation->work))
        return false;
    if (lesson->failed)
        return error_set(error, "Out of memory for the decisions of a lesson.");
    if (student->temperature == 0 && !set_temperature(student, lesson, error))
        return false;
    ImitationScore score = take_lesson(student, lesson, &imitation->decisions);
    if (lesson->number++ == 0)
        imitation->first = score;
    if ((double)imitation->decisions > LAST_PART * (double)imitation->settings.decisions)
        add_score(&imitation->last, &score);
    Advance advance = {.unit = "decisions",
                       .done = imitation->decisions,
                       .wanted = imitation->settings.decisions,
                       .value = score.agreement,
                       .precision = NAN};
    work_tell(&imitation->work, &advance);
    if (!renew_player(player, imitation, error))
        return false;
    lesson->student = *player;
    return true;
}

bool imitation_check(const Imitation *imitation, Error *error) {
    const Player *teacher = imitation->teacher;
    const Encoding *encoding = imitation->encoding;
    const char *unvalued = strategy_nature(player_strategy(teacher)).unvalued;
    if (player_rules(teacher)->pieces.law != PIECES_INDEPENDENT)
        return error_set(error, "Imitation needs independent pieces: --pieces uniform, hard, sz or weights.");
    if (unvalued)
        return error_set(error, "The teacher %.60s %s", player_strategy(teacher)->name, unvalued);
    if (encoding->rating != RATING_LINEAR || encoding->choose || encoding->player != PLAYER_GREEDY)
        return error_set(error, "What imitates is a greedy player with a linear rating.");
    return true;
}

static bool prepare(Imitation *imitation, Student *student, Error *error) {
    size_t size = (size_t)encoding_size(imitation->encoding);
    imitation->weights = calloc(size, sizeof *imitation->weights);
    student->gradient = calloc(3 * size, sizeof *student->gradient);
    if (!imitation->weights || !student->gradient)
        return error_set(error, "Out of memory for %zu weights.", size);
    if (imitation->start)
        memcpy(imitation->weights, imitation->start, size * sizeof *imitation->weights);
    student->size = (int)size;
    student->weight = imitation->weights;
    student->mean = student->gradient + size;
    student->square = student->mean + size;
    return true;
}

bool imitation_run(Imitation *imitation, Error *error) {
    const Encoding *encoding = imitation->encoding;
    Student student = {0};
    Player *player = NULL;
    Lesson *lesson = calloc(1, sizeof *lesson);
    FeatureList *list =
        feature_list_new(encoding->feature, encoding->features, player_rules(imitation->teacher), error);
    bool fine = list && (lesson || error_set(error, "Out of memory for a lesson.")) &&
                prepare(imitation, &student, error);
    if (fine) {
        lesson->imitation = imitation;
        lesson->list = list;
        lesson->size = student.size;
    }
    while (fine && imitation->decisions < imitation->settings.decisions &&
           !work_is_stopped(&imitation->work)) {
        fine = one_lesson(imitation, lesson, &student, &player, error) || work_is_stopped(&imitation->work);
        forget_lesson(lesson);
    }
    player_free(player);
    feature_list_free(list);
    free(student.gradient);
    free(lesson);
    return fine;
}

void imitation_free(Imitation *imitation) {
    free(imitation->weights);
    imitation->weights = NULL;
}
