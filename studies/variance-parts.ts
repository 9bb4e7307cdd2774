/** Table `variance_parts` over sealed pages: stored when a run ends, computed for each report while it is active. */
import type { RunDatabase } from '../analysis/database.ts';
import { judgedAnswers } from '../analysis/judged-answers.ts';
import { records } from '../analysis/records.ts';
import { quoteText } from '../analysis/views.ts';
import { textOf } from '../domain/metrics/row-order.ts';
import { variancePartRows } from '../domain/metrics/variance/variance-part-rows.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { type Row, tables } from '../schemas/tables.ts';
import { resultsOfKind } from './results.ts';

/** The parts of all studies of the runs. */
export const varianceParts = (database: RunDatabase): Promise<Row[]> => partsOfRuns(database, database.manifests);

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

/** One study at a time, so that only its answers are in memory. */
async function partsOfRuns(database: RunDatabase, runs: readonly Manifest[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { runId, spec } of runs)
    for (const { name, kind } of spec.studies) {
      const answers = await judgedAnswers(database, `run = ${quoteText(runId)} AND study = ${quoteText(name)}`);
      const groupOf = resultsOfKind(kind).variantGroup ?? oneGroup;
      rows.push(...variancePartRows(answers, (answer) => groupOf(textOf(answer, 'variant'))));
    }
  return rows;
}

/** All variants of a setting word the same. */
const oneGroup = (): string => 'all';
