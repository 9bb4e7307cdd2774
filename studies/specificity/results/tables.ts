/**
 * PartialOrderEval's derived tables over the sealed pages: stored when a run ends, computed for each report while it is
 * active.
 */
import { type SpecificityTables as ModelTables, specificityTables as modelTables } from './rows.ts';
import { labelledPrompts, themePassingRows, type ThemeTables, themeTables } from './theme-rows.ts';
import { collectSizeGaps } from './sizes.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import { taxonomyOf } from '../settings.ts';
import { currentTables, joinedTables } from '../../../analysis/current-tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { modelSlices } from '../../../analysis/slices/model-slices.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';

type SpecificityStudy = Extract<SpecStudy, { kind: 'specificity' }>;

export const specificityTableNames = [
  'specificity_curve',
  'specificity_summary',
  'specificity_pairs',
  'specificity_sizes',
  'theme_counts',
  'theme_agreement',
  'theme_passing',
] as const;
export type SpecificityTables = Readonly<Record<(typeof specificityTableNames)[number], readonly Row[]>>;

const ofModels = ['specificity_curve', 'specificity_summary', 'specificity_pairs'] as const;
const passesAtATime = 50_000;

export const specificityStudies = ({ spec }: Manifest): SpecificityStudy[] =>
  spec.studies.filter((study) => study.kind === 'specificity');

/** Empty for a run without such a study. @param atATime rows of `prompt_passes` in memory, about */
export async function specificityTables(
  database: RunDatabase,
  manifest: Manifest,
  atATime = passesAtATime,
): Promise<SpecificityTables> {
  const models = await records(database, `from models where run = ${quoteText(manifest.runId)}`);
  const parts: SpecificityTables[] = [];
  for (const study of specificityStudies(manifest))
    parts.push(await tablesOf(database, manifest, study, models, atATime));
  return joined(parts);
}

async function tablesOf(
  database: RunDatabase,
  { runId, spec }: Manifest,
  { name, settings }: SpecificityStudy,
  models: readonly Row[],
  atATime: number,
): Promise<SpecificityTables> {
  const own = `run = ${quoteText(runId)} and study = ${quoteText(name)}`;
  const checker = settings.checker === 'none' || settings.variantSet !== undefined ? null : settings.checker;
  const themes = await themesOf(database, runId, { name, settings });
  const sizes = collectSizeGaps(models);
  const parts: ModelTables[] = [];
  const passing: Row[] = [];
  for (const some of await modelSlices(database, 'prompt_passes', own, atATime)) {
    const passes = await records(database, `from prompt_passes where ${own} and ${some}`);
    parts.push(modelTables(passes, { seed: spec.seed, within: settings.within, checker }, models));
    passing.push(...themes.passing(passes));
    sizes.add(passes);
  }
  const { theme_counts, theme_agreement } = themes;
  const specificity_sizes = sizes.rows();
  return { ...joinedTables(ofModels, parts), theme_counts, theme_agreement, theme_passing: passing, specificity_sizes };
}

async function themesOf(
  database: RunDatabase,
  run: string,
  { name, settings }: Pick<SpecificityStudy, 'name' | 'settings'>,
): Promise<ThemeTables & { passing(passes: readonly Row[]): Row[] }> {
  const labels = await records(database, `from labels where run = ${quoteText(run)} and study = ${quoteText(name)}`);
  const [first] = labels;
  if (first === undefined) return { theme_counts: [], theme_agreement: [], passing: () => [] };
  const levels = new Map(settings.wordLimits.map((limit) => [`summary-${limit}`, limit]));
  const key = { run, study: name, benchmark: first['benchmark'] ?? null, language: first['language'] ?? null };
  const prompts = labelledPrompts(labels, levels);
  const taxonomy = taxonomyOf(settings);
  return {
    ...themeTables(key, prompts, taxonomy),
    passing: (passes) => themePassingRows(key, prompts, passes, taxonomy),
  };
}

const joined = (parts: readonly SpecificityTables[]): SpecificityTables => joinedTables(specificityTableNames, parts);

/** Of all runs, in their current state. */
export const currentSpecificityTables = (database: RunDatabase): Promise<SpecificityTables> =>
  currentTables(
    database,
    specificityTableNames,
    database.manifests.filter((manifest) => specificityStudies(manifest).length > 0),
    specificityTables,
  );
