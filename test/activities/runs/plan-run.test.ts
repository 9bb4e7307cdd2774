import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import { findEarlierRun } from '../../../activities/estimate/earlier-run.ts';
import { loadBenchmarks, type PlanOptions } from '../../../activities/runs/plan-inputs.ts';
import type { PlannedRun } from '../../../activities/runs/plan-manifest.ts';
import { planRun } from '../../../activities/runs/plan-run.ts';
import { freshRecordings, putFresh, withFresh } from '../../../activities/runs/recordings.ts';
import { runBlobs } from '../../../activities/storage/blobs/run-blobs.ts';
import { setRunState, updateManifest } from '../../../activities/storage/manifest.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { sealLedger } from '../../../activities/storage/seals.ts';
import { verifyRun } from '../../../activities/storage/verify/verify.ts';
import { prepareToContinue } from '../../../activities/runs/prepare-to-continue.ts';
import { openRun } from '../../../analysis/database.ts';
import { readSpecFile } from '../../../cli/spec-file.ts';
import { runCoverage } from '../../../studies/coverage.ts';
import { InputError } from '../../../domain/errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

const spec = `name: r
models: [{ id: m, provider: simulated }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: s, kind: evaloop, benchmark: tiny }]
`;
let runsDir = '';
let folder = '';

beforeEach(() => {
  runsDir = temporaryFolder();
  folder = join(runsDir, 'r');
  writeFileSync(join(runsDir, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
});

async function planned(text = spec, more: Partial<PlanOptions> = {}): Promise<PlannedRun> {
  writeFileSync(join(runsDir, 'spec.yaml'), text);
  const file = await readSpecFile(join(runsDir, 'spec.yaml'));
  const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };
  return planRun({ ...file, runsDir, runId: 'r', sandbox, ...more });
}

test('a folder of the run’s name without a manifest is refused as it is', async () => {
  mkdirSync(folder);
  await expect(planned()).rejects.toThrow(InputError);
  await expect(planned()).rejects.toThrow(
    `${folder}  exists but has no manifest.json: restore it from a backup, or use another name`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

// Red before: a complete run was extended, and then refused, so that only the version that began it could finish it.
test('a run is not extended by what this machine cannot do, and nothing of it changes', async () => {
  await (await planned()).ledger.close();
  await setRunState(folderHome(folder), 'complete', null);
  await sealLedger(folder);
  const before = readFileSync(join(folder, 'manifest.json'), 'utf8');
  const beforeExtending = () => Promise.reject(new Error('another sandbox'));
  const larger = spec.replace('simulated }]', 'simulated }, { id: n, provider: simulated }]');
  await expect(planned(larger, { beforeExtending })).rejects.toThrow('another sandbox');
  expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toBe(before);
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true });
  await (await planned(spec, { beforeExtending })).ledger.close();
});

test('another budget for a run that is finished leaves no wrong seal', async () => {
  await (await planned()).ledger.close();
  await setRunState(folderHome(folder), 'complete', null);
  await sealLedger(folder);
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true });
  await (await planned()).ledger.close();
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true });
  await (await planned(`${spec}budget: { usd: 3 }\n`)).ledger.close();
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: false });
});

// Red before: a raised budget was lost, so the run never went on; a lowered one was lifted, and calls were paid for.
test('the same spec leaves a budget alone that was set since; one that says another budget sets it', async () => {
  const stated = `${spec}budget: { usd: 3 }\n`;
  const budgetOf = async (text: string): Promise<unknown> => {
    const { ledger, manifest } = await planned(text);
    await ledger.close();
    return manifest.spec.budget;
  };
  const set = (budget: { usd?: number; tokens?: number }) =>
    updateManifest(folderHome(folder), (old) => ({ ...old, spec: { ...old.spec, budget } }));
  expect(await budgetOf(stated)).toEqual({ usd: 3 });
  await set({ usd: 0.01 });
  expect(await budgetOf(stated)).toEqual({ usd: 0.01 });
  expect(await budgetOf(`# a comment\n${stated}`)).toEqual({ usd: 0.01 });
  expect(await budgetOf(stated.replace('benchmark: tiny }', 'benchmark: tiny, settings: { maxLoops: 11 } }'))).toEqual({
    usd: 0.01,
  });
  const deeper = stated.replace('benchmark: tiny }', 'benchmark: tiny, settings: { maxLoops: 11 } }');
  expect(await budgetOf(deeper.replace('usd: 3', 'usd: 4'))).toEqual({ usd: 4 });
  await set({ usd: 4, tokens: 9 });
  expect(await budgetOf(deeper.replace('usd: 3', 'usd: 4'))).toEqual({ usd: 4, tokens: 9 });
  // Red before: the tokens went with the dollars, though no spec had ever said any.
  expect(await budgetOf(deeper.replace('usd: 3', 'usd: 5'))).toEqual({ usd: 5, tokens: 9 });
  expect(await budgetOf(deeper.replace('budget: { usd: 3 }\n', ''))).toEqual({ tokens: 9 });
  expect(await budgetOf(deeper.replace('usd: 3', 'tokens: 8'))).toEqual({ tokens: 8 });
  expect(await budgetOf(deeper.replace('budget: { usd: 3 }\n', ''))).toBeUndefined();
});

