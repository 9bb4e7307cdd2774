/** How many models, studies and other things differ between runs, in one sentence for a long list of differences. */
import { wordList } from '../../domain/card/sentence.ts';
import { counted } from '../../domain/counted.ts';
import type { RunDifference } from './across-runs.ts';

/** Plurals, by the first word of an area. */
const things: Readonly<Record<string, string>> = {
  ...{ model: 'models', study: 'studies', benchmark: 'benchmarks', provider: 'providers' },
};
const longestList = 5;

/** `The runs differ in setting seed, 14 models (none of them in every run) and 20 versions.` */
export function differencesText(differences: readonly RunDifference[]): string {
  const kinds = Map.groupBy(differences, ({ area }) => area.split(' ', 1)[0] as string);
  const said = [...kinds].map(([kind, own]) => kindText(kind, own));
  return `The runs differ in ${wordList(said)}.`;
}

function kindText(kind: string, own: readonly RunDifference[]): string {
  const many = things[kind];
  if (many === undefined) return kind === 'versions' ? counted(own.length, 'version') : settingsText(own);
  const names = [...new Set(own.map(({ area }) => area.slice(kind.length + 1)))];
  const missing = new Set(own.filter(({ name }) => name === '').map(({ area }) => area)).size;
  const all = names.length === 1 ? 'not' : 'none of them';
  const not = missing === 0 ? '' : ` (${missing === names.length ? all : `${missing} of them not`} in every run)`;
  return `${counted(names.length, kind, many)}${not}`;
}

/** Of the spec itself: `seed` of 0 and 1. */
function settingsText(own: readonly RunDifference[]): string {
  const names = own.map(({ name }) => name);
  return names.length > longestList
    ? `${names.length} settings`
    : `setting${names.length === 1 ? '' : 's'} ${wordList(names)}`;
}
