/**
 * Rows of tables `chain_scores` and `chain_failures` from rows of `chains` and `translations`.
 * Input order does not matter.
 */
import type { ChainEnding } from '../../../schemas/states.ts';
import { type Row, tables } from '../../../schemas/tables.ts';
import { boundedMeanMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { clusteredInterval } from '../../../domain/statistics/intervals/clustered-interval.ts';
import { defaultLevel, type Interval } from '../../../domain/statistics/intervals/interval.ts';
import { type ChainCell, type ChainScoring, chainPoints, chainScore } from './score.ts';
import { compareByColumns, groupByColumns, numberOf, textOf } from '../../../domain/metrics/row-order.ts';

export interface ChainSettings {
  readonly scoring: ChainScoring;
}

/** A counted cell, with the steps that it passed. */
interface CountedChain extends ChainCell {
  readonly passed: ReadonlySet<number>;
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
  const ended = (by: ChainEnding): number => group.filter((row) => row['ended_by'] === by).length;
  const counted = group.filter((row) => row['ended_by'] !== 'excluded' && row['ended_by'] !== 'start_failed');
  const passes = Map.groupBy(
    translations.filter((row) => row['outcome'] === 'pass'),
    (row) => keyOf(row, tables.chains.key),
  );
  const cells = counted.map((row) => countedChain(row, passes.get(keyOf(row, tables.chains.key)) ?? []));
  const passed = Array.from({ length: steps }, (_, place) => cells.filter((cell) => cell.passed.has(place + 1)).length);
  const score = chainScore(cells, steps, scoring);
  return {
    ...Object.fromEntries(tables.chain_scores.key.map((column) => [column, first[column] ?? null])),
    languages: languagesOf(translations),
    steps,
    scoring,
    score,
    pass_at_1: cells.length === 0 ? null : (passed[0] ?? 0) / cells.length,
    drop: cells.length === 0 ? null : ((passed[0] ?? 0) - (passed.at(-1) ?? 0)) / cells.length,
    ...intervals(cells, steps, scoring),
    passed,
    level: defaultLevel,
    confidence: defaultLevel,
    method: boundedMeanMethod,
    n: cells.length,
    n_start_failed: ended('start_failed'),
    n_excluded: ended('excluded'),
    reason: score === null ? 'there are no cells that count' : null,
    simulated: group.some((row) => row['simulated'] === true),
  };
}

function intervals(cells: readonly CountedChain[], steps: number, scoring: ChainScoring): Row {
  const tasks = [...Map.groupBy(cells, ({ taskId }) => taskId).values()];
  const passedAt = (cell: CountedChain, step: number): number => Number(cell.passed.has(step));
  const score = clusteredInterval(tasks, (cell) => chainPoints(cell, steps, scoring), { lo: 0, hi: steps });
  const share = clusteredInterval(tasks, (cell) => passedAt(cell, 1), { lo: 0, hi: 1 });
  const drop = clusteredInterval(tasks, (cell) => passedAt(cell, 1) - passedAt(cell, steps), { lo: -1, hi: 1 });
  const ends = (name: string, interval: Interval | null): Row => ({
    [`${name}_lo`]: interval?.lo ?? null,
    [`${name}_hi`]: interval?.hi ?? null,
  });
  return { ...ends('score', score), ...ends('pass_at_1', share), ...ends('drop', drop) };
}

const countedChain = (row: Row, passes: readonly Row[]): CountedChain => ({
  taskId: textOf(row, 'task_id'),
  sustainedSteps: numberOf(row, 'sustained_steps'),
  passedSteps: numberOf(row, 'passed_steps'),
  passed: new Set(passes.map((step) => numberOf(step, 'loop'))),
});

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

const keyOf = (row: Row, columns: readonly string[]): string => JSON.stringify(columns.map((column) => row[column]));
