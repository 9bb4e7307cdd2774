/** A run that goes on, for pages of `watch`: stored results of some of its models, and a ledger with their calls. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger } from '../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { slug } from '../../domain/ids.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { call, charge, keyOf, reply } from '../activities/storage/ledger/ledger-calls.ts';
import { type SampleModel, writeSampleRun } from '../analysis/sample-run.ts';

const watchedModels: readonly SampleModel[] = ['first', 'second', 'third'].map((id, place) => ({
  ...{ id, family: null, simulated: true },
  ...{ first: 0.9 - 0.2 * place, later: 0.8 },
}));
const tasks = 30;

const pageOf = (model: string): string => `${slug('loops')}/${model}-0/r1p0000`;

export interface WatchedRun {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Shows the results of the first n models as stored, as a run does: the manifest is replaced at once. */
  store(models: number, more?: Partial<Manifest>): void;
}

/** Two answers (400 and 600 ms) and a failure of `first`, one open call of `second`; no process works on it. */
export async function writeWatchedRun(folder: string, runId: string, stored = 1): Promise<WatchedRun> {
  await writeLedger(folder);
  const run = { runId, models: watchedModels, tasks, maxLoops: 3, judge: null, withAsl: false, missing: 0 };
  const manifest = await writeSampleRun(folder, run, { state: 'running', finishedAt: null });
  const store: WatchedRun['store'] = (models, more = {}) => {
    const shown = watchedModels.slice(0, models).map(({ id }) => pageOf(id));
    const parts = manifest.parts.filter(({ page }) => page === 'run' || shown.includes(page));
    const aside = join(folder, '.manifest.new');
    writeFileSync(aside, JSON.stringify({ ...manifest, ...more, parts }));
    renameSync(aside, join(folder, 'manifest.json'));
  };
  store(stored);
  return { folder, manifest, store };
}

async function writeLedger(folder: string): Promise<void> {
  const ledger = openLedger(join(folder, 'ledger.sqlite'));
  const pages = watchedModels.map(({ id }) => ({ page: pageOf(id), study: 'loops', model: id }));
  await ledger.addPages(pages.map((page) => ({ ...page, cells: tasks, revision: 1 })));
  const epoch = await ledger.takeOver('someone');
  const ask = async (model: string, cell: number): Promise<number> => {
    const page = pageOf(model);
    const fence = await ledger.openUnit(`${page} ${cell}`, epoch);
    const key = { page, cell, step: 'generate' as const, loop: 1, ask: 0, sample: 0 };
    const asked = { ...call(cell), key, model, answeringModel: model, callKeys: [keyOf(`${model} ${cell}`)] };
    const reserved = await ledger.reserve(fence, asked);
    if (reserved.kind !== 'go') throw new Error(`expected to ask, got ${reserved.kind}`);
    return reserved.intent;
  };
  for (const [cell, latencyMs] of [400, 600].entries())
    await ledger.commit(await ask('first', cell), [reply('def f(): pass')], charge(0.01), latencyMs);
  await ledger.fail(await ask('first', 2), 'HTTP 503: the model is <b>loading</b>', charge(0, 0), 5);
  await ask('second', 0);
  await ledger.markCellsDone(pageOf('first'), 2);
  await ledger.close();
}
