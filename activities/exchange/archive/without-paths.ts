/** The spec of a run without paths of the machine that it was written on: they tell names of people and projects. */
import { basename, isAbsolute } from 'node:path';
import { type Spec, specSchema } from '../../../schemas/spec.ts';

const pathKeys: ReadonlySet<string> = new Set(['path', 'file', 'variantSet', 'taxonomy', '$schema']);

/** Also leads out of the spec's folder: `../../home/name/tasks.jsonl`. */
const isTelling = (path: string): boolean => isAbsolute(path) || /^(?:~|\.\.|[A-Za-z]:)[/\\]/.test(path);

/** Values by their keys, since a path may also be part of a URL or a compiler's option. */
function tellingPaths(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return pathKeys.has(key) && isTelling(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => tellingPaths(inner, Array.isArray(value) ? key : name));
}

export interface SpecAsWritten {
  readonly spec: Spec;
  readonly specText: string;
}

/** Telling paths become their last name, in the text too; a home folder in its comments becomes `~`. */
export function specWithoutPaths({ spec, specText }: SpecAsWritten): SpecAsWritten {
  const paths = tellingPaths(spec).toSorted((a, b) => b.length - a.length);
  const short = new Map(paths.map((path) => [path, basename(path)]));
  return { spec: specSchema.parse(shortened(spec, short)), specText: withoutHomes(replaced(specText, short)) };
}

/** @param folders such as that of the runs: their last name stays */
export const textWithoutPaths = (text: string, folders: readonly string[]): string =>
  withoutHomes(replaced(text, new Map(folders.map((folder) => [folder, basename(folder)]))));

const withoutHomes = (text: string): string => text.replaceAll(/\/(?:home|Users)\/[^/\s"'`:]+/g, '~');

const replaced = (text: string, short: ReadonlyMap<string, string>): string =>
  [...short].reduce((now, [path, name]) => now.replaceAll(path, name), text);

function shortened(value: unknown, short: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return short.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => shortened(one, short));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, short)]));
}
