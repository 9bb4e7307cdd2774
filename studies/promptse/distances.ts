/** Intended distance of a variant from its original: light, moderate, substantial rewriting. */
export const distances = [0.1, 0.2, 0.3] as const;
export type Distance = (typeof distances)[number];

/** One value per distance, in their order. */
export type ByDistance<T> = readonly [T, T, T];
