/** A worker that merges sealed pages, killed at its file operations and commits, while another one seals pages. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnsweredRun } from '../support/answered-run.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { manyPages } from '../support/kills/many-pages.ts';
import { survivesKillBeside } from '../support/kills/seal-beside.ts';

/** Every one by default; `EVENKEEL_FAULT_STEP=20` takes a sample, `EVENKEEL_FAULT_FROM` another one. */
const step = Number(process.env['EVENKEEL_FAULT_STEP'] ?? 1);
const from = Number(process.env['EVENKEEL_FAULT_FROM'] ?? 1);

/** From the first page that it seals to the removal of the last merged one, at least. */
const leastPoints = 150;

let deployment: Deployment;
let answered: AnsweredRun;

beforeAll(async () => {
  deployment = await openDeployment();
  answered = await manyPages(deployment, 3);
});
afterAll(() => deployment?.close());

test('every point of sealing and merging beside a worker that seals', async () => {
  let point = from;
  while (await survivesKillBeside(deployment.runsDir, answered, point)) point += step;
  process.stdout.write(`points ${from} to ${point} by ${step}\n`);
  expect(point).toBeGreaterThan(leastPoints);
});
