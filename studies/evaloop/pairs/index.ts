/** The dual pairs that a spec can name. To add one, add a file here, a line below, and its name in schemas/spec. */
import type { dualPairNames } from '../../../schemas/spec/evaloop.ts';
import type { DualPair } from './pair.ts';
import { prosePseudocode } from './prose-pseudocode.ts';
import { pseudocode } from './pseudocode.ts';
import { summary } from './summary.ts';
import { tests } from './tests.ts';

export const dualPairs: Readonly<Record<(typeof dualPairNames)[number], DualPair>> = {
  summary,
  pseudocode,
  tests,
  prose_pseudocode: prosePseudocode,
};
