/** What the columns of the tables mean that every report has. */
import type { Glossary } from './glossary.ts';

export const varianceMeanings: Glossary = {
  method: 'Variance components of the answers, by the method of moments; shares have no interval.',
  counts: ['models', 'variants', 'tasks'],
  heads: {
    task: 'Share of the variance that differences between tasks explain',
    model: 'Share that differences between models explain',
    variant: 'Share that the prompt’s variants explain',
    'model x task': 'Share from models being good at different tasks',
    'task x variant': 'Share from variants mattering for some tasks only',
    'model x variant': 'Share from variants mattering for some models only',
    'all three': 'Share of what only a task, a model and a variant together explain',
    repetition: 'Share from repeating the whole cell',
    sample: 'Share from drawing another answer to the same prompt',
    variance: 'Variance of an answer that counts 1 or 0, at most 0.25 around one mean',
    models: 'Number of models',
    variants: 'Number of variants',
    tasks: 'Number of tasks',
    n: 'Number of answers',
  },
};

export const callMeanings: Glossary = {
  method: 'Counts and sums over all calls; only the cost of a solved task is an estimate.',
  counts: [
    ...['Answered', 'Failed', 'Lost', 'Reused', 'Input tokens', 'Output tokens', 'Reported', 'Estimated', 'Unpriced'],
    ...['calls', 'input tokens', 'cached', 'output tokens', 'reasoning', 'USD'],
  ],
  heads: {
    Answered: 'Calls whose reply was stored',
    Failed: 'Calls that ended with an error',
    Lost: 'Calls whose reply was lost before it was stored',
    Reused: 'Answers copied from an earlier run',
    'Input tokens': 'As the provider reported them',
    'Output tokens': 'As the provider reported them',
    Reported: 'USD by the usage that the provider reported',
    Estimated: 'USD for calls that may have been billed but whose usage is unknown',
    Unpriced: 'Calls whose price is unknown: in neither sum',
    calls: 'All calls made for the model, also its judge’s',
    'input tokens': 'As the provider reported them',
    cached: 'Input tokens that the provider had cached',
    'output tokens': 'As the provider reported them',
    reasoning: 'Output tokens of thoughts',
    USD: 'Cost of all these calls',
    solved: 'Sum over tasks of the share of first programs that pass',
    n: 'Tasks',
    'USD per solved task': 'Cost divided by the tasks solved',
    interval: 'Interval of the cost of a solved task',
  },
};

export const ceilingMeanings: Glossary = {
  method: 'Counts, without intervals: the references are all there are.',
  counts: ['Cases', 'References that pass'],
  n: { '': 'Tasks' },
  heads: {
    Tasks: 'Tasks of the suite',
    Cases: 'Test cases of these tasks',
    'References that pass': 'References that pass every case',
    Ceiling: 'Share that passes of the references that were judged',
  },
};

export const acrossMeanings: Glossary = {
  method: 'Intervals: Gaffke’s bounds over tasks; p: exact McNemar or sign flips over tasks, adjusted by Holm.',
  counts: ['Tasks + -', 'Both judged', 'The same', 'Changed', 'Only in the first', 'Only in the second'],
  n: { 'Tasks that flip between the runs': 'n is that of the task’s answers in both runs' },
  heads: {
    Difference: 'The later run minus the earlier one, on the tasks that both have',
    'Tasks + -': 'Tasks on which the later run is better, and worse',
    'Both judged': 'Tasks of which an answer was judged in both runs: those behind the difference',
    Holm: 'p of the difference, adjusted over the models of the metric',
    n: 'Tasks that both runs have',
    'The same': 'Tasks with the same prompt and tests',
    Changed: 'Tasks with another prompt or other tests: not compared',
    'Only in the first': 'Tasks that the second run does not have',
    'Only in the second': 'Tasks that the first run does not have',
    p: 'Probability of answers this different if the task were equally easy in both runs',
  },
  patterns: [[/./, 'Value in this run']],
};
