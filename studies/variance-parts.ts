/** Table `variance_parts` over sealed pages: stored when a run ends, computed for each report while it is active. */
import type { RunDatabase } from '../analysis/database.ts';
import { judgedAnswers, judgedSql } from '../analysis/judged-answers.ts';
import { records } from '../analysis/records.ts';
import { taskSlices } from '../analysis/slices/task-slices.ts';
import { quoteText } from '../analysis/views.ts';
import { groupByColumns, textOf } from '../domain/metrics/row-order.ts';
import { collectVarianceParts, settingKey } from '../domain/metrics/variance/variance-part-rows.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { type Row, tables } from '../schemas/tables.ts';
import { resultsOfKind } from './results.ts';

/**
 * The parts of all studies of the runs. Some tasks at a time, so that only their answers are in memory.
 * @param atATime verdicts in memory, about
 */
export const varianceParts = (database: RunDatabase, atATime?: number): Promise<Row[]> =>
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
  return [...stored, ...(await partsOfRuns(database, others))];
}

async function partsOfRuns(database: RunDatabase, runs: readonly Manifest[], atATime?: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { runId, spec } of runs)
    for (const { name, kind } of spec.studies) {
      const groupOf = resultsOfKind(kind).variantGroup ?? oneGroup;
      const where = `run = ${quoteText(runId)} AND study = ${quoteText(name)}`;
      const slices = (await taskSlices(database, where, atATime)).map((tasks) => `${where} AND ${tasks}`);
      const names = await namesOf(database, where, slices);
      const parts = collectVarianceParts(names, (row) => groupOf(textOf(row, 'variant')));
      for (const tasks of slices) parts.add(await judgedAnswers(database, tasks));
      rows.push(...parts.rows());
    }
  return rows;
}

const nameColumns = [...settingKey, 'model', 'variant'];

/** One row for each model and variant of each setting. In a study without loops every program is a first one. */
async function namesOf(database: RunDatabase, where: string, slices: readonly string[]): Promise<Row[]> {
  const distinct = (sources: string): Promise<Row[]> =>
    records(database, `SELECT DISTINCT ${nameColumns.join(', ')} FROM ${sources} ORDER BY ALL`);
  const loops = await records(database, `SELECT DISTINCT loop FROM verdicts WHERE ${where}`);
  if (loops.length < 2) return distinct(`verdicts WHERE ${where}`);
  const found: Row[] = [];
  for (const tasks of slices) found.push(...(await distinct(`(${judgedSql(tasks)})`)));
  return groupByColumns(found, nameColumns).map(([first]) => first as Row);
}

/** All variants of a setting word the same. */
const oneGroup = (): string => 'all';
