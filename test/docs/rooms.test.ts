/** Compares the picture at the top of docs/architecture.md with the imports of the code. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/doc-commands.ts';

interface Room {
  readonly name: string;
  /** By room: `types` if the picture says that only types are imported. */
  readonly imports: ReadonlyMap<string, 'values' | 'types'>;
}

const picture =
  /```rooms\n([\s\S]*?)```/.exec(readFileSync(join(repository, 'docs/architecture.md'), 'utf8'))?.[1] ?? '';

const drawn: Room[] = picture
  .trim()
  .split('\n')
  .map((line) => {
    const [, name = '', arrows = ''] = /^(\w+) .*→(.*)$/.exec(line) ?? [];
    const imports = [...arrows.matchAll(/(\w+)( \(types\))?/g)].map(
      ([, room = '', types]) => [room, types === undefined ? 'values' : 'types'] as const,
    );
    return { name, imports: new Map(imports) };
  });

const statement =
  /^(?:import|export)(?<types> type)? (?:[^;'"]*? from )?'(?<path>\.[^']+)'|\bimport\('(?<lazy>\.[^']+)'\)/gm;

/** The imports of a file from other rooms. */
function importsOf(file: string): { readonly room: string; readonly kind: 'values' | 'types' }[] {
  const text = readFileSync(join(repository, file), 'utf8');
  return [...text.matchAll(statement)].flatMap(({ groups }) => {
    const target = normalize(join(dirname(file), groups?.['path'] ?? groups?.['lazy'] ?? '.'));
    const [room = ''] = target.split('/');
    return room === file.split('/')[0]
      ? []
      : [{ room, kind: groups?.['types'] === undefined ? 'values' : 'types' } as const];
  });
}

function importedBy(room: string): ReadonlyMap<string, 'values' | 'types'> {
  const all = globSync(`${room}/**/*.ts`, { cwd: repository }).flatMap(importsOf);
  const kinds = Map.groupBy(all, (one) => one.room);
  return new Map(
    [...kinds].map(([name, found]) => [name, found.some(({ kind }) => kind === 'values') ? 'values' : 'types']),
  );
}

test('the picture has every room of the program', () => {
  const notShipped = new Set(['bench', 'bin', 'deploy', 'dist', 'docs', 'node_modules', 'scripts', 'test']);
  const folders = globSync('*/', { cwd: repository }).map((name) => name.replace('/', ''));
  expect(drawn.map(({ name }) => name).sort()).toEqual(folders.filter((name) => !notShipped.has(name)).sort());
});

test.each(drawn)('$name imports what the picture says, no more and no less', ({ name, imports }) => {
  const found = new Map(importedBy(name));
  expect([...found.keys()].sort()).toEqual([...imports.keys()].sort());
  const marked = [...imports].filter(([, kind]) => kind === 'types').map(([room]) => room);
  expect(marked.filter((room) => found.get(room) !== 'types')).toEqual([]);
});
