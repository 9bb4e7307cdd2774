/**
 * A finish that is killed at every one of its file operations and commits. EVENKEEL_FAULT_POINTS=from-to looks at some.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnsweredRun, answeredRun } from '../support/answered-run.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { leastPoints, survivesKill } from '../support/kills/finish-kills.ts';

let deployment: Deployment;
let answered: AnsweredRun;

beforeAll(async () => {
  deployment = await openDeployment();
  answered = await answeredRun(deployment);
});
afterAll(() => deployment?.close());

test('every point of a finish', async () => {
  const [from = 1, to = Infinity] = (process.env['EVENKEEL_FAULT_POINTS'] ?? '').split('-').filter(Boolean).map(Number);
  let point = from;
  while (point <= to && (await survivesKill(deployment.runsDir, answered, point))) point += 1;
  process.stdout.write(`${point - from} points, from ${from}\n`);
  if (to === Infinity) expect(point).toBeGreaterThan(leastPoints);
});
