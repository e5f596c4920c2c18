/* Differential evolution, particle swarm, evolution strategy: 500 evaluations of a rotated function.
   The cost is log10 of the best value found. */
#include <string.h>

#include "random.h"
#include "targets.h"

#define EVALUATIONS 500
#define DIMENSIONS 10 /* at most */
#define MEMBERS 128   /* at most */

typedef double Point[DIMENSIONS];

/* Places of the parameters in a configuration. */
enum {
    ALGORITHM, STRATEGY, POPULATION, F_LOW, DITHER, CROSSOVER, JITTER, /* differential evolution */
    SWARM, INERTIA, INERTIA_DECAY, OWN_PULL, OTHERS_PULL, TOPOLOGY,    /* particle swarm */
    STEP, GROWTH, SHRINKAGE, PATIENCE, CORRELATE,                      /* evolution strategy */
    SPREAD, BOUNDARY                                                   /* all three */
};

typedef struct {
    int function, n;
    Point rotation[DIMENSIONS], optimum;
} Problem;

typedef struct {
    Problem problem;
    const double *x; /* the configuration */
    Random r;
    int used;
    double best;
} Run;

static void make_problem(int instance, Problem *p) {
    Random r = random_at((uint64_t)instance * 104729ULL + 77);
    p->function = instance % 8;
    int n = p->n = 3 + below(&r, 6);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) p->rotation[i][j] = normal(&r);
        p->optimum[i] = -4 + 8 * uniform(&r);
    }
    for (int i = 0; i < n; i++) { /* Gram and Schmidt */
        double *row = p->rotation[i], square = 0;
        for (int k = 0; k < i; k++) {
            double dot = 0;
            for (int j = 0; j < n; j++) dot += row[j] * p->rotation[k][j];
            for (int j = 0; j < n; j++) row[j] -= dot * p->rotation[k][j];
        }
        for (int j = 0; j < n; j++) square += row[j] * row[j];
        double length = sqrt(square);
        for (int j = 0; j < n; j++) row[j] /= length;
    }
}

static double rosenbrock(const double *z, int n) {
    double s = 0;
    for (int i = 0; i < n - 1; i++) {
        double a = z[i] + 1, b = z[i + 1] + 1;
        s += 100 * (b - a * a) * (b - a * a) + (1 - a) * (1 - a);
    }
    return s;
}

static double value_at(const Problem *p, const double *x) {
    int n = p->n;
    double z[DIMENSIONS], s = 0, t = 0;
    for (int i = 0; i < n; i++) {
        double a = 0;
        for (int j = 0; j < n; j++) a += p->rotation[i][j] * (x[j] - p->optimum[j]);
        z[i] = a;
    }
    switch (p->function) {
    case 0: /* ellipsoid */
        for (int i = 0; i < n; i++) s += pow(10, 4. * i / (n - 1)) * z[i] * z[i];
        return s;
    case 1: /* Rastrigin */
        for (int i = 0; i < n; i++) s += z[i] * z[i] - 10 * cos(6.2831853 * z[i]) + 10;
        return s;
    case 2: return rosenbrock(z, n);
    case 3: /* Ackley */
        for (int i = 0; i < n; i++) {
            s += z[i] * z[i];
            t += cos(6.2831853 * z[i]);
        }
        return -20 * exp(-.2 * sqrt(s / n)) - exp(t / n) + 20 + 2.718281828459045;
    case 4: /* Griewank */
        t = 1;
        for (int i = 0; i < n; i++) {
            s += 400 * z[i] * z[i];
            t *= cos(20 * z[i] / sqrt(i + 1.));
        }
        return 1 + s / 4000 - t;
    case 5: /* sharp ridge */
        for (int i = 1; i < n; i++) s += z[i] * z[i];
        return z[0] * z[0] + 100 * sqrt(s);
    case 6: /* different powers */
        for (int i = 0; i < n; i++) s += pow(fabs(z[i]), 2 + 4. * i / (n - 1));
        return sqrt(s);
    default: /* sphere */
        for (int i = 0; i < n; i++) s += z[i] * z[i];
        return s;
    }
}

