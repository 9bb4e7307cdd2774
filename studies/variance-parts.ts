/** Table `variance_parts` over sealed pages: stored when a run ends, computed for each report while it is active. */
import type { RunDatabase } from '../analysis/database.ts';
import { judgedAnswers, judgedSql } from '../analysis/judged-answers.ts';
import { records } from '../analysis/records.ts';
import { quoteText } from '../analysis/views.ts';
import { numberOf, textOf } from '../domain/metrics/row-order.ts';
import {
  collectVarianceParts,
  settingKey,
  type VariancePartCollector,
} from '../domain/metrics/variance/variance-part-rows.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { type Row, tables } from '../schemas/tables.ts';
import { resultsOfKind } from './results.ts';

/** About 200 MB. */
const verdictsAtATime = 150_000;

/**
 * The parts of all studies of the runs. Some tasks at a time, so that only their answers are in memory.
 * @param atATime verdicts in memory, about
 */
export const varianceParts = (database: RunDatabase, atATime = verdictsAtATime): Promise<Row[]> =>
  partsOfRuns(database, database.manifests, atATime);

/** Stored rows of complete runs; an older program stored none. */
export async function currentVarianceParts(database: RunDatabase): Promise<Row[]> {
  const complete = database.manifests.filter(({ state }) => state === 'complete').map(({ runId }) => quoteText(runId));
  const order = tables.variance_parts.key.join(', ');
  const stored = await records(
    database,
    `FROM variance_parts WHERE run IN (${["''", ...complete].join(', ')}) ORDER BY ${order}`,
  );
  const known = new Set(stored.map((row) => textOf(row, 'run')));
  const others = database.manifests.filter(({ runId }) => !known.has(runId));
  return [...stored, ...(await partsOfRuns(database, others, verdictsAtATime))];
}

async function partsOfRuns(database: RunDatabase, runs: readonly Manifest[], atATime: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { runId, spec } of runs)
    for (const { name, kind } of spec.studies) {
      const groupOf = resultsOfKind(kind).variantGroup ?? oneGroup;
      const where = `run = ${quoteText(runId)} AND study = ${quoteText(name)}`;
      const parts = await openParts(database, where, (row) => groupOf(textOf(row, 'variant')));
      for (const tasks of await taskSlices(database, where, atATime))
        parts.add(await answersOf(database, where, tasks));
      rows.push(...parts.rows());
    }
  return rows;
}

async function openParts(
  database: RunDatabase,
  where: string,
  groupOf: (row: Row) => string,
): Promise<VariancePartCollector> {
  const names = `SELECT DISTINCT ${settingKey.join(', ')}, model, variant FROM (${judgedSql(where)}) ORDER BY ALL`;
  return collectVarianceParts(await records(database, names), groupOf);
}

const answersOf = (database: RunDatabase, where: string, tasks: readonly string[]): Promise<Row[]> =>
  judgedAnswers(database, `${where} AND task_id IN (${tasks.map(quoteText).join(', ')})`);

/** The study's tasks, in groups of about as many verdicts. */
async function taskSlices(database: RunDatabase, where: string, atATime: number): Promise<string[][]> {
  const tasks = await records(
    database,
    `SELECT task_id, count(*)::INT AS n FROM verdicts WHERE ${where} GROUP BY ALL ORDER BY ALL`,
  );
  let before = 0;
  const slices = Map.groupBy(tasks, (task) => {
    const slice = Math.floor(before / atATime);
    before += numberOf(task, 'n');
    return slice;
  });
  return [...slices.values()].map((slice) => slice.map((task) => textOf(task, 'task_id')));
}

/** All variants of a setting word the same. */
const oneGroup = (): string => 'all';
