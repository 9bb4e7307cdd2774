/** How outcomes are read under each option. */
import { expect, test } from 'vitest';
import { excludedOutcomes, type Outcome, outcomes, stoppedOutcomes } from '../../../schemas/states.ts';
import { allSuites, countedAs, type Review, reviewedOutcome } from '../../../studies/multiverse/review.ts';

const own: Review = { suites: allSuites, limits: 'failed', excluded: 'excluded' };
const on = (base: Outcome, plus: Outcome) => [
  { suite: 'base', outcome: base },
  { suite: 'plus', outcome: plus },
];

test('the own review changes no outcome', () => {
  for (const outcome of outcomes) expect(countedAs(outcome, own)).toBe(outcome);
});

test('excluded outcomes become failures, stopped programs pass, nothing else changes', () => {
  for (const outcome of outcomes) {
    const failed = countedAs(outcome, { ...own, excluded: 'failed' });
    const passed = countedAs(outcome, { ...own, limits: 'passed' });
    if (excludedOutcomes.has(outcome)) {
      expect(excludedOutcomes.has(failed)).toBe(false);
      expect(failed).not.toBe('pass');
    } else expect(failed).toBe(outcome);
    expect(passed).toBe(stoppedOutcomes.has(outcome) ? 'pass' : outcome);
  }
});

test('a program that answered in place of the calling code was stopped by no limit', () => {
  expect(countedAs('killed', { ...own, limits: 'passed' })).toBe('killed');
});

test('the suites that count; a task without the wanted suite is judged by its own', () => {
  const onPlusOnly = on('pass', 'wrong_output');
  expect(reviewedOutcome(onPlusOnly, own)).toBe('wrong_output');
  expect(reviewedOutcome(onPlusOnly, { ...own, suites: 'base' })).toBe('pass');
  expect(reviewedOutcome(onPlusOnly, { ...own, suites: 'plus' })).toBe('wrong_output');
  expect(reviewedOutcome(onPlusOnly, { ...own, suites: 'et' })).toBe('wrong_output');
});

test('a real failure on any suite comes before an excluded one', () => {
  expect(reviewedOutcome(on('missing_dependency', 'wrong_output'), own)).toBe('wrong_output');
  expect(reviewedOutcome(on('missing_dependency', 'pass'), own)).toBe('missing_dependency');
  expect(reviewedOutcome(on('missing_dependency', 'cpu_timeout'), own)).toBe('cpu_timeout');
  // The stopped program passes, so that only the excluded outcome is left.
  expect(reviewedOutcome(on('missing_dependency', 'cpu_timeout'), { ...own, limits: 'passed' })).toBe(
    'missing_dependency',
  );
  expect(reviewedOutcome(on('missing_dependency', 'pass'), { ...own, excluded: 'failed' })).toBe('exception');
});
