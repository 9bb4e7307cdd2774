/** What kinds of study say that they derive is what they derive. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { studyKinds } from '../../studies/index.ts';
import { resultsOfKind } from '../../studies/results.ts';
import { writeHandCards } from '../studies/cards/hand-cards.ts';

let folder = '';
let database: RunDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  database = await openRun(await writeHandCards(folder));
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

// Tables that a kind does not name would stay, outdated, where their computation fails.
test.each(studyKinds)('%s', async (kind) => {
  const [manifest] = database.manifests as readonly [Manifest];
  const { derive, derives } = resultsOfKind(kind);
  expect([...derives].toSorted()).toEqual(Object.keys(await derive(database, manifest)).toSorted());
});
