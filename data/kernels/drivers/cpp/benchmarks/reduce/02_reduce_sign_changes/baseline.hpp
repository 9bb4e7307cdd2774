#pragma once
// The sequential code that answers are compared with.
int NO_INLINE correctSignChanges(std::vector<int> const& values) {
    int changes = 0;
    for (size_t i = 1; i < values.size(); i += 1) {
        if ((values[i] < 0) != (values[i - 1] < 0)) {
            changes += 1;
        }
    }
    return changes;
}
