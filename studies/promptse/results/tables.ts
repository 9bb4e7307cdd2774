/**
 * PromptSE's derived tables over the sealed pages: stored when a run ends, computed for each report while it is active.
 */
import { aucERows } from './elasticity/auc-e-rows.ts';
import { elasticityRows } from './elasticity/elasticity-rows.ts';
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import { currentTables, joinedTables } from '../../../analysis/current-tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { type CalibrationTables, calibrationTables } from './calibration/calibration-rows.ts';
import { modelRows } from '../../../analysis/model-rows.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';

type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;

export interface PromptseTables {
  readonly elasticity: readonly Row[];
  readonly auc_e: readonly Row[];
}

export const promptseStudies = ({ spec }: Pick<Manifest, 'spec'>): PromptseStudy[] =>
  spec.studies.filter((study) => study.kind === 'promptse');

/** Reads one model at a time, because it may have thousands of prompts. Empty for a run without such a study. */
export async function promptseTables(database: RunDatabase, manifest: Manifest): Promise<PromptseTables> {
  const models = await records(database, `from models where run = ${quoteText(manifest.runId)}`);
  const studies: Row[][] = [];
  for (const study of promptseStudies(manifest)) studies.push(await elasticityOf(database, manifest, study));
  const elasticity = studies.flat();
  return { elasticity, auc_e: aucERows(elasticity, models) };
}

async function elasticityOf(
  database: RunDatabase,
  { runId, spec }: Manifest,
  { name, settings }: PromptseStudy,
): Promise<Row[]> {
  const own = `from prompt_scores where run = ${quoteText(runId)} and study = ${quoteText(name)}`;
  const rows: Row[] = [];
  for (const { model } of await records(database, `select distinct model ${own} order by model`))
    rows.push(
      ...elasticityRows(
        await records(
          database,
          `from ${modelRows(database, 'prompt_scores', { run: runId, study: name, model: String(model) })}`,
        ),
        { variants: settings.variants, notAsked: notAskedReason(settings, spec, String(model)) },
      ),
    );
  return rows;
}

/** Why the study requested no log-probabilities of the model; null if it did. */
function notAskedReason(settings: PromptseStudy['settings'], { models }: Manifest['spec'], id: string): string | null {
  if (!settings.logprobs) return 'the study sets logprobs: false';
  const own = models.find((model) => model.id === id)?.parameters?.logprobs;
  return own === null ? 'the parameters of the model set logprobs: null' : null;
}

/** Calibration of every model of the run's PromptSE studies; stored when the run ends. */
export async function calibrationOfRun(database: RunDatabase, { runId, spec }: Manifest): Promise<CalibrationTables> {
  const parts: CalibrationTables[] = [];
  for (const { name: study, settings } of promptseStudies({ spec })) {
    const own = `run = ${quoteText(runId)} and study = ${quoteText(study)}`;
    const models = await records(
      database,
      'select model, benchmark, language, setting, bool_or(simulated) as simulated from prompt_scores where ' +
        `${own} group by all order by all`,
    );
    for (const row of models) {
      const [model, benchmark, language, setting] = ['model', 'benchmark', 'language', 'setting'].map((column) =>
        textOf(row, column),
      ) as [string, string, string, string];
      const key = { run: runId, study, model, benchmark, language, setting };
      parts.push(await calibrationTables(database, key, settings, row['simulated'] === true));
    }
  }
  return {
    calibration: parts.flatMap(({ calibration }) => calibration),
    calibration_bins: parts.flatMap(({ calibration_bins }) => calibration_bins),
  };
}

/** A model has thousands of these rows, of which a report needs a third of the columns. */
const askedElasticity = 'method, distance, elasticity, floor, excess, pass_rate_original';

/**
 * Of all runs, in their current state; of stored elasticities only what the questions need. Those of an earlier floor
 * are computed again.
 */
export async function currentPromptseTables(database: RunDatabase): Promise<PromptseTables> {
  const parts: PromptseTables[] = [];
  for (const manifest of database.manifests.filter((one) => promptseStudies(one).length > 0))
    parts.push(
      (await hasEarlierFloors(database, manifest))
        ? await promptseTables(database, manifest)
        : await currentTables(database, ['elasticity', 'auc_e'], [manifest], promptseTables, {
            elasticity: { columns: `run, study, model, benchmark, language, task_id, ${askedElasticity}` },
          }),
    );
  return joinedTables(['elasticity', 'auc_e'], parts);
}

/**
 * Whether the run's stored floors are those of earlier programs: light ones were too high where answers were few, and a
 * model had none if one of its tasks had none.
 */
export async function hasEarlierFloors(database: RunDatabase, { runId }: Manifest): Promise<boolean> {
  const found = await records(
    database,
    `SELECT 1 AS one FROM elasticity WHERE run = ${quoteText(runId)} AND method = 'light' AND floor IS NOT NULL
      AND floor_samples IS NULL
    UNION ALL SELECT 1 FROM auc_e WHERE run = ${quoteText(runId)} AND n > 0 AND auc_e_floor IS NULL AND n_floor IS NULL
    LIMIT 1`,
  );
  return found.length > 0;
}
