/** Which rule a run's studies take code by: chosen when it is made, kept by a run from before there was a choice. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import type { PlannedRun } from '../../../activities/runs/plan-manifest.ts';
import { planRun } from '../../../activities/runs/plan-run.ts';
import { updateManifest } from '../../../activities/storage/manifest.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { prepareToContinue } from '../../../activities/runs/prepare-to-continue.ts';
import { readSpecFile } from '../../../cli/spec-file.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

const spec = `name: r
models: [{ id: m, provider: simulated }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - { name: s, kind: evaloop, benchmark: tiny }
`;
const naming = (extraction: string): string => spec.replace('tiny }', `tiny, extraction: ${extraction} }`);
let runsDir = '';
let folder = '';

beforeEach(() => {
  runsDir = temporaryFolder();
  folder = join(runsDir, 'r');
  writeFileSync(join(runsDir, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
});

async function planned(text: string): Promise<PlannedRun> {
  writeFileSync(join(runsDir, 'spec.yaml'), text);
  const file = await readSpecFile(join(runsDir, 'spec.yaml'));
  const run = await planRun({
    ...file,
    runsDir,
    runId: 'r',
    sandbox: { tier: 'embedded', engine: 'none', imageDigest: 'none' },
  });
  await run.ledger.close();
  return run;
}

const rulesIn = ({ spec: { studies }, versions }: Manifest): unknown => [
  studies.map(({ extraction }) => extraction),
  versions.extraction,
];

/** As a program without the key left it. */
const withoutKey = (): Promise<Manifest> =>
  updateManifest(folderHome(folder), ({ versions: { extraction: _rules, ...versions }, ...manifest }) => ({
    ...manifest,
    versions,
    spec: { ...manifest.spec, studies: manifest.spec.studies.map(({ extraction: _named, ...study }) => study) },
  }));

test('a new study goes by its framework’s rule, whose name and version the manifest has', async () => {
  await planned(spec);
  expect(rulesIn(await readManifest(folder))).toEqual([['paper'], { s: 'paper-evaloop-1' }]);
  expect((await planned(spec)).change).toBe('unchanged');
  expect((await planned(naming('paper'))).change).toBe('unchanged');
});

test('another rule is refused with the difference and the remedy', async () => {
  await planned(spec);
  await expect(planned(naming('strict'))).rejects.toThrow(
    /study s: extraction paper in the run, strict in the spec; evenkeel rescore RUN --extraction strict/,
  );
});

test('a run made before there was a choice keeps its rule; a study added to it gets the new one', async () => {
  await planned(spec);
  await withoutKey();
  expect((await planned(spec)).change).toBe('unchanged');
  expect(rulesIn(await readManifest(folder))).toEqual([['last-defining'], { s: 'last-defining-3' }]);
  await withoutKey();
  await expect(planned(naming('paper'))).rejects.toThrow(/extraction last-defining in the run, paper in the spec/);
  expect((await planned(`${spec}  - { name: t, kind: evaloop, benchmark: tiny }\n`)).change).toBe('extended');
  expect(rulesIn(await readManifest(folder))).toEqual([
    ['last-defining', 'paper'],
    { s: 'last-defining-3', t: 'paper-evaloop-1' },
  ]);
});

test('a program with another version of the rule refuses to continue any run', async () => {
  await planned(spec);
  const changed = await updateManifest(folderHome(folder), (manifest) => ({
    ...manifest,
    versions: { ...manifest.versions, extraction: { s: 'paper-evaloop-0' } },
  }));
  await expect(planned(spec)).rejects.toThrow(
    /study s: paper-evaloop-0 in the run, paper-evaloop-1 in this version of evenkeel/,
  );
  await expect(prepareToContinue(folderHome(folder), changed)).rejects.toThrow(/paper-evaloop-0 in the run/);
});
