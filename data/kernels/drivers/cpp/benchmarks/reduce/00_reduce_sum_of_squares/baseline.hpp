#pragma once
// The sequential code that answers are compared with.
long long NO_INLINE correctSumOfSquares(std::vector<int> const& values) {
    long long sum = 0;
    for (size_t i = 0; i < values.size(); i += 1) {
        sum += (long long) values[i] * values[i];
    }
    return sum;
}
