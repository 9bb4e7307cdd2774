/**
 * Rows of tables `chain_scores` and `chain_failures` from rows of `chains` and `translations`.
 * Input order does not matter. Of chains with a step that could not be judged counts what is known: no estimate is
 * outside of what all chains may be, and intervals have all that they may be.
 */
import type { ChainEnding } from '../../../schemas/states.ts';
import { type Row, tables } from '../../../schemas/tables.ts';
import { boundedMeanMethod, openMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { clusteredInterval } from '../../../domain/statistics/intervals/clustered-interval.ts';
import { defaultLevel, type Interval } from '../../../domain/statistics/intervals/interval.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import { type Ends, isKnown, type KnownChain, knownChain, type PassedChain, possible } from './known-steps.ts';
import { type ChainScoring, chainPoints, chainScore } from './score.ts';
import { compareByColumns, groupByColumns, keyOf, numberOf, textOf } from '../../../domain/metrics/row-order.ts';

export interface ChainSettings {
  readonly scoring: ChainScoring;
}

const share = { lo: 0, hi: 1 };

/** Maximum number of task ids listed in a row of `chain_failures`. */
const listedTasks = 20;

/** One row per model, benchmark and setting, in key order. */
export function chainScoreRows(chains: readonly Row[], translations: readonly Row[], settings: ChainSettings): Row[] {
  const key = tables.chain_scores.key;
  const steps = Map.groupBy(translations, (row) => keyOf(row, key));
  return groupByColumns(chains.toSorted(compareByColumns(tables.chains.key)), key).map((group) =>
    scoreRow(group, steps.get(keyOf(group[0] as Row, key)) ?? [], settings),
  );
}

function scoreRow(group: readonly Row[], translations: readonly Row[], { scoring }: ChainSettings): Row {
  const first = group[0] as Row;
  const steps = numberOf(first, 'steps');
  const started = group.filter((row) => (row['ended_by'] as ChainEnding) !== 'start_failed');
  const asked = Map.groupBy(translations, (row) => keyOf(row, tables.chains.key));
  const chains = started.map((row) => knownChain(row, asked.get(keyOf(row, tables.chains.key)) ?? []));
  const pointsOf = endsOf((chain) => chainPoints(chain, steps, scoring));
  const counted = chains.filter((chain) => isKnown(pointsOf(chain))).map(({ least }) => least);
  const score = chainScore(counted, steps, scoring);
  return {
    ...Object.fromEntries(tables.chain_scores.key.map((column) => [column, first[column] ?? null])),
    languages: languagesOf(translations),
    steps,
    scoring,
    ...estimate('score', score, chains, pointsOf, { lo: 0, hi: steps }),
    ...shareColumns(chains, steps, scoring),
    passed: Array.from(
      { length: steps },
      (_, place) => counted.filter((chain) => hasPassed(chain, place + 1, scoring)).length,
    ),
    level: defaultLevel,
    confidence: defaultLevel,
    method: counted.length === chains.length ? boundedMeanMethod : openMethod,
    n: counted.length,
    n_start_failed: group.length - started.length,
    n_excluded: chains.length - counted.length,
    reason: score === null ? 'there are no cells that count' : null,
    simulated: group.some((row) => row['simulated'] === true),
  };
}

/** With `squares` only if all earlier steps passed. */
const hasPassed = ({ passed, sustainedSteps }: PassedChain, step: number, scoring: ChainScoring): boolean =>
  scoring === 'squares' ? sustainedSteps >= step : passed.has(step);

type EndsOf = (chain: KnownChain) => Ends;

const endsOf =
  (value: (chain: PassedChain) => number): EndsOf =>
  ({ least, most }) => [value(least), value(most)];

/** pass@1 and the drop, each of the chains of which it is known. */
function shareColumns(chains: readonly KnownChain[], steps: number, scoring: ChainScoring): Row {
  const passedAt = (step: number): EndsOf => endsOf((chain) => Number(hasPassed(chain, step, scoring)));
  const [atFirst, atLast] = [passedAt(1), passedAt(steps)];
  // With a single step it is compared with itself; with `squares` no chain passes the last step only.
  const dropOf: EndsOf = (chain) => {
    const [first, last] = [atFirst(chain), atLast(chain)];
    if (steps === 1) return [0, 0];
    return [Math.max(scoring === 'squares' ? 0 : -1, first[0] - last[1]), first[1] - last[0]];
  };
  const known = (of: EndsOf): number | null => mean(chains.map(of).flatMap((ends) => (isKnown(ends) ? [ends[0]] : [])));
  return {
    ...estimate('pass_at_1', known(atFirst), chains, atFirst, share),
    ...estimate('drop', known(dropOf), chains, dropOf, { lo: scoring === 'squares' ? 0 : -1, hi: 1 }),
  };
}

/** With the interval from the least values of all chains to their most. */
function estimate(
  name: string,
  value: number | null,
  chains: readonly KnownChain[],
  ends: EndsOf,
  bounds: Interval,
): Row {
  const tasks = [...Map.groupBy(chains, ({ least }) => least.taskId).values()];
  const over = (end: 0 | 1): Interval | null =>
    value === null ? null : clusteredInterval(tasks, (chain) => ends(chain)[end], bounds);
  const all = chains.map(ends);
  const low = over(0);
  const high = all.every(isKnown) ? low : over(1);
  return { [name]: possible(value, all), [`${name}_lo`]: low?.lo ?? null, [`${name}_hi`]: high?.hi ?? null };
}

/** `python > php > ruby`, as far as any cell got. */
function languagesOf(translations: readonly Row[]): string {
  const byStep = translations.toSorted((a, b) => numberOf(a, 'loop') - numberOf(b, 'loop'));
  const targets = new Map(byStep.map((row) => [numberOf(row, 'loop'), textOf(row, 'target_language')]));
  const start = byStep[0] === undefined ? [] : [textOf(byStep[0], 'source_language')];
  return [...start, ...targets.values()].join(' > ');
}

/** Counts of translations by step and outcome, including `pass`. */
export function chainFailureRows(translations: readonly Row[]): Row[] {
  const key = tables.chain_failures.key;
  const attempts = translations.map((row): Row => ({ ...row, step: row['loop'] ?? null }));
  const sorted = attempts.toSorted(compareByColumns([...key, 'task_id', 'repetition']));
  const attempted = Map.groupBy(sorted, (row) => keyOf(row, key.slice(0, -1)));
  const shareOf = (all: readonly Row[], outcome: Row[string] | undefined): Interval | null =>
    clusteredInterval(
      [...Map.groupBy(all, (row) => textOf(row, 'task_id')).values()],
      (row) => Number(row['outcome'] === outcome),
      share,
    );
  return groupByColumns(sorted, key).map((group) => {
    const first = group[0] as Row;
    const all = attempted.get(keyOf(first, key.slice(0, -1))) ?? group;
    const interval = shareOf(all, first['outcome']);
    const tasks = [...new Set(group.map((row) => textOf(row, 'task_id')))];
    return {
      ...Object.fromEntries(key.map((column) => [column, first[column] ?? null])),
      source_language: first['source_language'] ?? null,
      target_language: first['target_language'] ?? null,
      n: group.length,
      attempted: all.length,
      share: group.length / all.length,
      share_lo: interval?.lo ?? null,
      share_hi: interval?.hi ?? null,
      level: defaultLevel,
      confidence: defaultLevel,
      method: boundedMeanMethod,
      tasks: tasks.slice(0, listedTasks).join(', '),
      simulated: group.some((row) => row['simulated'] === true),
    };
  });
}
