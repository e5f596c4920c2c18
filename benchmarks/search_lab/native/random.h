/* SplitMix64 and the draws made from it. */
#ifndef RANDOM_H
#define RANDOM_H

#include <math.h>
#include <stdint.h>

#define GOLDEN 0x9E3779B97F4A7C15ULL

typedef struct {
    uint64_t state;
    int has_spare; /* a second normal is at hand */
    double spare;
} Random;

static inline uint64_t scramble(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static inline uint64_t hash64(uint64_t z) { return scramble(z + GOLDEN); }

/* A generator at an address: the same number always gives the same stream. */
static inline Random random_at(uint64_t address) {
    Random r = {hash64(address), 0, 0.0};
    return r;
}

static inline uint64_t next_bits(Random *r) {
    r->state += GOLDEN;
    return scramble(r->state);
}

/* Uniform on (0, 1). */
static inline double uniform(Random *r) {
    return ((double)(next_bits(r) >> 11) + 0.5) * (1.0 / 9007199254740992.0);
}

/* Uniform on 0 … n − 1. */
static inline int below(Random *r, int n) {
    return (int)(((next_bits(r) >> 32) * (uint64_t)n) >> 32);
}

/* Standard normal, by Box and Muller. */
static inline double normal(Random *r) {
    if (r->has_spare) {
        r->has_spare = 0;
        return r->spare;
    }
    double u = uniform(r), v = uniform(r);
    double radius = sqrt(-2 * log(u)), angle = 6.283185307179586 * v;
    r->spare = radius * sin(angle);
    r->has_spare = 1;
    return radius * cos(angle);
}

/* Swap two places other than each other: the second is drawn among the rest. */
static inline void two_places(Random *r, int n, int *a, int *b) {
    *a = below(r, n);
    *b = below(r, n - 1);
    if (*b >= *a) ++*b;
}

#endif
