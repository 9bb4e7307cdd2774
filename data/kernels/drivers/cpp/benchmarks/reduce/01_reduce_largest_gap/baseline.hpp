#pragma once
// The sequential code that answers are compared with.
int NO_INLINE correctLargestGap(std::vector<int> const& values) {
    int gap = 0;
    for (size_t i = 1; i < values.size(); i += 1) {
        gap = std::max(gap, std::abs(values[i] - values[i - 1]));
    }
    return gap;
}
