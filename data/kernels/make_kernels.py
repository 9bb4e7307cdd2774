"""
Writes the small C++ benchmark of this folder: ten kernels, each as a serial task and as one for OpenMP, laid out like a ParEval checkout (docs/benchmarks.md), with
drivers of our own. Run it here after a change: python3 make_kernels.py
"""
import json
import os

# kind, name, preamble, description, OpenMP's line, signature, body, element type of the input, type of the result, problem size, how inputs are made,
# tolerance (None: equal)
KERNELS = [
    dict(kind='reduce', name='00_reduce_sum_of_squares', size='(1<<16)',
         text='Return the sum of the squares of all values.\n   Example:\n\n   input: [1, -2, 3]\n   output: 14',
         signature='long long sumOfSquares(std::vector<int> const& values) {',
         body='    long long sum = 0;\n    for (size_t i = 0; i < values.size(); i += 1) {\n        sum += (long long) values[i] * values[i];\n    }\n    return sum;',
         omp='    long long sum = 0;\n    #pragma omp parallel for reduction(+:sum)\n    for (size_t i = 0; i < values.size(); i += 1) {\n        sum += (long long) values[i] * values[i];\n    }\n    return sum;'),
    dict(kind='reduce', name='01_reduce_largest_gap', size='(1<<16)',
         text='Return the largest absolute difference between two neighbours in values.\n   A vector with fewer than two values has the gap 0.\n   Example:\n\n   input: [4, 9, 7]\n   output: 5',
         signature='int largestGap(std::vector<int> const& values) {',
         body='    int gap = 0;\n    for (size_t i = 1; i < values.size(); i += 1) {\n        gap = std::max(gap, std::abs(values[i] - values[i - 1]));\n    }\n    return gap;',
         omp='    int gap = 0;\n    #pragma omp parallel for reduction(max:gap)\n    for (size_t i = 1; i < values.size(); i += 1) {\n        gap = std::max(gap, std::abs(values[i] - values[i - 1]));\n    }\n    return gap;'),
    dict(kind='reduce', name='02_reduce_sign_changes', size='(1<<16)',
         text='Count how often the sign changes from one value to the next. Zero counts as positive.\n   Example:\n\n   input: [3, -1, -4, 0, 2]\n   output: 2',
         signature='int signChanges(std::vector<int> const& values) {',
         body='    int changes = 0;\n    for (size_t i = 1; i < values.size(); i += 1) {\n        if ((values[i] < 0) != (values[i - 1] < 0)) {\n            changes += 1;\n        }\n    }\n    return changes;',
         omp='    int changes = 0;\n    #pragma omp parallel for reduction(+:changes)\n    for (size_t i = 1; i < values.size(); i += 1) {\n        if ((values[i] < 0) != (values[i - 1] < 0)) {\n            changes += 1;\n        }\n    }\n    return changes;'),
    dict(kind='search', name='03_search_first_repeat', size='(1<<12)',
         text='Return the index of the first value that equals the value right before it.\n   Return the number of values if there is none.\n   Example:\n\n   input: [2, 5, 5, 7, 7]\n   output: 2',
         signature='size_t firstRepeat(std::vector<int> const& values) {',
         body='    for (size_t i = 1; i < values.size(); i += 1) {\n        if (values[i] == values[i - 1]) {\n            return i;\n        }\n    }\n    return values.size();',
         omp='    size_t first = values.size();\n    #pragma omp parallel for reduction(min:first)\n    for (size_t i = 1; i < values.size(); i += 1) {\n        if (values[i] == values[i - 1]) {\n            first = std::min(first, i);\n        }\n    }\n    return first;'),
    dict(kind='search', name='04_search_count_peaks', size='(1<<16)',
         text='Count the peaks: values that are greater than both of their neighbours. The first and the last value are no peaks.\n   Example:\n\n   input: [1, 3, 2, 2, 5, 4]\n   output: 2',
         signature='int countPeaks(std::vector<int> const& values) {',
         body='    int peaks = 0;\n    for (size_t i = 1; i + 1 < values.size(); i += 1) {\n        if (values[i] > values[i - 1] && values[i] > values[i + 1]) {\n            peaks += 1;\n        }\n    }\n    return peaks;',
         omp='    int peaks = 0;\n    #pragma omp parallel for reduction(+:peaks)\n    for (size_t i = 1; i < values.size() - 1; i += 1) {\n        if (values[i] > values[i - 1] && values[i] > values[i + 1]) {\n            peaks += 1;\n        }\n    }\n    return peaks;'),
    dict(kind='histogram', name='05_histogram_last_digits', size='(1<<16)', out='std::vector<int>', slots='10',
         text='Count the last decimal digits of the absolute values: counts[d] is how many values end in the digit d. counts holds ten zeros at the start.\n   Example:\n\n   input: [12, -2, 30]\n   output: [1, 0, 2, 0, 0, 0, 0, 0, 0, 0]',
         signature='void lastDigits(std::vector<int> const& values, std::vector<int> &counts) {',
         body='    for (size_t i = 0; i < values.size(); i += 1) {\n        counts[std::abs(values[i]) % 10] += 1;\n    }',
         omp='    #pragma omp parallel for\n    for (size_t i = 0; i < values.size(); i += 1) {\n        const int digit = std::abs(values[i]) % 10;\n        #pragma omp atomic\n        counts[digit] += 1;\n    }'),
    dict(kind='transform', name='06_transform_clamp', size='(1<<16)', out='std::vector<int>', slots='values.size()',
         text='Write every value, kept between -100 and 100, to the same place of result: what is smaller becomes -100, what is greater becomes 100.\n   Example:\n\n   input: [5, -300, 101]\n   output: [5, -100, 100]',
         signature='void clampAll(std::vector<int> const& values, std::vector<int> &result) {',
         body='    for (size_t i = 0; i < values.size(); i += 1) {\n        result[i] = std::min(100, std::max(-100, values[i]));\n    }',
         omp='    #pragma omp parallel for\n    for (size_t i = 0; i < values.size(); i += 1) {\n        result[i] = std::min(100, std::max(-100, values[i]));\n    }'),
    dict(kind='transform', name='07_transform_reverse_negate', size='(1<<16)', out='std::vector<int>', slots='values.size()',
         text='Write the values to result in reverse order, each with the opposite sign.\n   Example:\n\n   input: [1, -2, 3]\n   output: [-3, 2, -1]',
         signature='void reverseNegate(std::vector<int> const& values, std::vector<int> &result) {',
         body='    for (size_t i = 0; i < values.size(); i += 1) {\n        result[values.size() - 1 - i] = -values[i];\n    }',
         omp='    #pragma omp parallel for\n    for (size_t i = 0; i < values.size(); i += 1) {\n        result[values.size() - 1 - i] = -values[i];\n    }'),
    dict(kind='stencil', name='08_stencil_window_maximum', size='(1<<14)', out='std::vector<int>', slots='values.size()',
         text='Write to result[i] the greatest of values[i - 1], values[i] and values[i + 1]. At both ends the missing neighbour is left out.\n   Example:\n\n   input: [1, 4, 2, 0]\n   output: [4, 4, 4, 2]',
         signature='void windowMaximum(std::vector<int> const& values, std::vector<int> &result) {',
         body='    for (size_t i = 0; i < values.size(); i += 1) {\n        int greatest = values[i];\n        if (i > 0) {\n            greatest = std::max(greatest, values[i - 1]);\n        }\n        if (i + 1 < values.size()) {\n            greatest = std::max(greatest, values[i + 1]);\n        }\n        result[i] = greatest;\n    }',
         omp='    #pragma omp parallel for\n    for (size_t i = 0; i < values.size(); i += 1) {\n        int greatest = values[i];\n        if (i > 0) {\n            greatest = std::max(greatest, values[i - 1]);\n        }\n        if (i + 1 < values.size()) {\n            greatest = std::max(greatest, values[i + 1]);\n        }\n        result[i] = greatest;\n    }'),
    dict(kind='geometry', name='09_geometry_points_in_ring', size='(1<<15)', points=True,
         preamble='struct Point {\n    double x, y;\n};\n\ndouble squaredDistance(Point const& p) {\n    return p.x * p.x + p.y * p.y;\n}\n\n',
         text='Count the points whose distance from the origin is at least inner and less than outer.\n   Example:\n\n   input: [{0, 1}, {3, 4}, {0, 0}], inner=1, outer=5\n   output: 1',
         signature='int pointsInRing(std::vector<Point> const& points, double inner, double outer) {',
         body='    int count = 0;\n    for (size_t i = 0; i < points.size(); i += 1) {\n        const double distance = squaredDistance(points[i]);\n        if (distance >= inner * inner && distance < outer * outer) {\n            count += 1;\n        }\n    }\n    return count;',
         omp='    int count = 0;\n    #pragma omp parallel for reduction(+:count)\n    for (size_t i = 0; i < points.size(); i += 1) {\n        const double distance = squaredDistance(points[i]);\n        if (distance >= inner * inner && distance < outer * outer) {\n            count += 1;\n        }\n    }\n    return count;'),
]

