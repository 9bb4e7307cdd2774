/** The public benchmarks known by name, and the paths of their files on this machine. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import { knownHint } from '../../domain/nearest.ts';
import { type CatalogueEntry, catalogueEntrySchema } from '../../schemas/catalogue.ts';
import type { BenchmarkRequest } from './load.ts';

/** @param folder `data/benchmarks` of the installed program */
export function readCatalogue(folder: string): CatalogueEntry[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const entries = names.map((name) => catalogueEntrySchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The named entries; all entries if no name is given. Throws `InputError` for an unknown name. */
export function catalogueEntries(
  catalogue: readonly CatalogueEntry[],
  names: readonly string[],
): readonly CatalogueEntry[] {
  if (names.length === 0) return catalogue;
  const known = catalogue.map(({ name }) => name);
  return names.map((name) => {
    const entry = catalogue.find((one) => one.name === name);
    if (entry === undefined) throw new InputError(`no benchmark "${name}"; ${knownHint(name, known)}`);
    return entry;
  });
}

/** Path of a benchmark's file: `<folder>/<name>/<file>`. */
export const benchmarkPath = (folder: string, { name, file }: CatalogueEntry): string => join(folder, name, file.name);

export const isFetched = (folder: string, entry: CatalogueEntry): boolean => existsSync(benchmarkPath(folder, entry));

/** Names of the benchmarks whose files are missing to load this one: its own, and the one that it is joined to. */
export function missingFiles(folder: string, entry: CatalogueEntry, catalogue: readonly CatalogueEntry[]): string[] {
  const needed = [entry, ...(entry.joins === undefined ? [] : catalogueEntries(catalogue, [entry.joins]))];
  return needed.filter((one) => !isFetched(folder, one)).map(({ name }) => name);
}

/** The request that loads an entry; an entry with only tests is joined to the benchmark that has the tasks. */
export function catalogueRequest(
  folder: string,
  entry: CatalogueEntry,
  catalogue: readonly CatalogueEntry[],
): BenchmarkRequest {
  const { name, format } = entry;
  const path = benchmarkPath(folder, entry);
  if (entry.joins === undefined) return { name, format, path, seed: 0 };
  const [base] = catalogueEntries(catalogue, [entry.joins]) as [CatalogueEntry];
  const suites = Object.keys(entry.failing).map((suite) => ({ name: suite, format, path }));
  return { name, format: base.format, path: benchmarkPath(folder, base), suites, seed: 0 };
}
