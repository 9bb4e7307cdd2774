/**
 * Merges the parts of a lane's sealed pages into few larger files: opening a file costs a reader as much as reading a
 * thousand rows. A file holds one model's rows of one study, in the order of the plan, so that a question about a model
 * opens one file, and one about a task reads a part of it.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Run } from '../runs/runs.ts';
import type { PartRecord } from '../storage/ledger/ledger.ts';
import type { StagedPart } from '../storage/parts/parts.ts';
import { clearSpent, exchange, partBytes } from './exchange.ts';
import { mergeGroups } from './merge-groups.ts';
import { numberOf, stageMerged } from './stage-merged.ts';

/** Bytes of spent files that may wait for the next manifest. */
const mostSpentBytes = 256 * 1024 * 1024;

/** Idempotent. Call when all parts are in place. Throws `FencedError` for an old epoch. */
export async function mergePages(run: Run, epoch: number): Promise<void> {
  let spentBytes = 0;
  for (const lane of mergeGroups(run.ledger.parts(), (page) => run.page(page).rank)) {
    const merged: Merged[] = [];
    for (const parts of lane) {
      merged.push(...mergedPart(run, parts));
      await turn();
    }
    const spent = merged.flatMap(({ parts }) => parts);
    await exchange(
      run,
      epoch,
      spent,
      merged.map(({ staged }) => staged),
    );
    spentBytes += spent.reduce((sum, { bytes }) => sum + bytes, 0);
    if (spentBytes < mostSpentBytes) continue;
    await clearSpent(run);
    spentBytes = 0;
  }
  await clearSpent(run);
}

interface Merged {
  readonly parts: readonly PartRecord[];
  readonly staged: StagedPart;
}

/** None if the parts have different columns: then they stay as they are. */
function mergedPart(run: Run, parts: readonly PartRecord[]): Merged[] {
  const [first, last] = [parts[0], parts.at(-1)] as [PartRecord, PartRecord];
  const files = parts.map((part) => partBytes(run, part));
  const staged = stageMerged(run, first, `${first.page}-${numberOf(last.page)}`, pagesOf(parts), files);
  return staged === null ? [] : [{ parts, staged }];
}

const pagesOf = (parts: readonly PartRecord[]): Record<string, number> =>
  Object.fromEntries(parts.map(({ page, rows }) => [page, rows]));
