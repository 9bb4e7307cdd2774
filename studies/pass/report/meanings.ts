/** What the columns of pass@k's tables mean. */
import type { Glossary } from '../../../analysis/report/meanings/glossary.ts';

export const passMeanings: Glossary = {
  method: 'Intervals: 95 %, Gaffke’s bounds over tasks.',
  heads: {
    'Flaky tasks': 'Tasks of which some samples pass and some fail',
    n: 'Tasks that count',
    Excluded: 'Samples that could not be judged: in no estimate',
    'Flaky tasks: n': 'Samples of the task that count',
    'Equal verdicts': 'Share of pairs of samples, of different repetitions, that both pass or both fail',
    'Within one repetition': 'The same for pairs of samples of one repetition',
    'Fleiss’ kappa': 'Agreement beyond what the pass rate alone gives: 0 by chance, 1 complete',
    'Solved in some only': 'Tasks with a passing sample in some repetitions and none in others',
    Repetition: 'Repetition of the whole study',
    k: 'Samples that are drawn',
    'pass@k': 'Probability that at least one of k samples passes, as a mean over tasks',
    'pass^k': 'Probability that all k samples pass, as a mean over tasks',
    'Passed in each repetition': 'Samples that pass, by repetition',
    Passed: 'Share of samples that pass',
  },
  patterns: [
    [/^pass@\d+$/, 'Probability that at least one of so many samples passes, as a mean over tasks'],
    [/^pass\^\d+$/, 'Probability that all of so many samples pass, as a mean over tasks'],
  ],
};