// Red before: the pages that a larger study opens again counted twice, so query, gate and report missed cells for good.
test('an extension by loops adds no cell, and one by a task adds its own', async () => {
  await (await planned()).ledger.close();
  const deeper = spec.replace('benchmark: tiny }', 'benchmark: tiny, settings: { maxLoops: 11 } }');
  const { ledger, manifest } = await planned(deeper);
  await ledger.close();
  expect(manifest.plan).toMatchObject([
    { pages: 1, cells: 1 },
    { pages: 0, cells: 0, reopened: 1 },
  ]);
  writeFileSync(join(runsDir, 'tiny.jsonl'), benchmarkText(tinyTasks(3)));
  const larger = await planned(deeper.replace('maxLoops: 11', 'maxLoops: 12'));
  await larger.ledger.close();
  expect(larger.manifest.plan[2]).toMatchObject({ pages: 1, cells: 2, reopened: 1 });
  const database = await openRun(folder);
  expect(runCoverage(database)).toMatchObject([{ planned: 3, missing: 3 }]);
  database.close();
});

// Red before: the run's inputs and tables went without them for good, though its spec named them.
test('a benchmark, a task or a model that no study asks extends a run without pages', async () => {
  await (await planned()).ledger.close();
  const further = spec.replace('tiny.jsonl }', 'tiny.jsonl }, more: { format: evenkeel, path: more.jsonl }');
  writeFileSync(join(runsDir, 'more.jsonl'), benchmarkText(tinyTasks(1)));
  const plan = async (text: string) => {
    const { ledger, change, manifest } = await planned(text);
    await ledger.close();
    return [change, manifest.plan.at(-1)?.revision, manifest.plan.at(-1)?.cells, manifest.benchmarks['more']?.tasks];
  };
  expect(await plan(further)).toEqual(['extended', 2, 0, 1]);
  expect(await plan(further)).toEqual(['unchanged', 2, 0, 1]);
  writeFileSync(join(runsDir, 'more.jsonl'), benchmarkText(tinyTasks(2)));
  expect(await plan(further)).toEqual(['extended', 3, 0, 2]);
  await setRunState(folderHome(folder), 'complete', null);
  await sealLedger(folder);
  const judged = further.replace('[{', '[{ id: other, provider: simulated, study: false }, {');
  expect(await plan(judged)).toEqual(['extended', 4, 0, 2]);
  const otherOrder = '[{ id: m, provider: simulated }, { id: other, provider: simulated, study: false }]';
  expect(await plan(judged.replace(/\[\{.*\}\]/, otherOrder))).toEqual(['unchanged', 4, 0, 2]);
  // A run that goes on writes them at its end.
  const more = judged.replace('[{', '[{ id: third, provider: simulated, study: false }, {');
  expect(await plan(more)).toEqual(['unchanged', 4, 0, 2]);
});

/** What no hash of a stored body covers. */
function changeLedger(): void {
  const file = new DatabaseSync(join(folder, 'ledger.sqlite'));
  file.exec("update page set failure = 'damaged'");
  file.close();
}

const withSecondModel = spec.replace('[{', '[{ id: second, provider: simulated }, {');

test('a larger spec unseals a ledger; one without its seal is refused and nothing changes', async () => {
  await (await planned()).ledger.close();
  await setRunState(folderHome(folder), 'complete', null);
  await sealLedger(folder);
  const sealed = readFileSync(join(folder, 'ledger.sqlite'));
  changeLedger();
  const before = readdirSync(folder, { recursive: true });
  const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
  for (const text of [withSecondModel, `${spec}budget: { usd: 3 }\n`]) {
    const refused = planned(text);
    await expect(refused).rejects.toThrow(
      /ledger\.sqlite: has SHA-256 \w+, not \w+ as recorded .* restore it from a backup/,
    );
    await expect(refused).rejects.toMatchObject({ name: 'CorruptionError' });
  }
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
  expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toBe(manifest);
  expect((await verifyRun(folder)).problems).toEqual([expect.stringContaining('ledger.sqlite has SHA-256')]);
  writeFileSync(join(folder, 'ledger.sqlite'), sealed);
  const extended = await planned(withSecondModel);
  await extended.ledger.close();
  expect([extended.change, await verifyRun(folder)]).toEqual([
    'extended',
    expect.objectContaining({ ok: true, sealed: false }),
  ]);
});

