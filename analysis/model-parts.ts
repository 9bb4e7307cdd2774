/** The parts of a run that hold one model's rows, so that a question about one model does not open every file. */
import { slug } from '../domain/ids.ts';
import { currentParts, type ManifestPart, type RunFolder } from './run-folder.ts';

/** A run's current parts of one table that may hold rows of the model. */
export type ModelParts = (run: RunFolder, table: string, model: string) => readonly ManifestPart[];

/** Pages are named `<study>/<model slug>/<number>`; parts of any other name may hold rows of every model. */
export function createModelParts(): ModelParts {
  const grouped = new Map<RunFolder, Map<string, Map<string, ManifestPart[]>>>();
  const partsOf = (run: RunFolder, table: string): Map<string, ManifestPart[]> => {
    const tables = grouped.get(run) ?? new Map<string, Map<string, ManifestPart[]>>();
    grouped.set(run, tables);
    const known = tables.get(table) ?? bySlug(run, table);
    tables.set(table, known);
    return known;
  };
  return (run, table, model) => {
    const parts = partsOf(run, table);
    return [...(parts.get(ofAll) ?? []), ...(parts.get(slug(model)) ?? [])];
  };
}

const ofAll = '';

function bySlug(run: RunFolder, table: string): Map<string, ManifestPart[]> {
  const slugs = new Set(run.manifest.spec.models.map(({ id }) => slug(id)));
  return Map.groupBy(currentParts(run.manifest, table), ({ page }) => {
    const [, name = ofAll] = page.split('/');
    return slugs.has(name) ? name : ofAll;
  });
}
