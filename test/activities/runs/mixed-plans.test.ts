/** A run that two commands extended at the same moment, as versions until 28 November 2026 could leave it. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { planRun } from '../../../activities/runs/plan-run.ts';
import { openPlanned } from '../../../activities/runs/planned-run.ts';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import { updateManifest } from '../../../activities/storage/manifest.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { verifyRun } from '../../../activities/storage/verify/verify.ts';
import { setBudget, stopRun } from '../../../cli/commands/control.ts';
import { explain } from '../../../cli/exit-status.ts';
import { createTerminal } from '../../../cli/output/terminal.ts';
import { readSpecFile } from '../../../cli/spec-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

const spec = (tasks: number, repetitions: number): string => `name: r
models: [{ id: m, provider: simulated }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl, tasks: { limit: ${tasks} } } }
studies:
  - { name: s, kind: pass, benchmark: tiny, repetitions: ${repetitions}, settings: { samples: 1, ks: [1] } }
`;

let root = '';
let folder = '';
const runsDir = (name: string): string => join(root, name);

async function plan(where: string, text: string): Promise<void> {
  writeFileSync(join(root, 'spec.yaml'), text);
  const file = await readSpecFile(join(root, 'spec.yaml'));
  const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };
  const { ledger } = await planRun({ ...file, runsDir: runsDir(where), runId: 'r', sandbox });
  await ledger.close();
}

beforeEach(async () => {
  root = temporaryFolder();
  folder = join(runsDir('one'), 'r');
  writeFileSync(join(root, 'tiny.jsonl'), benchmarkText(tinyTasks(5)));
  await plan('one', spec(1, 1));
  cpSync(runsDir('one'), runsDir('other'), { recursive: true });
  await plan('one', spec(2, 2));
  await plan('other', spec(5, 1));
});

/** What each command says of it, with its exit status. */
const said = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => explain(error),
  );
const quiet = { ...createTerminal(false), out: () => {}, note: () => {} };

const named =
  /^\S+\/one\/r: two commands extended the run .*differ in the cells of page s-\w+\/m-\w+\/r2p0000; .*`reuse: \[r\]`/;

// Red before: "unexpected failure (a bug, or a broken machine)", a stack trace, status 1; `verify` found it intact.
test('two plans of one revision are named by whoever would go on, and by verify; nothing changes', async () => {
  const [own, theirs] = [await readManifest(folder), await readManifest(join(runsDir('other'), 'r'))];
  cpSync(join(runsDir('other'), 'r', 'inputs'), join(folder, 'inputs'), { recursive: true });
  await updateManifest(folderHome(folder), (old) => ({ ...old, plan: [...old.plan, ...theirs.plan.slice(1)] }));
  const manifest = await readManifest(folder);
  expect(manifest.plan.map(({ revision }) => revision)).toEqual([1, 2, 2]);
  const options = { runsDir: runsDir('one') };
  for (const work of [
    () => plan('one', own.specText),
    () => plan('one', theirs.specText),
    () => openPlanned(folderHome(folder), manifest),
    () => stopRun('pause', 'r', options, quiet),
    () => stopRun('cancel', 'r', options, quiet),
    () => setBudget('r', { ...options, tokens: '9' }, quiet),
  ])
    expect(await said(work())).toEqual({ text: expect.stringMatching(named), status: 2 });
  const { updatedAt } = await readManifest(folder);
  expect(await readManifest(folder)).toEqual({ ...manifest, updatedAt });
  expect((await verifyRun(folder)).problems).toEqual([expect.stringMatching(named)]);
});

test('one plan twice is one plan', async () => {
  await updateManifest(folderHome(folder), (old) => ({ ...old, plan: [...old.plan, ...old.plan.slice(1)] }));
  await (await openPlanned(folderHome(folder), await readManifest(folder))).close();
  expect((await verifyRun(folder)).problems).toEqual([]);
});

// Red before: as above.
test('a ledger with the pages of another plan is named too', async () => {
  cpSync(join(runsDir('other'), 'r', 'ledger.sqlite'), join(folder, 'ledger.sqlite'));
  expect(await said(stopRun('pause', 'r', { runsDir: runsDir('one') }, quiet))).toEqual({
    text: expect.stringMatching(/: the ledger: does not belong to the plan: page s-\w+\/m-\w+\/r2p0000 has cells 4 in/),
    status: 2,
  });
});