OPENMP = '   Use OpenMP to compute in parallel.\n'


def name_of(kernel):
    return kernel['signature'].split('(')[0].split()[-1]


def prompt(kernel, parallelism):
    first, *rest = kernel['text'].split('\n   Example:')
    hint = OPENMP if parallelism == 'omp' else ''
    comment = '/* ' + first + '\n' + hint + '   Example:' + rest[0] + '\n*/\n'
    return ('#include <omp.h>\n\n' if parallelism == 'omp' else '') + kernel.get('preamble', '') + comment + kernel['signature']


def baseline(kernel):
    own = name_of(kernel)
    correct = 'correct' + own[0].upper() + own[1:]
    head = kernel['signature'].replace(' ' + own + '(', ' NO_INLINE ' + correct + '(')
    return f'#pragma once\n// The sequential code that answers are compared with.\n{head}\n{kernel["body"]}\n}}\n'


def driver(kernel):
    own = name_of(kernel)
    correct = 'correct' + own[0].upper() + own[1:]
    element = 'Point' if kernel.get('points') else 'int'
    make = 'makePoints' if kernel.get('points') else 'makeValues'
    more = ', 0.25, 0.75' if kernel.get('points') else ''
    out = kernel.get('out')
    result = out or kernel['signature'].split(own)[0].strip()
    if out:
        slots = kernel['slots']
        call = f'''{result} run(bool own, std::vector<{element}> const& values) {{
    {result} result({slots}, 0);
    if (own) {{
        {own}(values, result);
    }} else {{
        {correct}(values, result);
    }}
    return result;
}}'''
    else:
        call = f'''{result} run(bool own, std::vector<{element}> const& values) {{
    return own ? {own}(values{more}) : {correct}(values{more});
}}'''
    points = '''
void makePoints(std::vector<Point> &points, size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-1.0, 1.0);
    points.resize(count);
    for (Point &point : points) {
        point = Point{place(random), place(random)};
    }
}
''' if kernel.get('points') else ''
    return f'''// Driver of {kernel['name']}: inputs, the call, and whether what comes of it is right.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "utilities.hpp"
#include "generated-code.hpp"
#include "baseline.hpp"
{points}
{call}

struct Context {{
    std::vector<{element}> values;
    {result} result;
}};

void reset(Context *context) {{
    {make}(context->values, DRIVER_PROBLEM_SIZE, 1);
}}

Context *init() {{
    Context *context = new Context();
    reset(context);
    return context;
}}

void compute(Context *context) {{
    context->result = run(true, context->values);
}}

void best(Context *context) {{
    context->result = run(false, context->values);
}}

bool validate(Context *) {{
    const size_t sizes[] = {{2, 3, 17, 1024, DRIVER_PROBLEM_SIZE}};
    for (size_t size : sizes) {{
        std::vector<{element}> values;
        {make}(values, size, 7 + size);
        if (run(true, values) != run(false, values)) {{
            return false;
        }}
    }}
    return true;
}}

void destroy(Context *context) {{
    delete context;
}}
'''


