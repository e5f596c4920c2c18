/* The four kinds of targets. A configuration is an array of doubles; NaN marks what is inactive. */
#ifndef TARGETS_H
#define TARGETS_H

/* Every member is a double, so that NumPy reads and writes the same layout. */
typedef struct {
    double kind;       /* 0 synthetic, 1 optimisers, 2 satisfiability, 3 assignment */
    double parameters; /* how many */
    double base;       /* added to every cost */
    double noise_kind; /* 1 log-normal, 2 with heavy tails, 3 Gaussian */
    double noise;
    double scale_spread; /* of the instances' scales, on the log scale */
    double plateau;      /* costs are rounded to its multiples; 0 for none */
} Landscape;

typedef struct {
    double numeric;
    double low, high, log;
    double weight;     /* of its share in the cost */
    double optimum;    /* on the unit scale */
    double drift[2];   /* of the optimum, with the instance's features */
    double shape, width;
    double linked;     /* the categorical that shifts the optimum; −1 for none */
    double shift[8];
    double effect[8];  /* of a categorical's values */
    double feature_effect[8];
    double partner;    /* the numeric parameter it interacts with; −1 for none */
    double coupling;
} Parameter;

double synthetic_cost(const Landscape *, const Parameter *, const double *x, int instance,
                      double seed);
double synthetic_mean(const Landscape *, const Parameter *, const double *x, int instance);
double optimiser_cost(const double *x, int instance, double seed);
double satisfiability_cost(const double *x, int instance, double seed);
double assignment_cost(const double *x, int instance, double seed);

#endif
