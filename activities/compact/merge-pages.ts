/**
 * Merges the parts of a lane's sealed pages into few larger files: opening a file costs a reader as much as reading a
 * thousand rows. A file holds one model's rows of one study, in the order of the plan, so that a question about a model
 * opens one file, and one about a task reads a part of it.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Run } from '../runs/opened/run.ts';
import type { PartRecord } from '../storage/ledger/records.ts';
import type { StagedPart } from '../storage/parts/parts.ts';
import type { PartsChange } from '../storage/parts/publisher.ts';
import { clearSpent, exchange, publishExchange } from './exchange.ts';
import { mergeGroups } from './merge-groups.ts';
import { type Merging, openMerging } from './merging/open-merging.ts';
import { partFile } from './part-bytes.ts';
import { numberOf, stageMerged } from './stage-merged.ts';

/** Bytes of spent files that may wait for the next manifest. */
const mostSpentBytes = 256 * 1024 * 1024;

/** Idempotent. Call when all parts are in place. Throws `FencedError` for an old epoch. */
export async function mergePages(run: Run, epoch: number): Promise<void> {
  const merging = openMerging();
  try {
    await mergeLanes(run, epoch, merging);
  } finally {
    merging.end();
  }
}

async function mergeLanes(run: Run, epoch: number, merging: Merging): Promise<void> {
  let spentBytes = 0;
  for (const lane of mergeGroups(await run.ledger.parts(), (page) => run.page(page).rank)) {
    const { spent } = await mergeLane(run, epoch, lane, merging);
    spentBytes += spent.reduce((sum, { bytes }) => sum + bytes, 0);
    if (spentBytes < mostSpentBytes) continue;
    await clearSpent(run);
    spentBytes = 0;
  }
  await clearSpent(run);
}

/**
 * Merges the parts of a lane while the sweep goes on, if as many of its sealed pages have parts of their own: the
 * number of files, and with it the manifest, then stays small. Throws `FencedError` for an old epoch.
 * @param page any of the lane
 */
export async function mergeSealed(run: Run, epoch: number, page: string, leastPages: number): Promise<void> {
  const single = await run.ledger.singleParts(page);
  if (new Set(single.map((part) => part.page)).size < leastPages) return;
  // Another process may have registered parts that it has not moved into place yet.
  const placed = single.filter(({ path }) => run.home.parts.isInPlace(path));
  const merging = openMerging();
  try {
    for (const groups of mergeGroups(placed, (name) => run.page(name).rank))
      await publishExchange(run, (await mergeLane(run, epoch, groups, merging)).change);
  } finally {
    merging.end();
  }
}

async function mergeLane(
  run: Run,
  epoch: number,
  groups: readonly (readonly PartRecord[])[],
  merging: Merging,
): Promise<{ readonly spent: readonly PartRecord[]; readonly change: PartsChange }> {
  const merged: Merged[] = [];
  for (const parts of groups) {
    merged.push(...(await mergedPart(run, parts, merging)));
    await turn();
  }
  const spent = merged.flatMap(({ parts }) => parts);
  const staged = merged.map((one) => one.staged);
  return { spent, change: await exchange(run, epoch, spent, staged) };
}

interface Merged {
  readonly parts: readonly PartRecord[];
  readonly staged: StagedPart;
}

/** None if the parts have different columns: then they stay as they are. */
async function mergedPart(run: Run, parts: readonly PartRecord[], merging: Merging): Promise<Merged[]> {
  const [first] = parts as [PartRecord];
  const pages = pagesOf(parts);
  const names = Object.keys(pages);
  const files = await Promise.all(parts.map((part) => partFile(run, part)));
  const table = { name: first.table, schemaVersion: first.schemaVersion };
  const size = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const bytes = await merging.merge({ table, files }, size);
  if (bytes === null) return [];
  return [{ parts, staged: stageMerged(run, first, `${names[0]}-${numberOf(names.at(-1) ?? '')}`, pages, bytes) }];
}

const pagesOf = (parts: readonly PartRecord[]): Record<string, number> =>
  Object.fromEntries(parts.flatMap(({ page, rows, pages = { [page]: rows } }) => Object.entries(pages)));
