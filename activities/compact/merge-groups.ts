/** Which parts are merged with each other. */
import { tables } from '../../schemas/tables.ts';
import type { PartRecord } from '../storage/ledger/ledger.ts';

/** Fewer pages than these are as quick to open. */
const leastPages = 4;
/** In bytes of Parquet: all rows of a merged part are in memory while it is written. */
const mostBytes = 16 * 1024 * 1024;

/**
 * By lane and revision, the groups of parts of one table that become one file each. Parts of the whole run and merged
 * parts are in none.
 * @param rankOf position of a page in the plan
 */
export function mergeGroups(parts: readonly PartRecord[], rankOf: (page: string) => number): PartRecord[][][] {
  const single = parts.filter(({ page, pages, table }) => page !== 'run' && pages === undefined && table in tables);
  const lanes = Map.groupBy(single, ({ page, revision }) => `${page.slice(0, page.lastIndexOf('/'))} ${revision}`);
  return [...lanes.values()].map((lane) => laneGroups(lane, rankOf)).filter((groups) => groups.length > 0);
}

function laneGroups(lane: readonly PartRecord[], rankOf: (page: string) => number): PartRecord[][] {
  const ofTables = Map.groupBy(lane, ({ table, schemaVersion }) => `${table} ${schemaVersion}`);
  return [...ofTables.values()]
    .filter(({ length }) => length >= leastPages)
    .flatMap((ofTable) => ofSize(ofTable.toSorted((a, b) => rankOf(a.page) - rankOf(b.page))))
    .filter(({ length }) => length > 1);
}

/** In their order, as many in a group as fit. */
function ofSize(parts: readonly PartRecord[]): PartRecord[][] {
  const groups: PartRecord[][] = [];
  let room = 0;
  for (const part of parts) {
    room -= part.bytes;
    if (room < 0) {
      groups.push([]);
      room = mostBytes - part.bytes;
    }
    groups.at(-1)?.push(part);
  }
  return groups;
}
