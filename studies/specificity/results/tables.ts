/**
 * PartialOrderEval's derived tables over the sealed pages: stored when a run ends, computed for each report while it is
 * active.
 */
import { specificityTables as modelTables } from './rows.ts';
import { labelledPrompts, type ThemeTables, themeTables } from './theme-rows.ts';
import { sizeGapRows } from './sizes.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import { taxonomyOf } from '../settings.ts';
import { currentTables, joinedTables } from '../../../analysis/current-tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';

type SpecificityStudy = Extract<SpecStudy, { kind: 'specificity' }>;

const tableNames = [
  'specificity_curve',
  'specificity_summary',
  'specificity_pairs',
  'specificity_sizes',
  'theme_counts',
  'theme_agreement',
  'theme_passing',
] as const;
export type SpecificityTables = Readonly<Record<(typeof tableNames)[number], readonly Row[]>>;

export const specificityStudies = ({ spec }: Manifest): SpecificityStudy[] =>
  spec.studies.filter((study) => study.kind === 'specificity');

/** Empty for a run without such a study. */
export async function specificityTables(database: RunDatabase, manifest: Manifest): Promise<SpecificityTables> {
  const models = await records(database, `from models where run = ${quoteText(manifest.runId)}`);
  const parts: SpecificityTables[] = [];
  for (const study of specificityStudies(manifest)) parts.push(await tablesOf(database, manifest, study, models));
  return joined(parts);
}

async function tablesOf(
  database: RunDatabase,
  { runId, spec }: Manifest,
  { name, settings }: SpecificityStudy,
  models: readonly Row[],
): Promise<SpecificityTables> {
  const passes = await records(
    database,
    `from prompt_passes where run = ${quoteText(runId)} and study = ${quoteText(name)}`,
  );
  const checker = settings.checker === 'none' || settings.variantSet !== undefined ? null : settings.checker;
  const estimated = modelTables(passes, { seed: spec.seed, within: settings.within, checker }, models);
  const themes = await themesOf(database, runId, { name, settings }, passes);
  return { ...estimated, ...themes, specificity_sizes: sizeGapRows(passes, models) };
}

async function themesOf(
  database: RunDatabase,
  run: string,
  { name, settings }: Pick<SpecificityStudy, 'name' | 'settings'>,
  passes: readonly Row[],
): Promise<ThemeTables> {
  const labels = await records(database, `from labels where run = ${quoteText(run)} and study = ${quoteText(name)}`);
  const [first] = labels;
  if (first === undefined) return { theme_counts: [], theme_agreement: [], theme_passing: [] };
  const levels = new Map(settings.wordLimits.map((limit) => [`summary-${limit}`, limit]));
  const key = { run, study: name, benchmark: first['benchmark'] ?? null, language: first['language'] ?? null };
  return themeTables(key, labelledPrompts(labels, levels), passes, taxonomyOf(settings));
}

const joined = (parts: readonly SpecificityTables[]): SpecificityTables => joinedTables(tableNames, parts);

/** Of all runs, in their current state. */
export const currentSpecificityTables = (database: RunDatabase): Promise<SpecificityTables> =>
  currentTables(
    database,
    tableNames,
    database.manifests.filter((manifest) => specificityStudies(manifest).length > 0),
    specificityTables,
  );
