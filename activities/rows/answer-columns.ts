/**
 * Columns of `samples` that say what table `answers` says of a sample, so that a query need not look for it: by the
 * same rules as `analysis/answers/answers-sql.ts`, from the rows of one page.
 */
import { excludedOutcomes, type Outcome } from '../../schemas/states.ts';
import type { Row } from '../../schemas/tables.ts';
import { cellKeyNames } from '../../schemas/tables/keys.ts';

/** A page's rows of these tables. */
export interface AnswerTables {
  readonly samples: readonly SampleRow[];
  readonly verdicts: readonly Row[];
  readonly calls: readonly Row[];
}

interface SampleRow {
  readonly row: Row;
  /** The call that brought the answer, of this page or of another. */
  readonly intent: number;
}

/** The rows of `samples` with these columns. */
export function withAnswerColumns({ samples, verdicts, calls }: AnswerTables): Row[] {
  const nameOf = namesAmong([...samples.map(({ row }) => row), ...calls]);
  const judged = Map.groupBy(verdicts, (row) => nameOf(row, 'sample'));
  const paid = paidAlone(samples, calls, nameOf);
  return samples.map((sample) => ({
    ...sample.row,
    ...outcomeColumns(judged.get(nameOf(sample.row, 'sample')) ?? []),
    ...paid(sample),
  }));
}

/** The name of a row's cell, loop and step with one more column. */
type NameOf = (row: Row, last: 'sample' | 'ask') => string;

/** Names of a page's rows, with only those columns of their cells that differ: long names cost much to look up. */
function namesAmong(rows: readonly Row[]): NameOf {
  const [first] = rows;
  const differing = cellKeyNames.filter((column) => rows.some((row) => row[column] !== first?.[column]));
  return (row, last) => {
    let name = `${row['loop']}\n${row['step']}\n${row[last]}`;
    for (const column of differing) name += `\n${row[column]}`;
    return name;
  };
}

/** Of several suites the first real failure, else the first excluded one, else the first. */
function outcomeColumns(verdicts: readonly Row[]): Row {
  const worst = verdicts.reduce<Row | null>(
    (known, row) => (known === null || comesBefore(row, known) ? row : known),
    null,
  );
  return {
    answer_suites: new Set(verdicts.map(({ suite }) => suite)).size,
    answer_outcome: worst?.['outcome'] ?? null,
    answer_suite: worst?.['suite'] ?? null,
    answer_case: worst?.['first_failing_case'] ?? null,
  };
}

const comesBefore = (row: Row, other: Row): boolean =>
  rankOf(row) === rankOf(other) ? isLess(row['suite'], other['suite']) : rankOf(row) < rankOf(other);

/** As DuckDB compares texts. */
const isLess = (one: Row[string] = null, other: Row[string] = null): boolean =>
  Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other))) < 0;

function rankOf({ outcome }: Row): number {
  if (outcome === 'pass') return 2;
  return excludedOutcomes.has(outcome as Outcome) ? 1 : 0;
}

/** Of an answer that may share its calls with another: what they cost is found by the view. */
const shared: Row = { answer_calls: null, answer_usd: null, answer_ms: null };

/**
 * By sample, what its calls cost and how long the one that brought it took. Pages do not know of each other: the call
 * that brought an answer is in one page, so of all samples with that answer those of other pages say that they share.
 */
function paidAlone(samples: readonly SampleRow[], calls: readonly Row[], nameOf: NameOf): (sample: SampleRow) => Row {
  const paid = paidByKey(samples, calls, nameOf);
  const users = Map.groupBy(samples, ({ row }) => keyOf(row));
  // A call for an answer that no sample of this page has: a sample of another page may, and does not know of the call.
  if (calls.some((call) => !users.has(keyOf(call)))) return () => shared;
  const own = new Set(calls.map(({ call }) => call));
  return ({ row, intent }) => {
    const isAlone = users.get(keyOf(row))?.length === 1 && own.has(intent);
    return isAlone ? sumOf(paid.get(keyOf(row)) ?? []) : shared;
  };
}

/** In the order of the calls. A call for several answers is stored under the key of its first. */
function paidByKey(samples: readonly SampleRow[], calls: readonly Row[], nameOf: NameOf): Map<string, Paid[]> {
  const areSeveral = calls.some(({ n }) => Number(n) > 1);
  const draws = areSeveral ? Map.groupBy(samples, ({ row }) => nameOf(row, 'ask')) : null;
  const known = new Map<string, Paid[]>();
  for (const call of calls.toSorted((one, other) => Number(one['call']) - Number(other['call']))) {
    const further = (draws?.get(nameOf(call, 'ask')) ?? []).filter(({ row }) => isFurtherDraw(row, call));
    for (const key of [keyOf(call), ...further.map(({ row }) => keyOf(row))]) {
      const paid = known.get(key) ?? [];
      paid.push(paidBy(call));
      known.set(key, paid);
    }
  }
  return known;
}

const keyOf = (row: Row): string => String(row['call_key']);

interface Paid {
  readonly usd: number | null;
  readonly latencyMs: number | null;
  readonly used: boolean;
}

const paidBy = ({ usd, n, latency_ms: latency, used }: Row): Paid => ({
  usd: typeof usd === 'number' ? usd / Number(n) : null,
  latencyMs: typeof latency === 'number' ? latency : null,
  used: used === true,
});

/** Whether the sample is an answer of this call other than its first, which has the call's key. */
function isFurtherDraw({ sample }: Row, call: Row): boolean {
  const place = Number(sample) - Number(call['sample']);
  return place > 0 && place < Number(call['n']);
}

/** @param paid in the order of the calls */
function sumOf(paid: readonly Paid[]): Row {
  const costs = paid.flatMap(({ usd }) => usd ?? []);
  const took = paid.find(({ used, latencyMs }) => used && latencyMs !== null);
  return {
    answer_calls: paid.length,
    answer_usd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0),
    answer_ms: took?.latencyMs ?? null,
  };
}
