/** Seals pages: writes rows to Parquet parts, parts to the ledger, the ledger's list to the manifest. Idempotent. */
import { setImmediate as turn } from 'node:timers/promises';
import { pagePartStem, runPartStem } from '../domain/part-paths.ts';
import { tables, type Row, type TableName } from '../schemas/tables.ts';
import type { PageRef } from '../schemas/steps.ts';
import { mergeSealed } from './compact/merge-pages.ts';
import type { Heartbeat, StepAttempt } from './heartbeat.ts';
import { pageRows } from './rows/page-rows.ts';
import type { Run, RunPage } from './runs/opened/run.ts';
import type { Runs } from './runs/runs.ts';
import type { Fence } from './storage/ledger/fence.ts';
import { publishManifest } from './storage/manifest.ts';
import type { EncodedTable } from './storage/parts/encoded-tables.ts';
import { encodeTable } from './storage/parts/parquet.ts';
import type { PartsChange } from './storage/parts/publisher.ts';
import type { StagedPart } from './storage/parts/parts.ts';
import { publishStaged } from './storage/parts/publish-staged.ts';

export interface SealDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  /**
   * Sealed pages of a lane whose parts are merged while the sweep goes on; null in a process that calls models, which
   * would answer late meanwhile.
   */
  readonly mergedPages: number | null;
}

/** Some hundred files in a lane of the widest study. */
export const mergedPages = 64;

export const createSeal = ({ runs, heartbeat, mergedPages: least }: SealDependencies) => ({
  sealPage: (ref: PageRef): Promise<void> =>
    heartbeat(async (_signal, at) => {
      const page = await runs.page(ref);
      await seal(page, ref.run.epoch, at);
      if (least !== null) await merge(page, ref.run.epoch, least);
    }),
});

/** The page is sealed: what cannot be merged now is merged when the sweep ends, or the fault is told then. */
const merge = (page: RunPage, epoch: number, least: number): Promise<void> =>
  mergeSealed(page.run, epoch, page.page, least).catch(() => {});

export const createFailPage = (runs: Runs) => ({
  failPage: async ({ reason, ...ref }: PageRef & { reason: string }): Promise<void> => {
    const page = await runs.page(ref);
    await page.run.ledger.openUnit(`${page.page}/fail`, ref.run.epoch);
    await page.run.ledger.failPage(ref.page, reason);
  },
});

async function seal(page: RunPage, epoch: number, { step, attempt }: StepAttempt): Promise<void> {
  const { ledger, publisher } = page.run;
  const fence = await ledger.openUnit(`${page.page}/seal/${step}`, epoch, attempt);
  // A sealed page is never rewritten: a late reply may have changed its rows of `calls` since.
  const isSealed = (await ledger.pageState(page.page)) === 'sealed';
  publisher.soon(isSealed ? 'all' : await writePage(page, fence));
}

async function writePage(page: RunPage, fence: Fence): Promise<PartsChange> {
  page.run.home.refuseMoved();
  const rows = await pageRows(page);
  const staged: StagedPart[] = [];
  for (const name of Object.keys(rows) as TableName[]) {
    staged.push(stageTable(page, name, rows[name] ?? []));
    await turn();
  }
  return publishStaged(page.run.home.parts, staged, (records) => page.run.ledger.sealPage(fence, page.page, records));
}

export function stageTable(page: RunPage, name: TableName, rows: readonly Row[]): StagedPart {
  const table = tables[name];
  const stem = pagePartStem(table.name, page.study.name, page.model, page.page.slice(page.page.lastIndexOf('/') + 1));
  const description = { table: name, page: page.page, revision: page.revision, schemaVersion: table.schemaVersion };
  return page.run.home.parts.stage(stem, description, rows.length, encodeTable(table, rows));
}

/**
 * Replaces tables of the whole run. Throws `FencedError` for an old epoch.
 * @param encode hands over one table after the other: each goes to disk before the next one is there
 */
export async function writeRunTables(
  run: Run,
  epoch: number,
  revision: number,
  encode: (take: (table: EncodedTable) => void) => Promise<void>,
): Promise<void> {
  run.home.refuseMoved();
  const staged: StagedPart[] = [];
  try {
    await encode((table) => staged.push(stageRunTable(run, revision, table)));
  } catch (error) {
    for (const { discard } of staged) discard();
    throw error;
  }
  await publishStaged(run.home.parts, staged, (records) => run.ledger.replaceParts(epoch, records));
  await publishManifest(run.home, run.ledger);
}

function stageRunTable(run: Run, revision: number, { table: name, rows, bytes }: EncodedTable): StagedPart {
  const description = { table: name, page: 'run', revision, schemaVersion: tables[name].schemaVersion };
  return run.home.parts.stage(runPartStem(name, run.runId), description, rows, bytes);
}
