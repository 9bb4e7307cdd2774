/** PartialOrderEval's derived tables over what is sealed: written at a run's end, and made anew for a report while it goes on. */
import { specificityTables as modelTables } from '../domain/metrics/specificity-rows.ts';
import { labelledPrompts, type ThemeTables, themeTables } from '../domain/metrics/theme-rows.ts';
import { sizeGapRows } from '../domain/metrics/specificity-sizes.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import { type Row, tables } from '../schemas/tables.ts';
import { taxonomyOf } from '../studies/specificity/settings.ts';
import type { RunDatabase } from './database.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

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

export const specificityStudies = ({ spec }: Manifest): SpecificityStudy[] => spec.studies.filter((study) => study.kind === 'specificity');

/** Empty tables for a run without such a study. */
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
  const passes = await records(database, `from prompt_passes where run = ${quoteText(runId)} and study = ${quoteText(name)}`);
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

const byName = <T>(rows: (name: (typeof tableNames)[number]) => T): Record<(typeof tableNames)[number], T> => ({
  specificity_curve: rows('specificity_curve'),
  specificity_summary: rows('specificity_summary'),
  specificity_pairs: rows('specificity_pairs'),
  specificity_sizes: rows('specificity_sizes'),
  theme_counts: rows('theme_counts'),
  theme_agreement: rows('theme_agreement'),
  theme_passing: rows('theme_passing'),
});

const joined = (parts: readonly SpecificityTables[]): SpecificityTables => byName((name) => parts.flatMap((part) => part[name]));

/** The tables as they stand now: stored ones of a run that has ended whole, otherwise over the pages sealed so far. */
export async function currentSpecificityTables(database: RunDatabase): Promise<SpecificityTables> {
  const parts: SpecificityTables[] = [];
  for (const manifest of database.manifests.filter((one) => specificityStudies(one).length > 0))
    parts.push(manifest.state === 'complete' ? await storedTables(database, manifest) : await specificityTables(database, manifest));
  return joined(parts);
}

async function storedTables(database: RunDatabase, { runId }: Manifest): Promise<SpecificityTables> {
  const read = tableNames.map(async (name) => {
    const order = tables[name].key.join(', ');
    return [name, await records(database, `select * from ${name} where run = ${quoteText(runId)} order by ${order}`)] as const;
  });
  const stored = new Map(await Promise.all(read));
  return byName((name) => stored.get(name) ?? []);
}
