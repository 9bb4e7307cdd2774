#pragma once
// The sequential code that answers are compared with.
void NO_INLINE correctReverseNegate(std::vector<int> const& values, std::vector<int> &result) {
    for (size_t i = 0; i < values.size(); i += 1) {
        result[values.size() - 1 - i] = -values[i];
    }
}
