// What the drivers of this folder share.
#pragma once
#include <cstddef>
#include <random>
#include <vector>

#if defined(USE_OMP)
#include <omp.h>
#elif !defined(USE_SERIAL)
#error "name a kind of parallelism: USE_SERIAL or USE_OMP"
#endif

#if !defined(DRIVER_PROBLEM_SIZE)
#error "DRIVER_PROBLEM_SIZE is not set"
#endif

#define NO_INLINE __attribute__((noinline))

inline void makeValues(std::vector<int> &values, size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> value(-1000, 1000);
    values.resize(count);
    for (int &one : values) {
        one = value(random);
    }
}
