/** A run of more than a thousand parts: each kind of its files is damaged, and missing. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifest } from '../../activities/storage/manifest-file.ts';
import { expectAllMended, expectEachMended } from '../support/kills/damaged-kinds.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

const pass = { kind: 'pass', benchmark: 'tiny', settings: { samples: 1 } };

/** 43 models in four studies of one page each, with six tables; and five pages of one model, which are merged. */
const spec = {
  name: 'wide',
  models: Array.from({ length: 43 }, (_, place) => ({ id: `sim-${place}`, provider: 'simulated' })),
  benchmarks: { tiny: { format: 'evenkeel', path: 'tiny.jsonl' } },
  studies: [
    ...['a', 'b', 'c', 'd'].map((name) => ({ ...pass, name })),
    { ...pass, name: 'long', repetitions: 258, models: ['sim-0'] },
  ],
};

let deployment: Deployment;

beforeAll(async () => {
  deployment = await openDeployment();
  deployment.write('tiny.jsonl', benchmarkText(tinyTasks(2)));
  const end = await deployment.evenkeel('run', deployment.write('wide.json', JSON.stringify(spec)));
  expect(end.status, end.output).toBe(0);
  expect((await readManifest(join(deployment.runsDir, 'wide'))).parts.length).toBeGreaterThan(1_000);
});
afterAll(() => deployment?.close());

test.each(['damaged', 'missing'] as const)('each kind of file that is %s is made again', (what) =>
  expectEachMended(deployment, 'wide', what),
);

test('all kinds together', () => expectAllMended(deployment, 'wide'));
