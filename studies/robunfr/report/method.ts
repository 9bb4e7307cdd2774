/** Explains RobuNFR's results. */
import { paragraph, section } from '../../../analysis/report/part.ts';

const asked =
  'RobuNFR asks for the same function without a requirement (Function-Only, “plain code”) and with a requirement ' +
  'in many phrasings: in one prompt (NFR-Integrated), or as an improvement of the plain code (NFR-Enhanced). Each ' +
  'phrasing has one value over all tasks: the share that passes a suite, messages or statements per ten lines of ' +
  'code, or the mean time. AVG and STDEV are over the phrasings (n - 1). For Function-Only they are over its ' +
  'repetitions, so its STDEV is noise between repetitions. Changes are in percent of Function-Only.';

const compared =
  'Intervals are Gaffke’s bounds over tasks; for values without limits, the assumed range extends beyond the ' +
  'tasks’ values by their own range. Intervals of STDEV are over the phrasings, for these tasks: the union of a ' +
  'chi-square interval, with fewer degrees of freedom for kurtosis, and Bonett’s. Times are relative to those of the ' +
  'task’s reference, where it was timed in turns with the programs, since what else the machine does slows both. ' +
  'Times also have a ratio: the geometric mean over tasks of the time with the requirement over Function-Only’s, so ' +
  'that one slow task does not dominate. Two versions are compared task by task: intervals are Gaffke’s bounds over ' +
  'tasks; the test is a permutation test that swaps the versions (for times on the logarithms of new / old), or ' +
  'McNemar’s exact test if there is one prompt for each task. For times, Welch’s test over the phrasings’ means is ' +
  'also given, as in the paper, but does not decide the verdict. p is adjusted by Holm over all comparisons of a ' +
  'pair. Verdicts: better and worse are significant differences; no change means an interval within the margin; ' +
  'everything else is inconclusive. The smallest detectable effect says which difference could have been found.';

export const requirementsMethod = section('How to read requirements', [asked, compared].map(paragraph), {
  folded: true,
});
