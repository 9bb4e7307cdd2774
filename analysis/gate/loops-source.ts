/** EVALOOP in a gate: what each task adds to ASL, and to the score of a translation chain. */
import { loopValues, type ValueByTask } from '../../domain/metrics/loop-values.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import { mean } from '../../domain/statistics/spread.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { comparedTasks, type Compared, type GateSource, ownRows, pairedTasks, plainSubject, type Side } from './compared.ts';

type EvaloopStudy = Extract<SpecStudy, { kind: 'evaloop' }>;
type ChainStudy = Extract<SpecStudy, { kind: 'evaloop-translation' }>;

/** Loops of other lengths are not compared, nor scores of other judges. */
export const loopsSource: GateSource<EvaloopStudy> = async (database, { old, now, changed }) => {
  const { maxLoops, judge } = now.study.settings;
  if (old.study.settings.maxLoops !== maxLoops) return [];
  const sameJudge = judge !== 'none' && old.study.settings.judge === judge;
  const [before, after] = await Promise.all([loopsOf(database, old), loopsOf(database, now)]);
  const compared = (metric: 'asl' | 'asl_unweighted'): Compared[] => {
    const [left, right] = [before, after].map((rows) => loopValues(rows, maxLoops, metric === 'asl'));
    const tasks = left == null || right == null ? [] : pairedTasks(left, right, changed);
    return [comparedTasks(plainSubject(metric, now.study.benchmark), tasks, { kind: 'bounded', lo: 0, hi: maxLoops })];
  };
  return [...compared('asl_unweighted'), ...(sameJudge ? compared('asl') : [])];
};

const loopsOf = (database: RunDatabase, side: Side): Promise<Row[]> =>
  records(database, `from loops where ${ownRows(side)} and variant = 'original' order by task_id, setting, repetition`);

/** Chains through other languages, or scored otherwise, are not compared. */
export const chainSource: GateSource<ChainStudy> = async (database, { old, now, changed }) => {
  const { scoring } = now.study.settings;
  if (JSON.stringify(old.study.settings) !== JSON.stringify(now.study.settings)) return [];
  const [before, after] = await Promise.all([chainsOf(database, old), chainsOf(database, now)]);
  const steps = Math.max(1, ...[...before, ...after].map((row) => numberOf(row, 'steps')));
  const tasks = pairedTasks(chainValues(before, scoring), chainValues(after, scoring), changed);
  return [comparedTasks(plainSubject('chain_score', now.study.benchmark), tasks, { kind: 'bounded', lo: 0, hi: steps })];
};

const chainsOf = (database: RunDatabase, side: Side): Promise<Row[]> =>
  records(
    database,
    `from chains where ${ownRows(side)} and ended_by not in ('excluded', 'start_failed') order by task_id, setting, repetition`,
  );

/** By the definitions of `chainScore`: a cell's share of it. */
function chainValues(rows: readonly Row[], scoring: 'squares' | 'counts'): ValueByTask {
  const value = (row: Row): number =>
    scoring === 'counts' ? numberOf(row, 'passed_steps') : numberOf(row, 'sustained_steps') ** 2 / numberOf(row, 'steps');
  return new Map([...Map.groupBy(rows, (row) => textOf(row, 'task_id'))].map(([task, own]) => [task, mean(own.map(value)) as number]));
}
