/** Which recorded line answers a call: all its given fields match, and none that also matches gives more fields. */
import { selectors } from './replay-line.ts';
import type { Selector, SelectorValues } from './replay-line.ts';

/** Where a line is in its file. */
export interface LinePlace {
  /** From 1. */
  readonly number: number;
  readonly startByte: number;
  readonly lengthBytes: number;
}

/** All lines that give the same set of fields, by those fields' values. */
interface FieldSet {
  readonly fields: readonly Selector[];
  readonly lines: Map<string, LinePlace>;
}

export interface ReplayIndex {
  /** Throws when an earlier line gives the same fields with the same values. */
  add(values: SelectorValues, place: LinePlace): void;
  /** Throws when two lines that give equally many fields could both answer one call. Call it when all lines are in. */
  refuseOverlaps(): void;
  /** The most specific matching lines, empty for none; several only when `task_id` names one task in two ways. */
  find(calls: readonly SelectorValues[]): LinePlace[];
}

export function createReplayIndex(): ReplayIndex {
  const fieldSets = new Map<string, FieldSet>();
  let mostSpecificFirst: FieldSet[] = [];

  function add(values: SelectorValues, place: LinePlace): void {
    const fields = selectors.filter((field) => values[field] !== undefined);
    const name = fields.join();
    const fieldSet = fieldSets.get(name) ?? { fields, lines: new Map() };
    fieldSets.set(name, fieldSet);
    const key = keyOf(values, fields);
    const earlier = fieldSet.lines.get(key);
    if (earlier !== undefined) throw new Error(clash(earlier, place, fields));
    fieldSet.lines.set(key, place);
    if (fieldSet.lines.size === 1) mostSpecificFirst = [...fieldSets.values()].sort((a, b) => b.fields.length - a.fields.length);
  }

  function refuseOverlaps(): void {
    for (const [order, first] of mostSpecificFirst.entries()) {
      for (const second of mostSpecificFirst.slice(order + 1)) {
        if (second.fields.length === first.fields.length) refuseOverlap(first, second);
      }
    }
  }

  function find(calls: readonly SelectorValues[]): LinePlace[] {
    let found: LinePlace[] = [];
    let fieldCount = 0;
    for (const { fields, lines } of mostSpecificFirst) {
      if (found.length > 0 && fields.length < fieldCount) break;
      const matching = calls.flatMap((values) => lines.get(keyOf(values, fields)) ?? []);
      if (matching.length > 0) fieldCount = fields.length;
      found = [...new Set([...found, ...matching])];
    }
    return found;
  }

  return { add, refuseOverlaps, find };
}

/** Lines of different field sets can answer one call when they agree on the fields that both give. */
function refuseOverlap(first: FieldSet, second: FieldSet): void {
  const shared = first.fields.filter((field) => second.fields.includes(field));
  const byShared = new Map([...first.lines].map(([key, place]) => [projected(key, first.fields, shared), place]));
  for (const [key, place] of second.lines) {
    const other = byShared.get(projected(key, second.fields, shared));
    if (other !== undefined) throw new Error(clash(other, place, [...new Set([...first.fields, ...second.fields])]));
  }
}

const keyOf = (values: SelectorValues, fields: readonly Selector[]): string => JSON.stringify(fields.map((field) => values[field]));

function projected(key: string, fields: readonly Selector[], onto: readonly Selector[]): string {
  const values: unknown[] = JSON.parse(key);
  return JSON.stringify(onto.map((field) => values[fields.indexOf(field)]));
}

const clash = (first: LinePlace, second: LinePlace, fields: readonly Selector[]): string =>
  `lines ${Math.min(first.number, second.number)} and ${Math.max(first.number, second.number)} are equally specific and can answer the same call; ` +
  `make one of them more specific, or remove one (fields they give: ${fields.join(', ') || 'none'})`;
