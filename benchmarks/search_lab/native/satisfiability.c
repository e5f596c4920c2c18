/* Local search for planted 3-SAT. The cost is the number of flips; 8000 if 4000 do not suffice. */
#include <string.h>

#include "random.h"
#include "targets.h"

#define FLIPS 4000
#define VARIABLES 120    /* at most */
#define CLAUSES (6 * VARIABLES)
#define OCCURRENCES 60   /* of a literal that are known, at most */
#define LONG_AGO (-1000000)

enum {
    HEURISTIC, WALK, BREAK_POWER, MAKE_BASE, EPSILON, TABU, RESTART, MAJORITY, IN_TURN,
    RANDOM_WALK, BREAK_BASE
};
enum { GREEDY, NOVELTY, NOVELTY_PLUS, POLYNOMIAL };

/* Literal 2v + s of variable v is true if and only if value[v] is not s. */
static int variables, clauses;
static int clause[CLAUSES][3];
static int occurrence[2 * VARIABLES][OCCURRENCES], occurrences[2 * VARIABLES];
static int current = -1; /* the instance that these are of */

/* State of the local search. */
static signed char value[VARIABLES];
static int last_flip[VARIABLES];
static int true_literals[CLAUSES], unsatisfied[CLAUSES], place[CLAUSES], open_clauses;

static void draw_clause(Random *r, const char *planted, int *literals) {
    int satisfied = 0;
    while (!satisfied) {
        int v[3];
        v[0] = below(r, variables);
        do v[1] = below(r, variables); while (v[1] == v[0]);
        do v[2] = below(r, variables); while (v[2] == v[0] || v[2] == v[1]);
        for (int k = 0; k < 3; k++) {
            int sign = below(r, 2);
            literals[k] = 2 * v[k] + sign;
            if (planted[v[k]] != sign) satisfied = 1;
        }
    }
}

static void make_formula(int instance) {
    Random r = random_at((uint64_t)instance * 50021ULL + 3);
    char planted[VARIABLES];
    variables = 50 + below(&r, 60);
    double ratio = 3.6 + 0.55 * uniform(&r);
    clauses = (int)(ratio * variables);
    for (int v = 0; v < variables; v++) planted[v] = (char)below(&r, 2);
    memset(occurrences, 0, sizeof occurrences);
    for (int c = 0; c < clauses; c++) {
        draw_clause(&r, planted, clause[c]);
        for (int k = 0; k < 3; k++) {
            int l = clause[c][k];
            if (occurrences[l] < OCCURRENCES) occurrence[l][occurrences[l]++] = c;
        }
    }
    current = instance;
}

static void open_clause(int c) {
    place[c] = open_clauses;
    unsatisfied[open_clauses++] = c;
}

static void close_clause(int c) {
    int at = place[c];
    unsatisfied[at] = unsatisfied[--open_clauses];
    place[unsatisfied[at]] = at;
}

static int is_true(int l) { return value[l >> 1] != (l & 1); }

static void initial_values(Random *r, int majority) {
    for (int v = 0; v < variables; v++) {
        int positive = occurrences[2 * v], negative = occurrences[2 * v + 1];
        if (majority && positive != negative)
            value[v] = positive > negative;
        else
            value[v] = (signed char)below(r, 2);
        last_flip[v] = LONG_AGO;
    }
    if (majority)
        for (int v = 0; v < variables; v++)
            if (uniform(r) < 0.15) value[v] ^= 1;
}

static void count_clauses(void) {
    open_clauses = 0;
    for (int c = 0; c < clauses; c++) {
        true_literals[c] = is_true(clause[c][0]) + is_true(clause[c][1]) + is_true(clause[c][2]);
        if (!true_literals[c]) open_clause(c);
    }
}

/* How many clauses a flip would break and make. */
static void consequences(int l, int *breaks, int *makes) {
    *breaks = *makes = 0;
    for (int i = 0; i < occurrences[l ^ 1]; i++)
        if (true_literals[occurrence[l ^ 1][i]] == 1) ++*breaks;
    for (int i = 0; i < occurrences[l]; i++)
        if (true_literals[occurrence[l][i]] == 0) ++*makes;
}

