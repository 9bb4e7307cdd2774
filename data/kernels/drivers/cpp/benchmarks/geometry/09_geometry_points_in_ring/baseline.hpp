#pragma once
// The sequential code that answers are compared with.
int NO_INLINE correctPointsInRing(std::vector<Point> const& points, double inner, double outer) {
    int count = 0;
    for (size_t i = 0; i < points.size(); i += 1) {
        const double distance = squaredDistance(points[i]);
        if (distance >= inner * inner && distance < outer * outer) {
            count += 1;
        }
    }
    return count;
}
