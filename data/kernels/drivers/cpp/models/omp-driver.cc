// Runs a task of kind omp: validates it, then times the answer and the sequential code.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <omp.h>

struct Context;
Context *init();
void compute(Context *);
void best(Context *);
bool validate(Context *);
void reset(Context *);
void destroy(Context *);

static double secondsOf(Context *context, void (*work)(Context *)) {
    const int rounds = 5;
    double total = 0.0;
    for (int round = 0; round < rounds; round += 1) {
        const auto begin = std::chrono::steady_clock::now();
        work(context);
        total += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        reset(context);
    }
    return total / rounds;
}

int main(int count, char **arguments) {

    if (count > 1) {
        omp_set_num_threads(std::atoi(arguments[1]));
    }
    Context *context = init();
    const bool isValid = validate(context);
    std::printf("Validation: %s\n", isValid ? "PASS" : "FAIL");
    if (isValid) {
        std::printf("Time: %.12f\n", secondsOf(context, compute));
        std::printf("BestSequential: %.12f\n", secondsOf(context, best));
    }
    destroy(context);
    return 0;
}
