// Driver of 06_transform_clamp: inputs, the call, and whether what comes of it is right.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "utilities.hpp"
#include "generated-code.hpp"
#include "baseline.hpp"

std::vector<int> run(bool own, std::vector<int> const& values) {
    std::vector<int> result(values.size(), 0);
    if (own) {
        clampAll(values, result);
    } else {
        correctClampAll(values, result);
    }
    return result;
}

struct Context {
    std::vector<int> values;
    std::vector<int> result;
};

void reset(Context *context) {
    makeValues(context->values, DRIVER_PROBLEM_SIZE, 1);
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
        std::vector<int> values;
        makeValues(values, size, 7 + size);
        if (run(true, values) != run(false, values)) {
            return false;
        }
    }
    return true;
}

void destroy(Context *context) {
    delete context;
}
