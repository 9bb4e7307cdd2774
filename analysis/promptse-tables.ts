/** PromptSE's derived tables over what is sealed: written at a run's end, and made anew for a report while it goes on. */
import { aucERows } from '../domain/metrics/auc-e-rows.ts';
import { elasticityRows } from '../domain/metrics/elasticity-rows.ts';
import { textOf } from '../domain/metrics/row-order.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import { type Row, tables } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { type CalibrationTables, calibrationTables } from './promptse/calibration-rows.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;

export interface PromptseTables {
  readonly elasticity: readonly Row[];
  readonly auc_e: readonly Row[];
}

export const promptseStudies = ({ spec }: Pick<Manifest, 'spec'>): PromptseStudy[] =>
  spec.studies.filter((study) => study.kind === 'promptse');

/** One model at a time: its prompts are thousands. Empty tables for a run without such a study. */
export async function promptseTables(database: RunDatabase, manifest: Manifest): Promise<PromptseTables> {
  const models = await records(database, `from models where run = ${quoteText(manifest.runId)}`);
  const elasticity: Row[] = [];
  for (const study of promptseStudies(manifest)) elasticity.push(...(await elasticityOf(database, manifest, study)));
  return { elasticity, auc_e: aucERows(elasticity, models) };
}

async function elasticityOf(database: RunDatabase, { runId }: Manifest, { name, settings }: PromptseStudy): Promise<Row[]> {
  const own = `from prompt_scores where run = ${quoteText(runId)} and study = ${quoteText(name)}`;
  const rows: Row[] = [];
  for (const { model } of await records(database, `select distinct model ${own} order by model`))
    rows.push(...elasticityRows(await records(database, `select * ${own} and model = ${quoteText(String(model))}`), settings.variants));
  return rows;
}

/** Calibration of every model of the run's PromptSE studies; written at a run's end. */
export async function calibrationOfRun(database: RunDatabase, { runId, spec }: Manifest): Promise<CalibrationTables> {
  const parts: CalibrationTables[] = [];
  for (const { name: study, settings } of promptseStudies({ spec })) {
    const own = `run = ${quoteText(runId)} and study = ${quoteText(study)}`;
    const models = await records(
      database,
      `select model, benchmark, language, setting, bool_or(simulated) as simulated from prompt_scores where ${own} group by all order by all`,
    );
    for (const row of models) {
      const [model, benchmark, language, setting] = ['model', 'benchmark', 'language', 'setting'].map((column) => textOf(row, column)) as [
        string,
        string,
        string,
        string,
      ];
      const key = { run: runId, study, model, benchmark, language, setting };
      parts.push(await calibrationTables(database, key, settings, row['simulated'] === true));
    }
  }
  return {
    calibration: parts.flatMap(({ calibration }) => calibration),
    calibration_bins: parts.flatMap(({ calibration_bins }) => calibration_bins),
  };
}

/** The tables as they stand now: stored ones of a run that has ended whole, otherwise over the pages sealed so far. */
export async function currentPromptseTables(database: RunDatabase): Promise<PromptseTables> {
  const parts: PromptseTables[] = [];
  for (const manifest of database.manifests.filter((one) => promptseStudies(one).length > 0))
    parts.push(manifest.state === 'complete' ? await storedTables(database, manifest) : await promptseTables(database, manifest));
  return { elasticity: parts.flatMap(({ elasticity }) => elasticity), auc_e: parts.flatMap(({ auc_e }) => auc_e) };
}

async function storedTables(database: RunDatabase, { runId }: Manifest): Promise<PromptseTables> {
  const stored = (name: 'elasticity' | 'auc_e'): Promise<Row[]> =>
    records(database, `select * from ${name} where run = ${quoteText(runId)} order by ${tables[name].key.join(', ')}`);
  return { elasticity: await stored('elasticity'), auc_e: await stored('auc_e') };
}