UTILITIES = '''// What the drivers of this folder share.
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
'''


def main_driver(parallelism):
    threads = '''
    if (count > 1) {
        omp_set_num_threads(std::atoi(arguments[1]));
    }
''' if parallelism == 'omp' else ''
    unused = '' if parallelism == 'omp' else '    (void) count;\n    (void) arguments;\n'
    include = '#include <omp.h>\n' if parallelism == 'omp' else ''
    return f'''// Runs a task of kind {parallelism}: validates it, then times the answer and the sequential code.
#include <chrono>
#include <cstdio>
#include <cstdlib>
{include}
struct Context;
Context *init();
void compute(Context *);
void best(Context *);
bool validate(Context *);
void reset(Context *);
void destroy(Context *);

static double secondsOf(Context *context, void (*work)(Context *)) {{
    const int rounds = 5;
    double total = 0.0;
    for (int round = 0; round < rounds; round += 1) {{
        const auto begin = std::chrono::steady_clock::now();
        work(context);
        total += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        reset(context);
    }}
    return total / rounds;
}}

int main(int count, char **arguments) {{
{unused}{threads}    Context *context = init();
    const bool isValid = validate(context);
    std::printf("Validation: %s\\n", isValid ? "PASS" : "FAIL");
    if (isValid) {{
        std::printf("Time: %.12f\\n", secondsOf(context, compute));
        std::printf("BestSequential: %.12f\\n", secondsOf(context, best));
    }}
    destroy(context);
    return 0;
}}
'''


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    cpp = os.path.join(here, 'drivers', 'cpp')
    rows = []
    for kernel in KERNELS:
        folder = os.path.join(cpp, 'benchmarks', kernel['kind'], kernel['name'])
        write(os.path.join(folder, 'cpu.cc'), driver(kernel))
        write(os.path.join(folder, 'baseline.hpp'), baseline(kernel))
        for parallelism in ('serial', 'omp'):
            rows.append({'problem_type': kernel['kind'], 'language': 'cpp', 'name': kernel['name'], 'parallelism_model': parallelism,
                         'prompt': prompt(kernel, parallelism)})
    write(os.path.join(cpp, 'utilities.hpp'), UTILITIES)
    for parallelism in ('serial', 'omp'):
        write(os.path.join(cpp, 'models', parallelism + '-driver.cc'), main_driver(parallelism))
    sizes = {kernel['name']: {'serial': kernel['size'], 'omp': kernel['size']} for kernel in KERNELS}
    write(os.path.join(here, 'drivers', 'problem-sizes.json'), json.dumps(sizes, indent=2) + '\n')
    write(os.path.join(here, 'prompts', 'generation-prompts.json'), json.dumps(rows, indent=1) + '\n')
    # What answers for OpenMP look like: for tests.
    write(os.path.join(here, 'omp-solutions.json'), json.dumps({kernel['name']: kernel['omp'] for kernel in KERNELS}, indent=1) + '\n')


if __name__ == '__main__':
    main()
