#pragma once
// The sequential code that answers are compared with.
size_t NO_INLINE correctFirstRepeat(std::vector<int> const& values) {
    for (size_t i = 1; i < values.size(); i += 1) {
        if (values[i] == values[i - 1]) {
            return i;
        }
    }
    return values.size();
}
