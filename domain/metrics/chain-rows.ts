/** Rows of tables `chain_scores` and `chain_failures` from rows of `chains` and `translations`. Input order does not matter. */
import type { ChainEnding } from '../../schemas/states.ts';
import { type Row, tables } from '../../schemas/tables.ts';
import { seedOf } from '../random.ts';
import { clusterBootstrap, defaultResamples } from '../statistics/bootstrap.ts';
import { defaultLevel } from '../statistics/interval.ts';
import { wilsonInterval } from '../statistics/wilson.ts';
import { type ChainCell, type ChainScoring, chainScore } from './chain-score.ts';
import { compareByColumns, groupByColumns, numberOf, textOf } from './row-order.ts';

export interface ChainSettings {
  readonly scoring: ChainScoring;
  /** The spec's seed; the bootstrap's own is made from it and the row's key. */
  readonly seed: number;
}

/** Failures listed by task at most. */
const listedTasks = 20;

/** One row per model, benchmark and setting, in key order. */
export function chainScoreRows(chains: readonly Row[], translations: readonly Row[], settings: ChainSettings): Row[] {
  const key = tables.chain_scores.key;
  const steps = Map.groupBy(translations, (row) => keyOf(row, key));
  return groupByColumns(chains.toSorted(compareByColumns(tables.chains.key)), key).map((group) =>
    scoreRow(group, steps.get(keyOf(group[0] as Row, key)) ?? [], settings),
  );
}

function scoreRow(group: readonly Row[], translations: readonly Row[], { scoring, seed }: ChainSettings): Row {
  const first = group[0] as Row;
  const steps = numberOf(first, 'steps');
  const ended = (by: ChainEnding): number => group.filter((row) => row['ended_by'] === by).length;
  const counted = group.filter((row) => row['ended_by'] !== 'excluded' && row['ended_by'] !== 'start_failed');
  const cells = counted.map(chainCell);
  const clusters = [...Map.groupBy(cells, ({ taskId }) => taskId).values()];
  const own = seedOf('chain', seed, ...tables.chain_scores.key.slice(1).map((column) => textOf(first, column)));
  const spread = clusterBootstrap(clusters, (drawn) => chainScore(drawn.flat(), steps, scoring), { seed: own });
  const score = chainScore(cells, steps, scoring);
  const passed = passedSteps(counted, translations, steps);
  const atFirst = wilsonInterval(passed[0] ?? 0, cells.length);
  return {
    ...Object.fromEntries(tables.chain_scores.key.map((column) => [column, first[column] ?? null])),
    languages: languagesOf(translations),
    steps,
    scoring,
    score,
    score_lo: spread.interval?.lo ?? null,
    score_hi: spread.interval?.hi ?? null,
    pass_at_1: cells.length === 0 ? null : (passed[0] ?? 0) / cells.length,
    pass_at_1_lo: atFirst?.lo ?? null,
    pass_at_1_hi: atFirst?.hi ?? null,
    drop: cells.length === 0 ? null : ((passed[0] ?? 0) - (passed.at(-1) ?? 0)) / cells.length,
    passed,
    level: defaultLevel,
    method: `percentile bootstrap over tasks, ${defaultResamples} resamples; pass_at_1: Wilson`,
    n: cells.length,
    n_start_failed: ended('start_failed'),
    n_excluded: ended('excluded'),
    reason: score === null ? 'there are no cells that count' : null,
    simulated: group.some((row) => row['simulated'] === true),
  };
}

const chainCell = (row: Row): ChainCell => ({
  taskId: textOf(row, 'task_id'),
  sustainedSteps: numberOf(row, 'sustained_steps'),
  passedSteps: numberOf(row, 'passed_steps'),
});

/** Of the cells that count: how many passed each step. */
function passedSteps(counted: readonly Row[], translations: readonly Row[], steps: number): number[] {
  const cells = new Set(counted.map((row) => keyOf(row, tables.chains.key)));
  const passes = translations.filter((row) => row['outcome'] === 'pass' && cells.has(keyOf(row, tables.chains.key)));
  return Array.from({ length: steps }, (_, place) => passes.filter((row) => row['loop'] === place + 1).length);
}

/** `python > php > ruby`, as far as any cell came. */
function languagesOf(translations: readonly Row[]): string {
  const byStep = translations.toSorted((a, b) => numberOf(a, 'loop') - numberOf(b, 'loop'));
  const targets = new Map(byStep.map((row) => [numberOf(row, 'loop'), textOf(row, 'target_language')]));
  const start = byStep[0] === undefined ? [] : [textOf(byStep[0], 'source_language')];
  return [...start, ...targets.values()].join(' > ');
}

/** What the translations at each step came to, `pass` included. */
export function chainFailureRows(translations: readonly Row[]): Row[] {
  const key = tables.chain_failures.key;
  const attempts = translations.map((row): Row => ({ ...row, step: row['loop'] ?? null }));
  const sorted = attempts.toSorted(compareByColumns([...key, 'task_id', 'repetition']));
  const attempted = Map.groupBy(sorted, (row) => keyOf(row, key.slice(0, -1)));
  return groupByColumns(sorted, key).map((group) => {
    const first = group[0] as Row;
    const all = attempted.get(keyOf(first, key.slice(0, -1)))?.length ?? group.length;
    const tasks = [...new Set(group.map((row) => textOf(row, 'task_id')))];
    return {
      ...Object.fromEntries(key.map((column) => [column, first[column] ?? null])),
      source_language: first['source_language'] ?? null,
      target_language: first['target_language'] ?? null,
      n: group.length,
      attempted: all,
      share: group.length / all,
      tasks: tasks.slice(0, listedTasks).join(', '),
      simulated: group.some((row) => row['simulated'] === true),
    };
  });
}

const keyOf = (row: Row, columns: readonly string[]): string => JSON.stringify(columns.map((column) => row[column]));
