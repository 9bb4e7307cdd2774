/** Taxonomies that a spec names by file: written out in the run's own spec, so that a resume needs nothing else. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InputError } from '../domain/errors.ts';
import type { Spec } from '../schemas/spec.ts';
import { parsedRecord } from './parsed-record.ts';
import { type Taxonomy, taxonomySchema } from '../schemas/taxonomy.ts';

/** @throws InputError for a file that cannot be read, or is no taxonomy */
export async function withTaxonomies(spec: Spec, folder: string): Promise<Spec> {
  const studies = spec.studies.map(async (study) => {
    if (study.kind !== 'specificity' || typeof study.settings.taxonomy !== 'string') return study;
    const taxonomy = await readTaxonomy(resolve(folder, study.settings.taxonomy), study.name);
    return { ...study, settings: { ...study.settings, taxonomy } };
  });
  return { ...spec, studies: await Promise.all(studies) };
}

async function readTaxonomy(file: string, study: string): Promise<Taxonomy> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InputError(`cannot be read: ${error.message}`, { file, field: `taxonomy of study ${study}` });
  });
  return parsedRecord(text, taxonomySchema, 'taxonomy', { file });
}
