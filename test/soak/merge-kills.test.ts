/** Merging the pages of a lane, killed at every one of its file operations and commits. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { mergingPoints, mergingWhileSealing, survivesKill } from '../support/kills/finish-kills.ts';
import type { AnsweredRun } from '../support/answered-run.ts';
import { manyPages } from '../support/kills/many-pages.ts';

let deployment: Deployment;
let answered: AnsweredRun;

beforeAll(async () => {
  deployment = await openDeployment();
  answered = await manyPages(deployment);
});
afterAll(() => deployment?.close());

test('every point of merging', async () => {
  for (const [from, to] of mergingPoints(1))
    for (let point = from; point < to; point += 1)
      expect(await survivesKill(deployment.runsDir, answered, point), `point ${point}`).toBe(true);
});

test('every point of merging while pages are sealed', async () => {
  for (const [from, to] of mergingWhileSealing(1))
    for (let point = from; point < to; point += 1)
      expect(await survivesKill(deployment.runsDir, answered, point, 4), `point ${point}`).toBe(true);
});
