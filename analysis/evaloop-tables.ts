/** EVALOOP's derived tables beside `asl`, over what is sealed: written at a run's end, and made anew for a report while it goes on. */
import { attackRows } from '../domain/metrics/attack-rows.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { type Row, tables } from '../schemas/tables.ts';
import { attacksByVariant } from '../studies/evaloop/attacks/variants.ts';
import { attackSettings } from '../studies/evaloop/cells.ts';
import type { EvaloopStudy } from '../studies/evaloop/study.ts';
import type { RunDatabase } from './database.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

export interface EvaloopTables {
  readonly attacks: readonly Row[];
}

export const evaloopStudies = ({ spec }: Manifest): EvaloopStudy[] => spec.studies.filter((study) => study.kind === 'evaloop');

export async function evaloopTables(database: RunDatabase, manifest: Manifest): Promise<EvaloopTables> {
  const attacks: Row[] = [];
  for (const study of evaloopStudies(manifest)) attacks.push(...(await attacksOf(database, manifest, study)));
  return { attacks };
}

async function attacksOf(database: RunDatabase, { runId, spec }: Manifest, { name, settings }: EvaloopStudy): Promise<Row[]> {
  if (settings.attacks.length === 0) return [];
  const loops = await records(database, `from loops where run = ${quoteText(runId)} and study = ${quoteText(name)}`);
  const variants = attacksByVariant(attackSettings(settings));
  return attackRows(loops, { maxLoops: settings.maxLoops, seed: spec.seed, variants });
}

/** The tables as they stand now: stored ones of a run that has ended whole, otherwise over the pages sealed so far. */
export async function currentEvaloopTables(database: RunDatabase): Promise<EvaloopTables> {
  const parts: EvaloopTables[] = [];
  for (const manifest of database.manifests.filter((one) => evaloopStudies(one).length > 0))
    parts.push(manifest.state === 'complete' ? await storedTables(database, manifest) : await evaloopTables(database, manifest));
  return { attacks: parts.flatMap(({ attacks }) => attacks) };
}

async function storedTables(database: RunDatabase, { runId }: Manifest): Promise<EvaloopTables> {
  const stored = (name: keyof EvaloopTables): Promise<Row[]> =>
    records(database, `select * from ${name} where run = ${quoteText(runId)} order by ${tables[name].key.join(', ')}`);
  return { attacks: await stored('attacks') };
}
