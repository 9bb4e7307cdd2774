/** What the card of a new version says of the regression study’s verdicts, and what its own number covers. */
import { expect, test } from 'vitest';
import { worseText } from '../../../analysis/card/worse-versions.ts';
import type { SaidEstimate } from '../../../domain/card/card-metric.ts';
import type { RegressionRow } from '../../../studies/robunfr/results/board.ts';
import { requirementsCard } from '../../../studies/robunfr/results/card.ts';
import { worseVersions } from '../../../studies/robunfr/report/worse-versions.ts';

const row = (dimension: string, metric: string, verdict: string, more: Partial<RegressionRow> = {}): RegressionRow => ({
  ...{ run: 'r', study: 'reg', benchmark: 'b', old: 'good', now: 'marked', dimension, metric, verdict },
  ...{ suite: metric === 'pass_at_1' ? 'base' : null, oldMean: 90, oldRange: null, oldStdev: null, newMean: 80 },
  ...{ newRange: null, deltaPercent: null, deltaRange: null, ratio: null, method: 'sign_flip', welchP: null },
  ...{ pAdjusted: 0.000015, smallestEffect: null, n: 60, nExcluded: 0, reason: null, simulated: false },
  ...{ difference: { value: -11.667, interval: { lo: -18.37, hi: -4 } }, ...more },
});
const reliability = row('reliability', 'pass_at_1', 'worse');
const slower = row('function-only', 'cpu_ms_passing', 'worse', {
  ratio: { value: 1.2, interval: { lo: 1.1, hi: 1.3 } },
});
const lost = 'pass@1 base with reliability (-11.67 points, -18.37 to -4.00; p = 0.000015 (Holm))';
const slow = 'CPU time, passing without a requirement (× 1.200, 1.100 to 1.300; p = 0.000015 (Holm))';

test('each verdict that is worse, with its requirement, its change and its interval, pass@1 first', () => {
  const rows = [slower, row('function-only', 'pass_at_1', 'inconclusive'), reliability];
  expect(worseVersions(rows)).toEqual([{ run: 'r', model: 'marked', old: 'good', verdicts: [lost, slow] }]);
  expect(worseVersions(rows.filter(({ verdict }) => verdict !== 'worse'))).toEqual([]);
  const [two] = worseVersions([reliability, row('design', 'pass_at_1', 'better', { study: 'other' })]);
  expect(two?.verdicts).toEqual([lost.replace('reliability', 'reliability in study "reg"')]);
});

// Red before: the code smells came first, with an interval that seems to say the opposite.
test('of measures but pass@1 those whose interval is apart from no change come first, then by p', () => {
  const smells = row('design', 'code_smell', 'worse', {
    ...{ suite: null, pAdjusted: 4.9e-11, difference: { value: 0.83, interval: { lo: -0.05, hi: 1.71 } } },
  });
  const lessSure = row('design', 'unreadability', 'worse', {
    ...{ pAdjusted: 0.04, difference: { value: 0.5, interval: { lo: 0.1, hi: 0.9 } } },
  });
  const [found] = worseVersions([smells, lessSure, slower, reliability]);
  expect(found?.verdicts.map((text) => text.split(' (')[0])).toEqual([
    'pass@1 base with reliability',
    'CPU time, passing without a requirement',
    'unreadability with design',
    'code smell with design',
  ]);
  expect(found?.verdicts[3]).toBe(
    'code smell with design (0.83 per 10 lines, -0.05 to 1.71, which allows for a worse task than any seen; ' +
      'p = 4.9e-11 (Holm))',
  );
});

test('the first screen names the pair; many verdicts are counted', () => {
  const found = worseVersions([reliability, slower, slower, slower, slower]);
  expect(worseText(found, ({ model }) => String(model))).toBe(
    ` Shown to be worse than an older version: marked, against good, in ${lost} and 4 other measures.`,
  );
  expect(worseText([], String)).toBe('');
});

const [, spread, change] = requirementsCard.metrics;
const said = (worse: readonly string[]): SaidEstimate => ({
  ...{ value: 0, interval: { lo: -6, hi: 6 }, text: '0.0 points (-6.0 – 6.0)', tasks: 60, ownTasks: 60 },
  ...{ condition: 'base, against good', suite: null, worse },
});

// Red before: "is not shown to differ from good (pass@1: 0.0 points, -6.0 – 6.0)", in both.
test('without a requirement nothing differs: the sentence says so, and what is worse with one', () => {
  expect(change?.says(said([]))).toBe(
    'is not shown to differ from good without a requirement (pass@1: 0.0 points, -6.0 – 6.0)',
  );
  expect(change?.says(said([lost]))).toBe(
    `is shown to be worse than good in ${lost}, while pass@1 without a requirement changed by 0.0 points (-6.0 – 6.0)`,
  );
});

test('the spread is called a mean over requirements and workflows', () => {
  expect(spread?.says({ ...said([]), text: '10.10 points' })).toBe(
    'has a pass@1 that varies by 10.10 points between phrasings of the same requirement, in the mean over ' +
      'requirements and workflows',
  );
});
