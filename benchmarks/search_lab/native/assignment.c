/* Quadratic assignment by annealing, tabu search or iterated local search: 3000 looked-at swaps.
   The cost is 100 × the best cost found / the mean cost of a random assignment. */
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "targets.h"

#define SWAPS 3000
#define POLISH 600 /* of them, where they are kept for a last descent */
#define SIZE 24    /* at most */

enum {
    ALGORITHM, HOT, COLD, LINEAR, REHEATS,    /* annealing */
    TENURE, TENURE_WIDTH, ASPIRATION, SAMPLE, /* tabu search */
    KICK, ACCEPTANCE, FIRST, PATIENCE,        /* iterated local search */
    CONSTRUCT, POLISHED                       /* all three */
};

typedef int Permutation[SIZE];

static int flow[SIZE][SIZE], distance[SIZE][SIZE], n;
static double random_mean;
static int current = -1; /* the instance that these are of */

typedef struct {
    const double *x;
    Random r;
    Permutation p, best_p;
    double cost, best;
    int used, limit;
    double unit; /* of temperatures */
} Run;

static void draw_entry(Random *q, int kind, int i, int j, const int *px, const int *py, int *a,
                       int *b) {
    if (kind == 0) {
        *a = below(q, 100);
        *b = below(q, 100);
    } else if (kind == 1) {
        *a = abs(i % 5 - j % 5) + abs(i / 5 - j / 5);
        *b = uniform(q) < .6 ? 0 : below(q, 30);
    } else {
        int dx = px[i] - px[j], dy = py[i] - py[j];
        *a = (int)sqrt(dx * dx + dy * dy);
        *b = (int)pow(10, 4 * uniform(q) - 1.);
    }
}

static void make_instance(int instance) {
    Random q = random_at((uint64_t)instance * 611953ULL + 5);
    int px[SIZE], py[SIZE];
    double flows = 0, distances = 0;
    n = 12 + below(&q, 12);
    for (int i = 0; i < n; i++) {
        px[i] = below(&q, 100);
        py[i] = below(&q, 100);
    }
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            int a = 0, b = 0;
            if (i != j) draw_entry(&q, instance % 3, i, j, px, py, &a, &b);
            flow[i][j] = flow[j][i] = a;
            distance[i][j] = distance[j][i] = b;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            flows += flow[i][j];
            distances += distance[i][j];
        }
    random_mean = flows * distances / (n * (n - 1.));
    current = instance;
}

static double full_cost(const int *p) {
    double total = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) total += flow[i][j] * distance[p[i]][p[j]];
    return total;
}

static void shuffle(Random *r, int *p) {
    for (int i = n - 1; i > 0; i--) {
        int j = below(r, i + 1), kept = p[i];
        p[i] = p[j];
        p[j] = kept;
    }
}

/* The least flow goes to the greatest distances. */
static void construct(int *p) {
    int flows[SIZE] = {0}, distances[SIZE] = {0}, rank_holder[SIZE];
    char taken[SIZE] = {0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            flows[i] += flow[i][j];
            distances[i] += distance[i][j];
        }
    for (int k = 0; k < n; k++) {
        int rank = 0;
        for (int q = 0; q < n; q++)
            if (flows[q] < flows[k] || (flows[q] == flows[k] && q < k)) rank++;
        rank_holder[rank] = k;
    }
    for (int i = 0; i < n; i++) {
        int farthest = -1;
        for (int k = 0; k < n; k++)
            if (!taken[k] && (farthest < 0 || distances[k] > distances[farthest])) farthest = k;
        taken[farthest] = 1;
        p[rank_holder[i]] = farthest;
    }
}

/* What swapping places a and b would change. */
static double change(Run *run, int a, int b) {
    const int *p = run->p;
    double d = 0;
    run->used++;
    for (int k = 0; k < n; k++)
        if (k != a && k != b)
            d += (flow[a][k] - flow[b][k]) * (distance[p[b]][p[k]] - distance[p[a]][p[k]]);
    return 2 * d;
}

static void swap(Run *run, int a, int b, double d) {
    int kept = run->p[a];
    run->p[a] = run->p[b];
    run->p[b] = kept;
    run->cost += d;
}

static int note_best(Run *run) {
    if (run->cost >= run->best) return 0;
    run->best = run->cost;
    memcpy(run->best_p, run->p, sizeof(Permutation));
    return 1;
}

static int goes_on(const Run *run) { return run->used < run->limit; }

static void anneal(Run *run) {
    const double *x = run->x;
    double hot = x[HOT] * run->unit, cold = fmin(x[COLD] * run->unit, x[HOT] * run->unit);
    int phases = 1 + (int)x[REHEATS], length = run->limit / phases;
    for (int phase = 0; phase < phases; phase++) {
        double start = hot * pow(0.5, phase);
        for (int k = 0; k < length && goes_on(run); k++) {
            double done = k / (double)length;
            double temperature = x[LINEAR] > 0 ? start + (cold - start) * done
                                               : start * pow(cold / start, done);
            int a, b;
            two_places(&run->r, n, &a, &b);
            double d = change(run, a, b);
            if (d <= 0 || uniform(&run->r) < exp(-d / (temperature + 1e-9))) {
                swap(run, a, b, d);
                note_best(run);
            }
        }
    }
}

