/** What the end of a run shows, made in the command itself or in a process of its own. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { explain } from '../../../cli/exit-status.ts';
import { makeResults } from '../../../cli/output/results/make-results.ts';
import { writeHandCards } from '../../studies/cards/hand-cards.ts';

let folder = '';
let run = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-'));
  run = await writeHandCards(folder);
});
afterEach(() => rm(folder, { recursive: true }));

test('are the same, to the last byte of the page', async () => {
  const order = { tables: run, page: true };
  const here = await makeResults(order, 1, 2);
  const apart = await makeResults(order, 2, 2);
  expect(here.page).toContain('</html>');
  expect(here.boards.length).toBeGreaterThan(0);
  expect(apart).toEqual(here);
});

test('have no page where none is wanted', async () => {
  expect((await makeResults({ tables: run, page: false }, 2, 2)).page).toBeNull();
});

test('a manifest that cannot be read is the same fault in both, with the exit status of bad input', async () => {
  const file = join(run, 'manifest.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"runId"', '"runIdentity"'));
  const order = { tables: run, page: true };
  const faults = await Promise.all([1, 2].map((answers) => makeResults(order, answers, 2).catch((error) => error)));
  const [here, apart] = faults.map((fault) => explain(fault));
  expect(here).toMatchObject({ status: 2, text: expect.stringContaining('runId') });
  expect(apart).toEqual(here);
});
