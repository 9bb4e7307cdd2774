import type { RunDatabase } from './database.ts';

/** How much of a run is sealed. Counts of cells. */
export interface RunCoverage {
  readonly run: string;
  readonly planned: number;
  readonly sealed: number;
  readonly missing: number;
}

/** Per run, in the order they were opened. A sealed cell has a sample, but where its variant is missing (an attack that changes nothing), or was worded in an earlier run. */
export async function coverage(database: RunDatabase): Promise<RunCoverage[]> {
  const { rows } = await database.query(sealedCells);
  const sealedOf = new Map(rows.map(([run, cells]) => [run, Number(cells)]));
  return database.manifests.map(({ runId, plan }) => {
    const planned = plan.reduce((sum, revision) => sum + revision.cells, 0);
    const sealed = sealedOf.get(runId) ?? 0;
    return { run: runId, planned, sealed, missing: planned - sealed };
  });
}

const sealedCells = `
  WITH cells AS (
    SELECT run, study, model, benchmark, task_id, language, variant, setting, repetition FROM samples WHERE step <> 'rewrite' AND setting <> 'poset'
    UNION SELECT run, study, model, benchmark, task_id, language, variant, setting, repetition FROM chains
    UNION SELECT run, study, model, benchmark, task_id, language, variant, setting, repetition FROM prompt_scores
    UNION SELECT run, study, model, benchmark, task_id, language, variant, setting, repetition FROM prompt_passes
    UNION SELECT run, study, model, benchmark, task_id, language, variant, setting, repetition FROM loops WHERE ended_outcome = 'not_run'
    UNION SELECT run, study, rewriter, benchmark, task_id, language, variant, 'worded', 0 FROM variants WHERE rewriter NOT IN ('rules', 'import'))
  SELECT run, count(*) FROM cells GROUP BY run`;
