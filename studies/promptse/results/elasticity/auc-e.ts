/** AUC-E (PromptSE, section 2.3): the area under the elasticity curve over the three perturbation distances. */
import type { ByDistance } from '../../distances.ts';

/**
 * (E(0.1) + 4 E(0.2) + E(0.3)) / 9, as the paper prints and uses it. Its maximum is 2/3. Example: E = 0.97 at all three
 * distances gives 0.6467.
 */
export const aucE = ([light, moderate, substantial]: ByDistance<number>): number =>
  (light + 4 * moderate + substantial) / 9;

/** The same divided by 6 instead of 9: Simpson's rule over [0.1, 0.3], divided by the interval's length. In [0, 1]. */
export const aucENormalized = ([light, moderate, substantial]: ByDistance<number>): number =>
  (light + 4 * moderate + substantial) / 6;
