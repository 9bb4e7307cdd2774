/** Which parts are merged with each other. */
import { tables } from '../../schemas/tables.ts';
import type { PartRecord } from '../storage/ledger/records.ts';

/** Fewer pages than these are as quick to open. */
const leastPages = 4;
/**
 * In bytes of Parquet: all rows of a merged part are in memory while it is written, some ten times as large, and the
 * Parquet library never gives back what it took for the largest one.
 */
const mostBytes = 4 * 1024 * 1024;
/** A larger part is large enough. */
const largeBytes = mostBytes / 2;

/**
 * By lane and revision, the groups of parts of one table that become one file each. Parts of the whole run and large
 * parts are in none.
 * @param rankOf position of a page in the plan
 */
export function mergeGroups(parts: readonly PartRecord[], rankOf: (page: string) => number): PartRecord[][][] {
  const small = parts.filter(
    ({ page, bytes, table }) => page !== 'run' && bytes < largeBytes && Object.hasOwn(tables, table),
  );
  const lanes = Map.groupBy(small, ({ page, revision }) => `${page.slice(0, page.lastIndexOf('/'))} ${revision}`);
  return [...lanes.values()].map((lane) => laneGroups(lane, rankOf)).filter((groups) => groups.length > 0);
}

function laneGroups(lane: readonly PartRecord[], rankOf: (page: string) => number): PartRecord[][] {
  const ofTables = Map.groupBy(lane, ({ table, schemaVersion }) => `${table} ${schemaVersion}`);
  return [...ofTables.values()]
    .filter(({ length }) => length >= leastPages)
    .flatMap((ofTable) => ofSize(ofTable.toSorted((a, b) => rankOf(firstPage(a)) - rankOf(firstPage(b)))))
    .filter(({ length }) => length > 1);
}

/** Of those whose rows the part holds. */
const firstPage = ({ page, pages = { [page]: 0 } }: PartRecord): string => Object.keys(pages)[0] ?? page;

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
