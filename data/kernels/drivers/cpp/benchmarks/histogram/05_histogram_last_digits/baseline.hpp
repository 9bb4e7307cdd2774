#pragma once
// The sequential code that answers are compared with.
void NO_INLINE correctLastDigits(std::vector<int> const& values, std::vector<int> &counts) {
    for (size_t i = 0; i < values.size(); i += 1) {
        counts[std::abs(values[i]) % 10] += 1;
    }
}
