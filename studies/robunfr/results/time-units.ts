/**
 * Times of programs in units of their task's yardstick. A program and its yardstick are timed in turns, so what else
 * the machine did then slowed both alike, and times that were measured at other moments can be compared.
 */
import type { SolutionTiming } from '../../../domain/metrics/nfr-solutions.ts';
import { numberOf, numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';

/** A task's unit in ms, so that times stay in ms: the geometric mean of its yardsticks over the run's programs. */
export interface TimeUnit {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** By `unitName`; none for tasks without a yardstick. */
export type TimeUnits = ReadonlyMap<string, TimeUnit>;

export const unitName = (row: Row): string => JSON.stringify([textOf(row, 'benchmark'), textOf(row, 'task_id')]);

const known = new WeakMap<RunDatabase, Map<string, Promise<TimeUnits>>>();

/** Of all models of the run; read once. */
export function timeUnits(database: RunDatabase, run: string): Promise<TimeUnits> {
  const ofRuns = known.get(database) ?? new Map<string, Promise<TimeUnits>>();
  known.set(database, ofRuns);
  const units = ofRuns.get(run) ?? readUnits(database, run);
  ofRuns.set(run, units);
  return units;
}

/** One model at a time, as all of a run's programs may be too many. */
async function readUnits(database: RunDatabase, run: string): Promise<TimeUnits> {
  const sums = new Map<string, { wall: number; cpu: number; n: number }>();
  const models = database.manifests.find(({ runId }) => runId === run)?.spec.models ?? [];
  for (const { id } of models)
    for (const row of await records(database, logsOf(database, run, id))) {
      const { wall, cpu, n } = sums.get(unitName(row)) ?? { wall: 0, cpu: 0, n: 0 };
      const own = { wall: numberOf(row, 'wall'), cpu: numberOf(row, 'cpu'), n: numberOf(row, 'n') };
      sums.set(unitName(row), { wall: wall + own.wall, cpu: cpu + own.cpu, n: n + own.n });
    }
  return new Map(
    [...sums].map(([name, { wall, cpu, n }]) => [name, { wallMs: Math.exp(wall / n), cpuMs: Math.exp(cpu / n) }]),
  );
}

/** By task: sums of logarithms of its yardsticks. In a fixed order, because the last digit of a sum depends on it. */
const logsOf = (database: RunDatabase, run: string, model: string): string => `
  WITH y AS (
    SELECT DISTINCT ON (execution_id) execution_id, ln(yardstick_wall_ns / 1e6) AS wall,
      ln(yardstick_cpu_ns / 1e6) AS cpu
    FROM (${database.rowsOf('timings', run, model)})
    WHERE yardstick_wall_ns > 0 AND yardstick_cpu_ns > 0 ORDER BY page),
  v AS (SELECT DISTINCT benchmark, task_id, execution_id FROM (${database.rowsOf('verdicts', run, model)})
    WHERE run = ${quoteText(run)} AND model = ${quoteText(model)})
  SELECT benchmark, task_id, sum(wall ORDER BY execution_id) AS wall, sum(cpu ORDER BY execution_id) AS cpu,
    count(*)::int AS n
  FROM v JOIN y USING (execution_id) GROUP BY ALL ORDER BY ALL`;

/** @param row with the times of the program and of its yardstick, in ms */
export function timingIn(row: Row, unit: TimeUnit | undefined): SolutionTiming {
  const [wallMs, cpuMs, passed] = [numberOf(row, 'wall_ms'), numberOf(row, 'cpu_ms'), row['passed'] === true];
  const [wall, cpu] = [numberOrNull(row, 'yardstick_wall_ms') ?? 0, numberOrNull(row, 'yardstick_cpu_ms') ?? 0];
  if (unit === undefined || wall <= 0 || cpu <= 0) return { wallMs, cpuMs, passed };
  return { wallMs: (wallMs * unit.wallMs) / wall, cpuMs: (cpuMs * unit.cpuMs) / cpu, passed, byYardstick: true };
}
