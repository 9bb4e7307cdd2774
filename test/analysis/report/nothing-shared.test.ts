/** A report over runs that have little or nothing in common. */
import { expect, test } from 'vitest';
import { acrossParts } from '../../../analysis/across/across-parts.ts';
import type { AcrossRuns, RunDifference } from '../../../analysis/across/across-runs.ts';
import { contextOf } from '../../../analysis/report/context.ts';
import { partsHtml } from '../../../analysis/report/html/parts.ts';
import type { Report } from '../../../analysis/report/report.ts';

const context = contextOf({ runs: [], calls: [], studies: [] } as unknown as Report);
const lacking = (area: string): RunDifference => ({ area, name: '', values: ['yes', null] });
const tasks = { old: 'a', now: 'b', benchmark: 'own', changed: [], otherSuites: [], suiteNotes: [] };
const nothing: AcrossRuns = {
  ...{ runs: ['a', 'b'], models: [], leftOut: [] },
  differences: [
    { area: 'spec', name: 'seed', values: ['0', '1'] },
    ...Array.from({ length: 39 }, (_, place) => lacking(`model m${place}`)),
    { area: 'model kept', name: 'temperature', values: ['0', '1'] },
    ...[lacking('study one'), { area: 'versions', name: 'program', values: ['0.1.0', '0.2.0'] }],
  ],
  tasks: [{ ...tasks, same: 0, onlyOld: ['own/1'], onlyNow: ['own/2'] }],
};
const markup = async (across: AcrossRuns): Promise<string> => (await partsHtml(acrossParts(across, context))).markup;

// Red before: `<summary></summary>`, and not a sentence.
test('a long list of differences is folded under its name; counts and the first sentence are not', async () => {
  const found = await markup(nothing);
  expect(found).toContain(
    '<p class="lead">These runs have no task and no model with answers in a study of the same name and kind in ' +
      'common: nothing is compared between them.</p>',
  );
  expect(found).toContain(
    'The runs differ in setting seed, 40 models (39 of them not in every run), 1 study (not in every run) and ' +
      '1 version.',
  );
  expect(found).toContain('<summary>All 43 settings, versions and names that differ</summary>');
});

test('a short list stays open, without a summary', async () => {
  const found = await markup({ ...nothing, differences: nothing.differences.slice(0, 3) });
  expect(found).not.toContain('<summary>');
  expect(found).not.toContain('The runs differ in');
});

test('of three runs each is compared with the one before it; shared tasks are not denied', async () => {
  const found = await markup({
    ...nothing,
    runs: ['a', 'b', 'c'],
    tasks: [{ ...tasks, same: 3, onlyOld: [], onlyNow: [] }],
  });
  expect(found).toContain('Each run and the one before it have no model with answers in a study of the same name');
});
