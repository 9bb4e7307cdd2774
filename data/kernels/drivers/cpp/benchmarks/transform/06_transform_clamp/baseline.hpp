#pragma once
// The sequential code that answers are compared with.
void NO_INLINE correctClampAll(std::vector<int> const& values, std::vector<int> &result) {
    for (size_t i = 0; i < values.size(); i += 1) {
        result[i] = std::min(100, std::max(-100, values[i]));
    }
}