static double evaluate(Run *run, const double *point) {
    double value = value_at(&run->problem, point);
    run->used++;
    if (value < run->best) run->best = value;
    return value;
}

static double anywhere(Run *run) { return -5 + 10 * uniform(&run->r); }

static void start_at(Run *run, double *point) {
    for (int j = 0; j < run->problem.n; j++) point[j] = anywhere(run) * run->x[SPREAD];
}

/* Bring a coordinate back: clip, reflect or draw it anew. */
static double inside(Run *run, double v) {
    if (v >= -5 && v <= 5) return v;
    int how = (int)run->x[BOUNDARY];
    if (how == 0) return v < -5 ? -5 : 5;
    if (how == 1) {
        v = v < -5 ? -10 - v : 10 - v;
        if (v >= -5 && v <= 5) return v;
    }
    return anywhere(run);
}

static int clamp(int n, int low, int high) { return n < low ? low : n > high ? high : n; }

static Point position[MEMBERS], velocity[MEMBERS], own_best[MEMBERS];
static double fitness[MEMBERS], own_fitness[MEMBERS];

static double mutated(Run *run, const int *who, int j, double f) {
    const Point *p = position;
    int i = who[0], a = who[1], b = who[2], c = who[3], best = who[4];
    double difference = f * (p[b][j] - p[c][j]);
    switch ((int)run->x[STRATEGY]) {
    case 0: return p[a][j] + difference;
    case 1: return p[best][j] + difference;
    case 2: return p[i][j] + f * (p[best][j] - p[i][j]) + difference;
    case 3: return p[i][j] + uniform(&run->r) * (p[a][j] - p[i][j]) + difference;
    default: return p[a][j] + 0.5 * (f + 1) * (p[b][j] + p[c][j] - 2 * p[a][j]);
    }
}

static void trial_point(Run *run, int members, int i, int best, double *trial) {
    Random *r = &run->r;
    const double *x = run->x;
    int n = run->problem.n, who[5] = {i, 0, 0, 0, best};
    do who[1] = below(r, members); while (who[1] == i);
    do who[2] = below(r, members); while (who[2] == i || who[2] == who[1]);
    do who[3] = below(r, members); while (who[3] == i || who[3] == who[1] || who[3] == who[2]);
    double scale = x[F_LOW] + x[DITHER] * uniform(r);
    int forced = below(r, n);
    for (int j = 0; j < n; j++) {
        trial[j] = position[i][j];
        if (uniform(r) < x[CROSSOVER] || j == forced) {
            double f = scale * (1 + x[JITTER] * normal(r));
            trial[j] = inside(run, mutated(run, who, j, f));
        }
    }
}

static void differential_evolution(Run *run) {
    int members = clamp((int)run->x[POPULATION], 5, 120), best = 0;
    Point trial;
    for (int i = 0; i < members; i++) {
        start_at(run, position[i]);
        fitness[i] = evaluate(run, position[i]);
        if (fitness[i] < fitness[best]) best = i;
    }
    while (run->used < EVALUATIONS)
        for (int i = 0; i < members && run->used < EVALUATIONS; i++) {
            trial_point(run, members, i, best, trial);
            double value = evaluate(run, trial);
            if (value > fitness[i]) continue;
            fitness[i] = value;
            memcpy(position[i], trial, sizeof(double) * run->problem.n);
            if (value < fitness[best]) best = i;
        }
}

