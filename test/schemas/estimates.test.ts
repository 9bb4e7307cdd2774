/** Every estimate in every table has an interval, n and a method, or its column says why it has none. */
import { expect, test } from 'vitest';
import { tables, type Table } from '../../schemas/tables.ts';

/** Columns that are not estimates: p and test statistics, settings, and parameters of intervals and tests. */
const noEstimate = new Set([
  ...[
    'p',
    'p_adjusted',
    'p_holm',
    'p_bh',
    'p_workflows',
    'p_ratio_workflows',
    'maximal_to_original_p',
    'welch_p',
    'chi_square',
  ],
  ...[
    'level',
    'confidence',
    'margin',
    'within',
    'smallest_effect',
    'size_b',
    'smallest_size_b',
    'largest_size_b',
    'distance',
    'edit_distance',
  ],
  ...['sure_from', 'unsure_to', 'bin_from', 'bin_to', 'temperature', 'top_p'],
  // Sums over tasks and summaries that count by their share.
  ...['n_with', 'solved_tasks', 'estimated_usd'],
  // Ends of the interval of the mean difference, as published.
  ...['welch_lo', 'welch_hi'],
]);

/** Tables with one row for each item asked, run or measured: nothing in them is estimated. */
const records = new Set([
  ...[
    'models',
    'settings',
    'tasks',
    'suites',
    'prompts',
    'calls',
    'samples',
    'logprobs',
    'verdicts',
    'executions',
    'parallel_runs',
  ],
  ...[
    'variants',
    'variant_order',
    'labels',
    'judgements',
    'loops',
    'chains',
    'translations',
    'prompt_passes',
    'quality',
    'quality_messages',
  ],
  ...['timings', 'nfr_scores', 'moved_verdicts', 'recorded_verdicts'],
]);

const derived = (Object.values(tables) as readonly Table[]).filter(({ name }) => !records.has(name));
const saysNone = (text: string): boolean =>
  /\b(has|have|and has|is) no interval|no interval of (its|their) own/.test(text);

test.each(derived.map((table) => [table.name, table] as const))('%s', (_name, { meaning, key, columns }) => {
  const estimates = Object.entries(columns).filter(
    ([name, { type }]) => type === 'float' && !key.includes(name) && !noEstimate.has(name) && !/_(lo|hi)$/.test(name),
  );
  const bare = estimates.filter(
    ([name, column]) => !(`${name}_lo` in columns) && !saysNone(column.meaning) && !saysNone(meaning),
  );
  expect(bare.map(([name]) => name)).toEqual([]);
  const withIntervals = estimates.filter(([name]) => `${name}_lo` in columns);
  if (withIntervals.length === 0) return;
  expect(Object.keys(columns)).toEqual(expect.arrayContaining(['confidence']));
  expect(Object.keys(columns).some((name) => name === 'method' || name === 'interval_method')).toBe(true);
  expect(Object.keys(columns).some((name) => /^(n|n_tasks|n_models|at_risk|n_cells|n_scored)$/.test(name))).toBe(true);
});
