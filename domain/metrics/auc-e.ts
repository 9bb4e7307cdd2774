/** AUC-E (PromptSE, section 2.3): the area under the elasticity curve over the three perturbation distances. */

/** D: light, moderate, substantial rewriting. */
export const distances = [0.1, 0.2, 0.3] as const;
export type Distance = (typeof distances)[number];

/** One value per distance, in their order. */
export type ByDistance<T> = readonly [T, T, T];

/** (E(0.1) + 4 E(0.2) + E(0.3)) / 9, as the paper prints and uses it. Its maximum is 2/3. Example: 0.97 three times gives 0.6467. */
export const aucE = ([light, moderate, substantial]: ByDistance<number>): number => (light + 4 * moderate + substantial) / 9;

/** The same with 1/6, Simpson's rule over [0.1, 0.3] divided by the interval's length. In [0, 1]. */
export const aucENormalized = ([light, moderate, substantial]: ByDistance<number>): number => (light + 4 * moderate + substantial) / 6;
