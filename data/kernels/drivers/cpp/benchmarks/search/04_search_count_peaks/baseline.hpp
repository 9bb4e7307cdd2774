#pragma once
// The sequential code that answers are compared with.
int NO_INLINE correctCountPeaks(std::vector<int> const& values) {
    int peaks = 0;
    for (size_t i = 1; i + 1 < values.size(); i += 1) {
        if (values[i] > values[i - 1] && values[i] > values[i + 1]) {
            peaks += 1;
        }
    }
    return peaks;
}
