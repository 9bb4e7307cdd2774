import { expect, test } from 'vitest';
import type { MainMetric } from '../../../analysis/card/main-entries.ts';
import { standingText } from '../../../analysis/card/standing-text.ts';
import type { CardMetric } from '../../../domain/card/card-metric.ts';

const metric: CardMetric = {
  name: 'pass_at_1',
  title: 'pass@1',
  trait: 'correctness',
  direction: 'higher',
  unit: '%',
  meaning: 'share of tasks solved',
  text: (value) => value.toFixed(1),
  says: () => '',
};
const main: MainMetric = {
  ...{
    metric,
    study: 's',
    condition: 'all',
    suite: null,
    repeats: null,
    prompts: null,
    tasks: 8,
    rows: new Map(),
    otherSuites: [],
    elsewhere: new Map(),
  },
};
const estimate = {
  ...{ study: 's', condition: 'all', method: 'Clopper-Pearson', confidence: 0.95, n_tasks: 8 },
  ...{ estimate: 50, estimate_lo: 15.7, estimate_hi: 84.3, named: null, named_lo: null, named_hi: null },
};
const unranked = { rank: null, rank_lo: null, rank_hi: null, n_better: null, n_models: null, letters: null };
const value = 'pass@1: 50.0 %; 95 % interval 15.7 – 84.3';
const ends = ['n = 8 tasks of study s', 'Interval: Clopper-Pearson'];

test('a ranked value names its place among the models', () => {
  const ranked = { rank: 2, rank_lo: 1, rank_hi: 3, n_better: 1, n_models: 4, letters: 'ab' };
  const place = 'Group ab, rank 1 to 3 of 4; 1 model shown to be better';
  expect(standingText(main, { ...estimate, ...ranked }).split('\n')).toEqual([value, place, ...ends]);
});

// Red before: "column n_models holds a number, got null" ended the run of one model on one task.
test('a value that was not ranked has no place, and no number of models', () => {
  expect(standingText(main, { ...estimate, ...unranked }).split('\n')).toEqual([value, ...ends]);
});