static int greedy(Random *r, const double *x, const int *breaks) {
    int pick = 0, fewest = 999;
    for (int k = 0; k < 3; k++)
        if (breaks[k] < fewest || (breaks[k] == fewest && uniform(r) < .5)) {
            fewest = breaks[k];
            pick = k;
        }
    if (fewest > 0 && uniform(r) < x[WALK]) pick = below(r, 3);
    return pick;
}

static int age_order(const int *literals, int k) { return last_flip[literals[k] >> 1]; }

/* The best score among those that are not `except`; the least recently flipped of equals. */
static int best_score(const int *literals, const int *score, int except) {
    int best = -1;
    for (int k = 0; k < 3; k++) {
        if (k == except) continue;
        if (best < 0 || score[k] > score[best] ||
            (score[k] == score[best] && age_order(literals, k) < age_order(literals, best)))
            best = k;
    }
    return best;
}

static int novelty(Random *r, const double *x, const int *literals, const int *breaks,
                   const int *makes) {
    int score[3], youngest = 0;
    for (int k = 0; k < 3; k++) {
        score[k] = makes[k] - breaks[k];
        if (age_order(literals, k) > age_order(literals, youngest)) youngest = k;
    }
    int first = best_score(literals, score, -1), second = best_score(literals, score, first);
    if ((int)x[HEURISTIC] == NOVELTY_PLUS && uniform(r) < x[RANDOM_WALK]) return below(r, 3);
    if (first != youngest) return first;
    return uniform(r) < x[WALK] ? second : first;
}

static int by_probability(Random *r, const double *x, const int *breaks, const int *makes) {
    double weight[3], total = 0;
    for (int k = 0; k < 3; k++) {
        weight[k] = (int)x[HEURISTIC] == POLYNOMIAL
                        ? pow(x[MAKE_BASE], makes[k] * 0.3) / pow(x[EPSILON] + breaks[k], x[BREAK_POWER])
                        : pow(x[BREAK_BASE], -breaks[k]);
        total += weight[k];
    }
    double left = uniform(r) * total;
    int pick = 0;
    while (pick < 2 && left > weight[pick]) left -= weight[pick++];
    return pick;
}

static int choose(Random *r, const double *x, const int *literals, int step) {
    int breaks[3], makes[3], pick, heuristic = (int)x[HEURISTIC];
    for (int k = 0; k < 3; k++) consequences(literals[k], &breaks[k], &makes[k]);
    if (heuristic == GREEDY)
        pick = greedy(r, x, breaks);
    else if (heuristic == NOVELTY || heuristic == NOVELTY_PLUS)
        pick = novelty(r, x, literals, breaks, makes);
    else
        pick = by_probability(r, x, breaks, makes);
    if (x[TABU] > 0 && step - age_order(literals, pick) <= x[TABU]) {
        int other = below(r, 3);
        if (step - age_order(literals, other) > x[TABU]) pick = other;
    }
    return pick;
}

static void flip(int l, int step) {
    value[l >> 1] ^= 1;
    last_flip[l >> 1] = step;
    for (int i = 0; i < occurrences[l]; i++)
        if (true_literals[occurrence[l][i]]++ == 0) close_clause(occurrence[l][i]);
    for (int i = 0; i < occurrences[l ^ 1]; i++)
        if (--true_literals[occurrence[l ^ 1][i]] == 0) open_clause(occurrence[l ^ 1][i]);
}

double satisfiability_cost(const double *x, int instance, double seed) {
    if (current != instance) make_formula(instance);
    Random r = random_at((uint64_t)seed * 97ULL + (uint64_t)instance);
    int flips = 0, restart = (int)x[RESTART];
    while (flips < FLIPS) {
        initial_values(&r, x[MAJORITY] > 0);
        count_clauses();
        for (int step = 0; step < restart && flips < FLIPS; step++) {
            if (open_clauses == 0) return flips;
            flips++;
            int which = x[IN_TURN] > 0 ? step % open_clauses : below(&r, open_clauses);
            const int *literals = clause[unsatisfied[which]];
            flip(literals[choose(&r, x, literals, step)], step);
        }
    }
    return 2 * FLIPS;
}
