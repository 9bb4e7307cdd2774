/** A ledger in a folder of its own, and calls to put into it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { page } from './ledger-calls.ts';

export { call, charge, go, keyOf, page, reply, verdict } from './ledger-calls.ts';

/** A folder that goes with the test that asks for it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An open ledger with one page of 1,000 cells. */
export async function newLedger(path = join(newFolder(), 'ledger.sqlite')): Promise<Ledger> {
  const ledger = openLedger(path);
  await ledger.addPages([{ page, study: 'loops', model: 'm', cells: 1000, revision: 1 }]);
  return ledger;
}
