/* Synthetic landscapes: a sum over parameters, with interactions, instance effects and noise. */
#include <string.h>

#include "random.h"
#include "targets.h"

#define MOST 64 /* parameters */

static void draw_features(int instance, double features[3]) {
    Random r = random_at((uint64_t)instance * 7919ULL + 13);
    for (int i = 0; i < 3; i++) features[i] = normal(&r);
}

static double on_unit_scale(const Parameter *p, double value) {
    if (p->log > 0) return (log(value) - log(p->low)) / (log(p->high) - log(p->low));
    return (value - p->low) / (p->high - p->low);
}

/* What a distance from the optimum costs. */
static double loss(const Parameter *p, double e) {
    switch ((int)p->shape) {
    case 0: return e * e / (e * e + p->width * p->width); /* a basin in a plain */
    case 1: return fabs(e);
    case 2: return e > 0 ? 2 * e * e : fmin(1., 4 * e * e); /* lopsided */
    case 3: return fmax(0, fabs(e) - 0.12);                 /* a flat bottom */
    default: return e * e * 2;
    }
}

static void distances(const Landscape *land, const Parameter *all, const double *x,
                      const double *features, double *distance) {
    for (int j = 0; j < (int)land->parameters; j++) {
        const Parameter *p = all + j;
        distance[j] = 0;
        if (!(p->numeric > 0) || isnan(x[j])) continue;
        double optimum = p->optimum + p->drift[0] * features[0] + p->drift[1] * features[1];
        int linked = (int)p->linked;
        if (linked >= 0 && !isnan(x[linked])) optimum += p->shift[(int)x[linked]];
        distance[j] = on_unit_scale(p, x[j]) - optimum;
    }
}

/* The cost above the base before noise, and the instance's scale. */
static double above_base(const Landscape *land, const Parameter *all, const double *x,
                         int instance, double *scale) {
    double features[3], distance[MOST], total = 0;
    draw_features(instance, features);
    distances(land, all, x, features, distance);
    for (int j = 0; j < (int)land->parameters; j++) {
        const Parameter *p = all + j;
        if (isnan(x[j])) continue;
        if (p->numeric > 0) {
            int partner = (int)p->partner;
            double e = distance[j];
            if (partner >= 0 && !isnan(x[partner])) e += p->coupling * distance[partner];
            total += p->weight * loss(p, e);
        } else {
            int value = (int)x[j];
            total += p->effect[value] + p->feature_effect[value] * features[j % 2];
        }
    }
    if (total < 0) total = 0;
    if (land->plateau > 0) total = land->plateau * floor(total / land->plateau + 0.5);
    *scale = exp(land->scale_spread * features[2]);
    return total;
}

double synthetic_mean(const Landscape *land, const Parameter *all, const double *x, int instance) {
    double scale, total = above_base(land, all, x, instance, &scale);
    return scale * (land->base + total);
}

/* The noise's address: seed, instance and every value, so that no two configurations share it. */
static Random noise_of(const Landscape *land, const double *x, int instance, double seed) {
    uint64_t address = hash64((uint64_t)seed * 2654435761ULL + (uint64_t)instance);
    for (int j = 0; j < (int)land->parameters; j++) {
        double value = isnan(x[j]) ? -1e9 : x[j];
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        address = hash64(address ^ bits);
    }
    Random r = {address, 0, 0.0};
    return r;
}

/* One run in ten takes a Pareto multiple; the mean stays 1. */
static double heavy_tailed(Random *r, double sigma) {
    double which = uniform(r);
    double usual = exp(sigma * normal(r) - sigma * sigma / 2);
    double outlier = pow(uniform(r), -1 / 1.7);
    double mean = 0.9 + 0.1 * (1.7 / 0.7);
    return usual * (which < 0.1 ? outlier : 1) / mean;
}

double synthetic_cost(const Landscape *land, const Parameter *all, const double *x, int instance,
                      double seed) {
    double scale, total = above_base(land, all, x, instance, &scale), sigma = land->noise;
    Random r = noise_of(land, x, instance, seed);
    if (land->noise_kind == 3) return scale * (land->base + total + sigma * normal(&r));
    double factor = 1;
    if (land->noise_kind == 1) factor = exp(sigma * normal(&r) - sigma * sigma / 2);
    if (land->noise_kind == 2) factor = heavy_tailed(&r, sigma);
    return scale * (land->base + total) * factor;
}
