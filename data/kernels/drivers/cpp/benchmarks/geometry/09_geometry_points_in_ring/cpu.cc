// Driver of 09_geometry_points_in_ring: inputs, the call, and whether what comes of it is right.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "utilities.hpp"
#include "generated-code.hpp"
#include "baseline.hpp"

void makePoints(std::vector<Point> &points, size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-1.0, 1.0);
    points.resize(count);
    for (Point &point : points) {
        point = Point{place(random), place(random)};
    }
}

int run(bool own, std::vector<Point> const& values) {
    return own ? pointsInRing(values, 0.25, 0.75) : correctPointsInRing(values, 0.25, 0.75);
}

struct Context {
    std::vector<Point> values;
    int result;
};

void reset(Context *context) {
    makePoints(context->values, DRIVER_PROBLEM_SIZE, 1);
}

Context *init() {
    Context *context = new Context();
    reset(context);
    return context;
}

void compute(Context *context) {
    context->result = run(true, context->values);
}

void best(Context *context) {
    context->result = run(false, context->values);
}

bool validate(Context *) {
    const size_t sizes[] = {2, 3, 17, 1024, DRIVER_PROBLEM_SIZE};
    for (size_t size : sizes) {
        std::vector<Point> values;
        makePoints(values, size, 7 + size);
        if (run(true, values) != run(false, values)) {
            return false;
        }
    }
    return true;
}

void destroy(Context *context) {
    delete context;
}