describe('recordings', () => {
  const replayed = (...models: readonly string[]): string =>
    spec.replace(
      '{ id: m, provider: simulated }',
      models.map((id) => `{ id: ${id}, provider: replay, file: said.jsonl }`).join(', '),
    );
  const record = (...replies: readonly string[]): void =>
    writeFileSync(
      join(runsDir, 'said.jsonl'),
      replies.map((reply, loop) => `${JSON.stringify({ loop, reply })}\n`).join(''),
    );
  const manifestOf = async (text: string): Promise<PlannedRun> => {
    const run = await planned(text);
    await run.ledger.close();
    return run;
  };

  test('a grown file of two models is taken in once; verify checks it and the earlier copies', async () => {
    record('a');
    const first = (await manifestOf(replayed('one', 'two'))).manifest.replays;
    expect(first['one']).toEqual({ ...first['two'], source: '../said.jsonl' });
    record('a', 'b');
    const { grown, change, manifest } = await manifestOf(replayed('one', 'two'));
    expect([change, grown]).toEqual([
      'unchanged',
      [expect.objectContaining({ models: ['one', 'two'], outgrown: expect.objectContaining({ added: 1 }) })],
    ]);
    expect(manifest.replays['one']).toEqual(manifest.replays['two']);
    record('a', 'b', 'c');
    const third = (await manifestOf(replayed('one', 'two', 'three'))).manifest.replays;
    const before = { file: first['one']?.file, sha256: first['one']?.sha256 };
    expect(third['one']?.earlier).toMatchObject([before, { sha256: manifest.replays['one']?.sha256 }]);
    expect(third['three']).toEqual({ file: third['one']?.file, sha256: third['one']?.sha256, source: '../said.jsonl' });
    expect(await verifyRun(folder)).toMatchObject({ ok: true });
    rmSync(join(folder, before.file ?? ''));
    expect((await verifyRun(folder)).problems).toContain(`${before.file} is missing`);
  });

  test('a file with other changes is refused by run, plan and resume, with the first of them', async () => {
    record(...'abcdefghijk');
    const { manifest } = await manifestOf(replayed('one'));
    record(...'ABCDEFGHIJKL');
    const lines = [
      /said\.jsonl {2}this run uses its own copy .*/,
      / {2}- line 1, \{"loop":0\}: has another reply .*(\n {2}- .*){7}/,
      / {2}… and 3 more/,
      /Lines may be added\. .*--run ID/,
    ];
    const message = new RegExp(lines.map(({ source }) => source).join('\n'));
    await expect(planned(replayed('one'))).rejects.toThrow(message);
    await expect(prepareToContinue(folderHome(folder), manifest)).rejects.toThrow(message);
    const file = await readSpecFile(join(runsDir, 'spec.yaml'));
    const benchmarks = await loadBenchmarks(file);
    await expect(findEarlierRun({ ...file, runsDir, runId: 'r' }, benchmarks)).rejects.toThrow(message);
    expect(await readManifest(folder)).toEqual(manifest);
  });

  test('a resume copies added replies, and uses its own copy if the file is missing', async () => {
    record('a');
    const { manifest } = await manifestOf(replayed('one'));
    record('a', 'b');
    const taken = await prepareToContinue(folderHome(folder), manifest);
    expect([taken.grown.length, taken.missing, taken.manifest.replays['one']?.earlier?.length]).toEqual([1, [], 1]);
    rmSync(join(runsDir, 'said.jsonl'));
    const again = await prepareToContinue(folderHome(folder), taken.manifest);
    expect(again).toMatchObject({
      grown: [],
      missing: [join(runsDir, 'said.jsonl')],
      manifest: { replays: taken.manifest.replays },
    });
  });

  test('two commands that copy two additions at once do not lose one silently', async () => {
    record('a');
    const { manifest } = await manifestOf(replayed('one'));
    const files = new Map([['one', join(runsDir, 'said.jsonl')]]);
    record('a', 'b');
    const early = await freshRecordings(folderHome(folder), manifest.replays, files);
    record('a', 'b', 'c');
    await expect(putFresh(runBlobs(folder), early)).rejects.toThrow(
      /said\.jsonl {2}this file, or the run's copy of it, changed/,
    );
    const late = withFresh(manifest.replays, await freshRecordings(folderHome(folder), manifest.replays, files));
    record('a', 'b');
    expect(() => withFresh(late, early)).toThrow(/changed while they were compared/);
  });

  test('a finished run keeps the copy its answers are from; extending it takes the larger one', async () => {
    record('a');
    const { manifest } = await manifestOf(replayed('one'));
    await setRunState(folderHome(folder), 'complete', null);
    await sealLedger(folder);
    record('a', 'b');
    const same = await manifestOf(replayed('one'));
    expect([same.grown, same.manifest.replays, (await verifyRun(folder)).sealed]).toEqual([[], manifest.replays, true]);
    const extended = await manifestOf(replayed('one', 'two'));
    expect([extended.change, extended.grown.length, extended.manifest.replays['one']?.earlier?.length]).toEqual([
      'extended',
      1,
      1,
    ]);
    expect(extended.manifest.replays['two']).not.toHaveProperty('earlier');
    record('A', 'b');
    await expect(planned(replayed('one', 'two'))).rejects.toThrow(InputError);
  });
});
