/** SQL on the command line may begin with a comment. */
import { expect, test } from 'vitest';
import { withSqlApart } from '../../cli/sql-argument.ts';

const argv = (...words: string[]): string[] => ['node', 'evenkeel', ...words];

test('SQL that begins with a comment goes behind a separator', () => {
  expect(withSqlApart(argv('query', 'nightly', '-- top\nselect 1', '--limit', '3'))).toEqual(
    argv('query', 'nightly', '--limit', '3', '--', '-- top\nselect 1'),
  );
});

test.each([
  [argv('query', 'nightly', 'select 1', '--json')],
  [argv('query', 'nightly', '--limit', '3', '--', '-- top\nselect 1')],
  [argv('query', 'nightly', '--runs-dir=/a folder', 'select 1')],
  [argv('run', 'spec.yaml', '--run', '-- a')],
])('%j stays unchanged', (words) => {
  expect(withSqlApart(words)).toEqual(words);
});
