/** PartialOrderEval's derived tables over what is sealed: written at a run's end, and made anew for a report while it goes on. */
import { specificityTables as modelTables } from '../domain/metrics/specificity-rows.ts';
import { sizeGapRows } from '../domain/metrics/specificity-sizes.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import { type Row, tables } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

type SpecificityStudy = Extract<SpecStudy, { kind: 'specificity' }>;

const tableNames = ['specificity_curve', 'specificity_summary', 'specificity_pairs', 'specificity_sizes'] as const;
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
  return { ...estimated, specificity_sizes: sizeGapRows(passes, { seed: spec.seed }, models) };
}

function joined(parts: readonly SpecificityTables[]): SpecificityTables {
  const rows = (name: (typeof tableNames)[number]): Row[] => parts.flatMap((part) => part[name]);
  return {
    specificity_curve: rows('specificity_curve'),
    specificity_summary: rows('specificity_summary'),
    specificity_pairs: rows('specificity_pairs'),
    specificity_sizes: rows('specificity_sizes'),
  };
}

/** The tables as they stand now: stored ones of a run that has ended whole, otherwise over the pages sealed so far. */
export async function currentSpecificityTables(database: RunDatabase): Promise<SpecificityTables> {
  const parts: SpecificityTables[] = [];
  for (const manifest of database.manifests.filter((one) => specificityStudies(one).length > 0))
    parts.push(manifest.state === 'complete' ? await storedTables(database, manifest) : await specificityTables(database, manifest));
  return joined(parts);
}

async function storedTables(database: RunDatabase, { runId }: Manifest): Promise<SpecificityTables> {
  const stored = (name: (typeof tableNames)[number]): Promise<Row[]> =>
    records(database, `select * from ${name} where run = ${quoteText(runId)} order by ${tables[name].key.join(', ')}`);
  return {
    specificity_curve: await stored('specificity_curve'),
    specificity_summary: await stored('specificity_summary'),
    specificity_pairs: await stored('specificity_pairs'),
    specificity_sizes: await stored('specificity_sizes'),
  };
}