static int tabu_until[SIZE][SIZE];

/* The best swap that is allowed; whether there is one. */
static int best_allowed(Run *run, int iteration, int *best_a, int *best_b, double *best_d) {
    const double *x = run->x;
    *best_a = -1;
    *best_d = 1e300;
    for (int a = 0; a < n && goes_on(run); a++)
        for (int b = a + 1; b < n; b++) {
            if (x[SAMPLE] < 1 && uniform(&run->r) > x[SAMPLE]) continue;
            double d = change(run, a, b);
            int tabu = tabu_until[a][run->p[b]] > iteration && tabu_until[b][run->p[a]] > iteration;
            if (tabu && !(x[ASPIRATION] > 0 && run->cost + d < run->best)) continue;
            if (d < *best_d) {
                *best_d = d;
                *best_a = a;
                *best_b = b;
            }
        }
    return *best_a >= 0;
}

static int tenure(Run *run) {
    double fixed = run->x[TENURE] * n;
    return (int)(fixed + uniform(&run->r) * run->x[TENURE_WIDTH] * n);
}

static void tabu_search(Run *run) {
    int a, b;
    double d;
    memset(tabu_until, 0, sizeof tabu_until);
    for (int iteration = 1; goes_on(run); iteration++) {
        if (!best_allowed(run, iteration, &a, &b, &d)) {
            run->used++;
            continue;
        }
        tabu_until[a][run->p[a]] = iteration + tenure(run);
        tabu_until[b][run->p[b]] = iteration + tenure(run);
        swap(run, a, b, d);
        note_best(run);
    }
}

/* Swap until nothing improves: the first improvement found, or the best of each pass. */
static void descend(Run *run, int limit, int first) {
    int improved = 1;
    while (improved && run->used < limit) {
        double best_d = -1e-9;
        int best_a = -1, best_b = 0;
        improved = 0;
        for (int a = 0; a < n && run->used < limit; a++)
            for (int b = a + 1; b < n && run->used < limit; b++) {
                double d = change(run, a, b);
                if (first && d < -1e-9) {
                    swap(run, a, b, d);
                    improved = 1;
                } else if (!first && d < best_d) {
                    best_d = d;
                    best_a = a;
                    best_b = b;
                }
            }
        if (best_a >= 0) {
            swap(run, best_a, best_b, best_d);
            improved = 1;
        }
    }
}

static void kick(Run *run) {
    int places = 2 + (int)(run->x[KICK] * (n - 2));
    for (int i = 0; i < places / 2 + 1; i++) {
        int a, b;
        two_places(&run->r, n, &a, &b);
        swap(run, a, b, change(run, a, b));
    }
}

static void iterated_local_search(Run *run) {
    const double *x = run->x;
    Permutation incumbent;
    double incumbent_cost = run->cost;
    int without_gain = 0;
    memcpy(incumbent, run->p, sizeof incumbent);
    for (int iteration = 0; goes_on(run); iteration++) {
        if (iteration) kick(run);
        descend(run, run->limit, x[FIRST] > 0);
        without_gain = note_best(run) ? 0 : without_gain + 1;
        double worse = run->cost - incumbent_cost;
        if (run->cost <= incumbent_cost ||
            uniform(&run->r) < exp(-worse / (x[ACCEPTANCE] * run->unit + 1e-9))) {
            incumbent_cost = run->cost;
            memcpy(incumbent, run->p, sizeof incumbent);
        } else {
            run->cost = incumbent_cost;
            memcpy(run->p, incumbent, sizeof incumbent);
        }
        if (without_gain > x[PATIENCE]) {
            without_gain = 0;
            shuffle(&run->r, run->p);
            incumbent_cost = run->cost = full_cost(run->p);
            memcpy(incumbent, run->p, sizeof incumbent);
        }
    }
}

double assignment_cost(const double *x, int instance, double seed) {
    if (current != instance) make_instance(instance);
    Run run = {.x = x, .r = random_at((uint64_t)seed * 131ULL + (uint64_t)instance)};
    int polish = (int)x[POLISHED] ? POLISH : 0;
    for (int i = 0; i < n; i++) run.p[i] = i;
    shuffle(&run.r, run.p);
    if (x[CONSTRUCT] > 0) construct(run.p);
    run.best = run.cost = full_cost(run.p);
    memcpy(run.best_p, run.p, sizeof(Permutation));
    run.limit = SWAPS - polish;
    run.unit = random_mean / (n * 1.0);
    switch ((int)x[ALGORITHM]) {
    case 0: anneal(&run); break;
    case 1: tabu_search(&run); break;
    default: iterated_local_search(&run);
    }
    if (polish) {
        memcpy(run.p, run.best_p, sizeof(Permutation));
        run.cost = run.best;
        descend(&run, SWAPS, 1);
        note_best(&run);
    }
    return 100 * run.best / random_mean;
}
