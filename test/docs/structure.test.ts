/** No circular imports, not even of types, so that each file can be read by itself. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && !path.startsWith('test/') && existsSync(join(root, path)));
const importsOf = (path: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/from\s+'(\.[^']+)'/g)].map(([, target]) =>
    normalize(join(dirname(path), target ?? '')),
  );

/** Repeatedly removes files that import none of the others; the rest is in a circle or leads into one. */
function inCircles(): string[] {
  const left = new Map(files.map((path) => [path, importsOf(path)]));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [path, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(path);
  }
  return [...left.keys()];
}

test('there are no circular imports', () => {
  expect(files.length).toBeGreaterThan(500);
  expect(inCircles()).toEqual([]);
});

test('no folder directly contains more than 25 files', () => {
  const all = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '');
  const folders = [
    ...Map.groupBy(
      all.filter((path) => existsSync(join(root, path))),
      dirname,
    ),
  ];
  expect(folders.flatMap(([folder, own]) => (own.length > 25 ? [`${folder}: ${own.length}`] : []))).toEqual([]);
});
