/** Seals pages: rows to Parquet parts, parts to the ledger, the ledger's list to the manifest. Repeating it changes nothing. */
import { setImmediate as turn } from 'node:timers/promises';
import { slug } from '../domain/ids.ts';
import { tables, type Row, type TableName } from '../schemas/tables.ts';
import type { PageRef } from '../schemas/steps.ts';
import type { Heartbeat, StepAttempt } from './heartbeat.ts';
import { pageRows } from './page-rows.ts';
import type { Run, RunPage, Runs } from './runs.ts';
import type { Fence, PartRecord } from './storage/ledger.ts';
import { publishManifest, refuseOldEpoch } from './storage/manifest.ts';
import { encodeTable } from './storage/parquet.ts';
import { pagePartPath, stagePart, type StagedPart } from './storage/parts.ts';

export interface SealDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
}

export const createSeal = ({ runs, heartbeat }: SealDependencies) => ({
  sealPage: (ref: PageRef): Promise<void> => heartbeat(async (_signal, at) => seal(await runs.page(ref), ref.run.epoch, at)),
});

export const createFailPage = (runs: Runs) => ({
  failPage: async ({ reason, ...ref }: PageRef & { reason: string }): Promise<void> => {
    const page = await runs.page(ref);
    page.run.ledger.openUnit(`${page.page}/fail`, ref.run.epoch);
    page.run.ledger.failPage(ref.page, reason);
  },
});

async function seal(page: RunPage, epoch: number, { step, attempt }: StepAttempt): Promise<void> {
  const { ledger, publisher } = page.run;
  const fence = ledger.openUnit(`${page.page}/seal/${step}`, epoch, attempt);
  // A sealed page is never written again: a reply that came late may have changed its rows of `calls` since.
  if (ledger.pageState(page.page) !== 'sealed') await writePage(page, fence);
  publisher.soon();
}

async function writePage(page: RunPage, fence: Fence): Promise<void> {
  const rows = await pageRows(page);
  const staged: StagedPart[] = [];
  for (const name of Object.keys(rows) as TableName[]) {
    staged.push(stageTable(page, name, rows[name] ?? []));
    await turn();
  }
  await publishParts(staged, (records, publish) => page.run.ledger.sealPage(fence, page.page, records, publish));
}

function stageTable(page: RunPage, name: TableName, rows: readonly Row[]): StagedPart {
  const table = tables[name];
  const path = pagePartPath(table.name, page.study.name, page.model, page.page.slice(page.page.lastIndexOf('/') + 1), page.revision);
  const description = { path, table: name, page: page.page, revision: page.revision, schemaVersion: table.schemaVersion };
  return stagePart(page.run.folder, description, rows.length, encodeTable(table, rows));
}

export type RunTables = Partial<Record<TableName, readonly Row[]>>;

/** Writes tables of the whole run; the newest revision replaces the one before. Throws `FencedError` for an old epoch. */
export async function writeRunTables(run: Run, epoch: number, revision: number, rows: RunTables): Promise<void> {
  const staged = (Object.keys(rows) as TableName[]).map((name) => stageRunTable(run, name, revision, rows[name] ?? []));
  await publishParts(staged, (records, publish) =>
    run.ledger.saveRunParts(records, () => {
      refuseOldEpoch(run.ledger, epoch);
      publish();
    }),
  );
  await publishManifest(run.folder, run.ledger);
}

function stageRunTable(run: Run, name: TableName, revision: number, rows: readonly Row[]): StagedPart {
  const table = tables[name];
  const path = `${name}/${slug(run.runId)}.r${revision}.parquet`;
  const description = { path, table: name, page: 'run', revision, schemaVersion: table.schemaVersion };
  return stagePart(run.folder, description, rows.length, encodeTable(table, rows));
}

type Register = (records: readonly PartRecord[], publish: () => void) => void;

/** `register` calls `publish` inside its transaction, so that files change only together with what the ledger says of them. */
async function publishParts(staged: readonly StagedPart[], register: Register): Promise<void> {
  try {
    await Promise.all(staged.map(({ durable }) => durable));
    register(
      staged.map(({ record }) => record),
      () => {
        for (const { publish } of staged) publish();
      },
    );
  } finally {
    for (const { discard } of staged) discard();
  }
}
