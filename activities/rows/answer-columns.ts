/**
 * Columns of `samples` that say what table `answers` says of a sample, so that a query need not look for it: by the
 * same rules as `analysis/answers/answers-sql.ts`, from the answers and calls of one page.
 */
import { excludedOutcomes, type Outcome } from '../../schemas/states.ts';
import type { Row } from '../../schemas/tables.ts';
import type { BroughtSample, CallRecord, SampleKey } from '../storage/ledger/records.ts';

/** @param verdicts on the program of one answer, one per suite: the first real failure, else the first excluded one */
export function outcomeColumns(verdicts: readonly Row[]): Row {
  let worst: Row | null = null;
  for (const row of verdicts) if (worst === null || comesBefore(row, worst)) worst = row;
  return {
    answer_suites: verdicts.length,
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

export type PaidSample = Pick<BroughtSample, 'callKey' | 'intent'> & { readonly key: Omit<SampleKey, 'page'> };
export type PaidCall = Pick<CallRecord, 'intent' | 'callKey' | 'n' | 'used' | 'latencyMs'> & {
  readonly key: Omit<SampleKey, 'page'>;
  readonly charge: { readonly usd: number | null } | null;
};

/** Of an answer that may share its calls with another: what they cost is found by the view. */
const shared: Row = { answer_calls: null, answer_usd: null, answer_ms: null };

/**
 * By sample, what its calls cost and how long the one that brought it took. Pages do not know of each other: the call
 * that brought an answer is in one page, so of all samples with that answer those of other pages say that they share.
 */
export function paidColumns(samples: readonly PaidSample[], calls: readonly PaidCall[]): (sample: PaidSample) => Row {
  const users = countsOf(samples);
  // A call for an answer that no sample of this page has: a sample of another page may, and does not know of the call.
  if (calls.some(({ callKey }) => !users.has(callKey))) return () => shared;
  const paid = paidByKey(samples, calls);
  const own = new Set(calls.map(({ intent }) => intent));
  return ({ callKey, intent }) =>
    users.get(callKey) === 1 && own.has(intent) ? sumOf(paid.get(callKey) ?? []) : shared;
}

function countsOf(samples: readonly PaidSample[]): ReadonlyMap<string, number> {
  const users = new Map<string, number>();
  for (const { callKey } of samples) users.set(callKey, (users.get(callKey) ?? 0) + 1);
  return users;
}

/** In the order of the calls. A call for several answers is stored under the key of its first. */
function paidByKey(samples: readonly PaidSample[], calls: readonly PaidCall[]): ReadonlyMap<string, PaidCall[]> {
  const draws = calls.some(({ n }) => n > 1) ? Map.groupBy(samples, ({ key }) => questionOf(key)) : null;
  const known = new Map<string, PaidCall[]>();
  for (const call of calls.toSorted((one, other) => one.intent - other.intent)) {
    const further = (draws?.get(questionOf(call.key)) ?? []).filter(({ key }) => isFurtherDraw(key, call));
    for (const key of [call.callKey, ...further.map(({ callKey }) => callKey)]) {
      const paid = known.get(key);
      if (paid === undefined) known.set(key, [call]);
      else paid.push(call);
    }
  }
  return known;
}

const questionOf = ({ cell, loop, step, ask }: PaidSample['key']): string => `${cell}/${loop}/${step}/${ask}`;

/** Whether the sample is an answer of this call other than its first, which has the call's key. */
function isFurtherDraw({ sample }: PaidSample['key'], { key, n }: PaidCall): boolean {
  const place = sample - key.sample;
  return place > 0 && place < n;
}

/** @param paid in the order of the calls */
function sumOf(paid: readonly PaidCall[]): Row {
  const costs = paid.flatMap(({ charge, n }) => (charge?.usd == null ? [] : charge.usd / n));
  const took = paid.find(({ used, latencyMs }) => used && latencyMs !== null);
  return {
    answer_calls: paid.length,
    answer_usd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0),
    answer_ms: took?.latencyMs ?? null,
  };
}
