/** The verdicts that differ when the same replies are judged under two extraction rules. */
import { tables, type Row } from '../../schemas/tables.ts';
import { compareByColumns } from './row-order.ts';

const key = tables.moved_verdicts.key;

/**
 * @param run id of the run that the rows are made for
 * @param before rows of `verdicts` of the run that the replies come from
 * @param now rows of `verdicts` of this run
 */
export function movedRows(run: string, before: readonly Row[], now: readonly Row[]): Row[] {
  const placeOf = (row: Row): string => JSON.stringify(key.filter((name) => name !== 'run').map((name) => row[name]));
  const nowAt = new Map(now.map((row) => [placeOf(row), row]));
  const beforeAt = new Map(before.map((row) => [placeOf(row), row]));
  return [...new Set([...beforeAt.keys(), ...nowAt.keys()])]
    .flatMap((place) => {
      const [old, fresh] = [beforeAt.get(place), nowAt.get(place)];
      const at = fresh ?? old;
      return at === undefined || old?.['outcome'] === fresh?.['outcome'] ? [] : [movedRow(run, at, old, fresh)];
    })
    .toSorted(compareByColumns(key));
}

function movedRow(run: string, at: Row, old: Row | undefined, fresh: Row | undefined): Row {
  const [before, now] = [old?.['outcome'] ?? null, fresh?.['outcome'] ?? null];
  const place = Object.fromEntries(key.map((name) => [name, at[name] ?? null]));
  return { ...place, run, before, now, moved: howMoved(before, now), simulated: at['simulated'] ?? false };
}

function howMoved(before: Row[string], now: Row[string]): string {
  if (now === null) return 'only_before';
  if (before === null) return 'only_now';
  if (now === 'pass') return 'now_pass';
  return before === 'pass' ? 'no_longer_pass' : 'other_outcome';
}
