/** Finds the recorded line that answers a call: all its fields match, and no other matching line has more fields. */
import type { CallCoordinates } from '../../schemas/chat.ts';
import { coordinatesText, selectors, valuesOfCall } from './replay-line.ts';
import type { ReplayLine, Selector, SelectorValues } from './replay-line.ts';

/** Place of a line in its file. */
export interface LinePlace {
  /** From 1. */
  readonly number: number;
  readonly startByte: number;
  readonly lengthBytes: number;
  /** Which request the line says that it answers, as `requestOfLine` has it; null if it does not say. */
  readonly request: number | null;
}

/** All lines with the same set of fields, by the values of those fields. */
interface FieldSet {
  readonly fields: readonly Selector[];
  readonly lines: Map<string, LinePlace>;
}

export interface ReplayIndex {
  /** Throws if an earlier line has the same fields with the same values. */
  add(values: SelectorValues, place: LinePlace): void;
  /** Throws if two lines with equally many fields could answer the same call. Call after all lines are added. */
  refuseOverlaps(): void;
  /**
   * The most specific matching lines; empty if there are none, several only when `task_id` names one task in two ways.
   */
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
    if (fieldSet.lines.size === 1)
      mostSpecificFirst = [...fieldSets.values()].sort((a, b) => b.fields.length - a.fields.length);
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

/** Two lines with different field sets can answer the same call if they agree on their common fields. */
function refuseOverlap(first: FieldSet, second: FieldSet): void {
  const shared = first.fields.filter((field) => second.fields.includes(field));
  const byShared = new Map([...first.lines].map(([key, place]) => [projected(key, first.fields, shared), place]));
  for (const [key, place] of second.lines) {
    const other = byShared.get(projected(key, second.fields, shared));
    if (other !== undefined) throw new Error(clash(other, place, [...new Set([...first.fields, ...second.fields])]));
  }
}

const keyOf = (values: SelectorValues, fields: readonly Selector[]): string =>
  JSON.stringify(fields.map((field) => values[field]));

function projected(key: string, fields: readonly Selector[], onto: readonly Selector[]): string {
  const values: unknown[] = JSON.parse(key);
  return JSON.stringify(onto.map((field) => values[fields.indexOf(field)]));
}

const clash = (first: LinePlace, second: LinePlace, fields: readonly Selector[]): string =>
  `lines ${Math.min(first.number, second.number)} and ${Math.max(first.number, second.number)} are equally ` +
  'specific and can answer the same call; ' +
  `make one of them more specific, or remove one (their fields: ${fields.join(', ') || 'none'})`;

/**
 * Finds the recorded line whose request differs from a call's only by white space that says nothing: of a run that is
 * judged again under a rule that reads the same answers with other white space.
 */
export interface PlainIndex {
  add(line: ReplayLine, place: LinePlace): void;
  /** The line at the call's place in the study; none if there are several, since which of them was meant is unknown. */
  find(call: CallCoordinates): LinePlace[];
}

export function createPlainIndex(): PlainIndex {
  const lines = new Map<string, LinePlace[]>();
  return {
    add(line, place) {
      if (line.plain_sha256 === undefined) return;
      const key = coordinatesText({ ...line, request_sha256: line.plain_sha256 });
      lines.set(key, [...(lines.get(key) ?? []), place]);
    },
    find({ plainSha256, ...call }) {
      if (plainSha256 === undefined) return [];
      const keys = valuesOfCall({ ...call, requestSha256: plainSha256 }).map(coordinatesText);
      const found = keys.flatMap((key) => lines.get(key) ?? []);
      return found.length === 1 ? found : [];
    },
  };
}
