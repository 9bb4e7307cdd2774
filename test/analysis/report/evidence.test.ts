/** Numbers of a row lead to the examples behind them. */
import { expect, test } from 'vitest';
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import type { HeldExample, ReportContext } from '../../../analysis/report/study-report.ts';

const held = { id: 'x' } as HeldExample;
const context = (examples: readonly HeldExample[], severalRuns = false): ReportContext => ({
  ...{ severalRuns, examples, exampleOf: () => undefined, colorOf: () => 'red' },
  model: (_run, id) => ({ text: id }),
});
const row = [{ text: 'm', model: { color: 'red', simulated: false } }, { text: '0.5', value: 0.5 }, 'words'];
const source = { run: 'r', study: 's', model: 'm', variant: 'original' };

test('each number, but no name and no dash', () => {
  const dash = { text: '–', value: null };
  expect(withEvidence([...row, dash], source, context([held]))).toEqual([
    row[0],
    { text: '0.5', value: 0.5, link: '#examples?study=s&model=m&variant=original' },
    'words',
    dash,
  ]);
});

test('among several runs the run is named; a link of its own stays', () => {
  const own = { text: '1', value: 1, link: '#examples?loops=1' };
  expect(withEvidence([own, { text: '2', value: 2 }], { run: 'r', study: 's' }, context([held], true))).toEqual([
    own,
    { text: '2', value: 2, link: '#examples?run=r&study=s' },
  ]);
});

test('a page without examples has no links', () => {
  expect(withEvidence(row, source, context([]))).toBe(row);
});
