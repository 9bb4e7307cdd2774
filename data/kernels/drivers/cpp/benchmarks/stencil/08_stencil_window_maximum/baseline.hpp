#pragma once
// The sequential code that answers are compared with.
void NO_INLINE correctWindowMaximum(std::vector<int> const& values, std::vector<int> &result) {
    for (size_t i = 0; i < values.size(); i += 1) {
        int greatest = values[i];
        if (i > 0) {
            greatest = std::max(greatest, values[i - 1]);
        }
        if (i + 1 < values.size()) {
            greatest = std::max(greatest, values[i + 1]);
        }
        result[i] = greatest;
    }
}
