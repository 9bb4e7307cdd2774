/** Lines of code are short enough for two files side by side on a screen. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/doc-commands.ts';

const width = 120;
const patterns = ['*.ts', '*.mjs', '*.js', '*.css', '*.py'];

/** Files written by others or by programs, and the sandbox's Python, whose bytes identify the engine. */
const isExempt = (file: string): boolean =>
  file.startsWith('data/') ||
  file.includes('/fixtures/') ||
  /^sandbox\/.*\.py$/.test(file) ||
  file === 'sandbox/embedded/harness.ts';

const files = execFileSync('git', ['ls-files', ...patterns], { cwd: repository, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !isExempt(file) && existsSync(join(repository, file)));

const longLines = (text: string): number[] =>
  text.split('\n').flatMap((line, index) => ([...line].length > width ? [index + 1] : []));

test('no line of code has more than 120 columns', () => {
  const found = files.flatMap((file) =>
    longLines(readFileSync(join(repository, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
  expect(files.length).toBeGreaterThan(1000);
});

test('a line of 121 characters is found, one of 120 is not', () => {
  expect(longLines(['short', '–'.repeat(120), '–'.repeat(121)].join('\n'))).toEqual([3]);
});
