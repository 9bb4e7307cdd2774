/**
 * What is particular to a kind of study lies in its room: no file elsewhere names a kind, or reaches into one's folder.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { studyKinds } from '../../studies/index.ts';

const root = join(import.meta.dirname, '../..');
/** A room is a folder with a study in it. */
const rooms = globSync('studies/*/study.ts', { cwd: root }).map((path) => basename(dirname(path)));

/** Folders of the program; tests, benches and the simulator know which studies they try. */
const folders = ['activities', 'analysis', 'cli', 'domain', 'sandbox', 'schemas', 'workers', 'workflows'];

/** A kind's own files outside its room: its workflows and declarations. */
const own = new RegExp(`^(?:workflows/(?:posets|${rooms.join('|')})|schemas/(?:spec|tables)/[a-z-]+)\\.ts$`);
/** Registries outside the rooms. */
const registries = new Set(['schemas/spec.ts', 'schemas/tables.ts', 'workflows/index.ts']);

const files = folders
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  .filter((path) => !own.test(path) && !registries.has(path));

const roomOf = (kind: string): string => (kind === 'evaloop-translation' ? 'chain' : kind.replace(/-.*/, ''));

const withoutComments = (source: string): string => source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, '');

/** Common words are no evidence: `chain`; `pass` is an outcome, too. As a kind they would be compared with one. */
const commonWords: ReadonlySet<string> = new Set(['chain', 'pass']);
const isTelling = (name: string): boolean => !commonWords.has(name);

/** Strings that are a kind's name, and identifiers with a room's name in them. */
const kindInQuotes = `(?<quote>['"\`])(?:${studyKinds.filter(isTelling).join('|')})\\k<quote>`;
const kindCompared = `kind\\b[^\n]{0,20}(['"\`])(?:${studyKinds.join('|')})\\1`;
const nameWithRoom = `\\b\\w*(?:${rooms.filter(isTelling).join('|')})\\w*(?=\\s*[,:=.;(){}<>[\\]])`;
const named = new RegExp(`${kindInQuotes}|${nameWithRoom}`, 'i');
const compared = new RegExp(kindCompared, 'i');
const withoutTexts = (source: string): string =>
  source.replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, (text) =>
    studyKinds.some((kind) => text.slice(1, -1) === kind) ? text : "''",
  );

test('every kind has a room, and every room a kind', () => {
  expect(rooms.toSorted()).toEqual([...new Set(studyKinds.map((kind) => roomOf(kind)))].toSorted());
});

test.each(files)('%s names no kind of study', (path) => {
  const source = withoutComments(readFileSync(join(root, path), 'utf8'));
  expect(rooms.filter((room) => isTelling(room) && basename(path).includes(room))).toEqual([]);
  expect(
    withoutTexts(source)
      .split('\n')
      .filter((line) => named.test(line) || compared.test(line)),
  ).toEqual([]);
});

test.each(files)('%s reaches into no room', (path) => {
  const source = withoutComments(readFileSync(join(root, path), 'utf8'));
  const imports = [...source.matchAll(/from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'/g)].map(([, one, other]) =>
    normalize(join(dirname(path), one ?? other ?? '')),
  );
  expect(imports.filter((target) => rooms.some((room) => target.startsWith(`studies/${room}/`)))).toEqual([]);
});
