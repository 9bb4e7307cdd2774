/** A manifest in segments, as of a run of more than a thousand parts: each kind of file is damaged, and missing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifest } from '../../activities/storage/manifest-file.ts';
import { manifestPath } from '../../activities/storage/run-paths.ts';
import { cutManifest } from '../../domain/manifest-segments.ts';
import { sealedManifest } from '../../domain/whole-manifest.ts';
import { expectAllMended, expectEachMended } from '../support/kills/damaged-kinds.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

const pass = { kind: 'pass', benchmark: 'tiny', settings: { samples: 1 } };

/** One page of each model, and four pages of one of them, which are merged. */
const spec = {
  name: 'cut',
  models: ['one', 'two'].map((id) => ({ id, provider: 'simulated' })),
  benchmarks: { tiny: { format: 'evenkeel', path: 'tiny.jsonl' } },
  studies: [
    { ...pass, name: 'short' },
    { ...pass, name: 'long', repetitions: 193, models: ['one'] },
  ],
};

let deployment: Deployment;

beforeAll(async () => {
  deployment = await openDeployment();
  deployment.write('tiny.jsonl', benchmarkText(tinyTasks(2)));
  const end = await deployment.evenkeel('run', deployment.write('cut.json', JSON.stringify(spec)));
  expect(end.status, end.output).toBe(0);
  await cutInSegments(join(deployment.runsDir, 'cut'));
});
afterAll(() => deployment?.close());

/** Of five parts instead of a thousand. */
async function cutInSegments(folder: string): Promise<void> {
  const { root, added } = cutManifest(await readManifest(folder), [], 5);
  expect(added.length).toBeGreaterThan(2);
  mkdirSync(join(folder, 'segments'));
  for (const { segment, text } of added) writeFileSync(join(folder, segment.file), text);
  writeFileSync(manifestPath(folder), sealedManifest(root));
}

// Red without `mendSegments`: `verify --repair` ended with the fault of the segment.
test.each(['damaged', 'missing'] as const)('each kind of file that is %s is made again', (what) =>
  expectEachMended(deployment, 'cut', what),
);

test('all kinds together: parts that no list has any more are rebuilt and listed', () =>
  expectAllMended(deployment, 'cut'));
