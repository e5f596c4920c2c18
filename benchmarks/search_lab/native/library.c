/* What Python calls: costs of many configurations, and the mean over the test instances. */
#include "targets.h"

#define FIRST_TEST_INSTANCE 100000

static double cost(const Landscape *land, const Parameter *parameters, const double *x, int instance,
                   double seed) {
    switch ((int)land->kind) {
    case 0: return synthetic_cost(land, parameters, x, instance, seed);
    case 1: return optimiser_cost(x, instance, seed);
    case 2: return satisfiability_cost(x, instance, seed);
    default: return assignment_cost(x, instance, seed);
    }
}

/* Costs of `n` rows of `configurations`, each on an instance of its own with a seed of its own. */
void costs(const Landscape *land, const Parameter *parameters, const double *configurations,
           const int *instances, const double *seeds, double *out, int n) {
    for (int i = 0; i < n; i++)
        out[i] = cost(land, parameters, configurations + i * (int)land->parameters, instances[i],
                      seeds[i]);
}

/* Mean cost on the first `n` test instances; without noise where the truth is known. */
double test_mean(const Landscape *land, const Parameter *parameters, const double *x, int n) {
    double total = 0;
    for (int i = 0; i < n; i++) {
        int instance = FIRST_TEST_INSTANCE + i;
        total += land->kind == 0 ? synthetic_mean(land, parameters, x, instance)
                                 : cost(land, parameters, x, instance, i * 17 + 5);
    }
    return total / n;
}
