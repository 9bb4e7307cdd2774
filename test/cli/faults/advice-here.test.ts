import { expect, test } from 'vitest';
import { adviceHere } from '../../../cli/faults/advice-here.ts';

const damaged = 'x.parquet: its SHA-256 is not 0; run `evenkeel verify a-run --repair` to rebuild it from the ledger';

test('an advised command names the folder of runs that the command line names', () => {
  expect(adviceHere(damaged, '/my runs')).toContain(
    "`evenkeel verify a-run --repair --runs-dir '/my runs'` to rebuild",
  );
  expect(adviceHere(damaged, null)).toBe(damaged);
});

test.each([
  'restore the run folder from a copy, "evenkeel verify" lists what is damaged',
  'go on with `npx evenkeel resume a --accept-losses --runs-dir /r`',
  '`evenkeel resume a --runs-dir /r`',
  'a reply with `evenkeel fetch humaneval`',
])('other text stays as it is: %s', (text) => {
  expect(adviceHere(text, '/elsewhere')).toBe(text);
});
