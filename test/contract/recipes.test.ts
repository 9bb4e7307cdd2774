/** Compares docs/extending.md with the files that it names; test/e2e/extending.test.ts applies and runs the recipes. */
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/doc-commands.ts';
import { carryOut, recipes } from '../support/recipes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('each recipe finds the lines that it names, applied one after the other', () => {
  const folder = temporaryFolder();
  const all = recipes();
  expect(all.map(({ title }) => title)).toEqual([
    'A study',
    'A metric, its table and its figure',
    'A benchmark format',
    'A provider',
    'A language',
  ]);
  const written = new Set(all.flatMap(({ edits }) => edits.filter(({ at }) => at === null).map(({ file }) => file)));
  for (const file of new Set(all.flatMap(({ edits }) => edits.map((edit) => edit.file)))) {
    if (written.has(file)) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repository, file), join(folder, file));
  }
  for (const recipe of all) carryOut(recipe, folder);
});
