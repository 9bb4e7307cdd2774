/** How much of a run is sealed: compares its planned cells with the cells in its tables. */
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import type { TableName } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { quoteText } from './views.ts';

/** Counts of cells. */
export interface RunCoverage {
  readonly run: string;
  readonly planned: number;
  readonly sealed: number;
  readonly missing: number;
}

/** The rows that show which cells of a study are sealed. A cell may have rows in several tables. */
export interface CellRows {
  readonly table: TableName;
  /** SQL condition. Default: all rows. */
  readonly where?: string;
  /** SQL of a cell's columns, for a table that names them differently. Default: `cellColumns`. */
  readonly columns?: string;
}

const cellColumns = 'model, benchmark, task_id, language, variant, setting, repetition';

/** Rows of the pages on which a model rewrites prompts: a cell is a variant, and its model is the rewriter. */
export const wordedVariants: CellRows = {
  table: 'variants',
  where: "rewriter NOT IN ('rules', 'import')",
  columns: "rewriter, benchmark, task_id, language, variant, 'worded', 0",
};

/** One entry per run, in the order they were opened. @param rowsOf the rows that show a study's sealed cells */
export async function coverage(
  database: RunDatabase,
  rowsOf: (study: SpecStudy) => readonly CellRows[],
): Promise<RunCoverage[]> {
  const counts = database.manifests.map(async (manifest) => {
    const planned = manifest.plan.reduce((sum, revision) => sum + revision.cells, 0);
    const { rows } = await database.query(sealedCells(manifest, rowsOf));
    const sealed = Number(rows[0]?.[0] ?? 0);
    return { run: manifest.runId, planned, sealed, missing: planned - sealed };
  });
  return Promise.all(counts);
}

function sealedCells({ runId, spec }: Manifest, rowsOf: (study: SpecStudy) => readonly CellRows[]): string {
  const selects = spec.studies.flatMap((study) =>
    rowsOf(study).map(({ table, where = 'true', columns = cellColumns }) => {
      const own = `run = ${quoteText(runId)} AND study = ${quoteText(study.name)}`;
      return `SELECT study, ${columns} FROM ${table} WHERE ${own} AND (${where})`;
    }),
  );
  return `SELECT count(*) FROM (${selects.join(' UNION ')})`;
}