/* Whom a particle follows: the best of all, of its ring, or of three others. */
static int guide(Run *run, int members, int i, int best) {
    int topology = (int)run->x[TOPOLOGY], chosen = topology == 0 ? best : i;
    if (topology == 1) {
        int next = (i + 1) % members, previous = (i + members - 1) % members;
        if (own_fitness[next] < own_fitness[chosen]) chosen = next;
        if (own_fitness[previous] < own_fitness[chosen]) chosen = previous;
    } else if (topology == 2) {
        for (int k = 0; k < 3; k++) {
            int other = below(&run->r, members);
            if (own_fitness[other] < own_fitness[chosen]) chosen = other;
        }
    }
    return chosen;
}

static void fly(Run *run, int i, int leader, double inertia) {
    const double *x = run->x;
    for (int j = 0; j < run->problem.n; j++) {
        double *v = &velocity[i][j], at = position[i][j];
        double own = x[OWN_PULL] * uniform(&run->r) * (own_best[i][j] - at);
        double others = x[OTHERS_PULL] * uniform(&run->r) * (own_best[leader][j] - at);
        *v = inertia * *v + own + others;
        if (*v > 5) *v = 5;
        if (*v < -5) *v = -5;
        double flown = at + *v, kept = inside(run, flown);
        if (kept != flown) *v *= -0.5;
        position[i][j] = kept;
    }
}

static void particle_swarm(Run *run) {
    const double *x = run->x;
    int members = clamp((int)x[SWARM], 3, 100);
    for (int i = 0; i < members; i++) {
        start_at(run, position[i]);
        memset(velocity[i], 0, sizeof(Point));
        memcpy(own_best[i], position[i], sizeof(Point));
        own_fitness[i] = evaluate(run, position[i]);
    }
    while (run->used < EVALUATIONS) {
        double inertia = x[INERTIA] - x[INERTIA_DECAY] * x[INERTIA] * run->used / EVALUATIONS;
        int best = 0;
        for (int i = 1; i < members; i++)
            if (own_fitness[i] < own_fitness[best]) best = i;
        for (int i = 0; i < members && run->used < EVALUATIONS; i++) {
            fly(run, i, guide(run, members, i, best), inertia);
            double value = evaluate(run, position[i]);
            if (value < own_fitness[i]) {
                own_fitness[i] = value;
                memcpy(own_best[i], position[i], sizeof(Point));
            }
        }
    }
}

static void evolution_strategy(Run *run) {
    const double *x = run->x;
    int n = run->problem.n, failures = 0;
    double step = x[STEP];
    Point parent, child, path = {0};
    start_at(run, parent);
    double value = evaluate(run, parent);
    while (run->used < EVALUATIONS) {
        for (int j = 0; j < n; j++) {
            double move = step * normal(&run->r);
            if (x[CORRELATE] > 0) move += path[j] * uniform(&run->r);
            child[j] = inside(run, parent[j] + move);
        }
        double found = evaluate(run, child);
        if (found < value) {
            value = found;
            for (int j = 0; j < n; j++) path[j] = 0.5 * path[j] + 0.5 * (child[j] - parent[j]);
            memcpy(parent, child, sizeof(double) * n);
            step *= 1 + x[GROWTH];
            failures = 0;
            if (step > 5) step = 5;
        } else {
            step *= 1 - x[SHRINKAGE];
            if (++failures <= x[PATIENCE]) continue;
            failures = 0;
            step = x[STEP];
            start_at(run, parent);
            memset(path, 0, sizeof path);
            if (run->used < EVALUATIONS) value = evaluate(run, parent);
        }
    }
}

double optimiser_cost(const double *x, int instance, double seed) {
    static Run run;
    make_problem(instance, &run.problem);
    run.x = x;
    run.r = random_at((uint64_t)seed * 31ULL + (uint64_t)instance);
    run.used = 0;
    run.best = 1e300;
    switch ((int)x[ALGORITHM]) {
    case 0: differential_evolution(&run); break;
    case 1: particle_swarm(&run); break;
    default: evolution_strategy(&run);
    }
    return log10(1e-8 + fmax(0, run.best));
}
