/** docs/operations/guarantees.md names every promise, its line and its test; lines and tests are where it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { guarantees } from '../support/guarantees/guarantees.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** A contract's tests are in other files of its folder. */
const contracts = [
  'test/contract/stores/account-store-contract.ts',
  'test/contract/stores/blob-store-contract.ts',
  'test/contract/stores/ledger-contract.ts',
  'test/contract/stores/run-catalog-contract.ts',
  'test/contract/stores/ledger/model-contract.ts',
  'test/contract/stores/planners/planners-contract.ts',
];

test.each(guarantees)('$promise', ({ file, line, test: testFile, name }) => {
  expect(read(file).split(line), `${file} has the line once`).toHaveLength(2);
  const text = [testFile, ...contracts].map(read).join('\n');
  expect(text).toContain(name.replaceAll("'", "\\'"));
});

test('the page names each, with its files', () => {
  const items = guarantees.map(
    ({ promise, file, test: testFile }) => `- ${promise}\n  (\`${file}\`;\n  \`${testFile}\`)\n`,
  );
  expect(
    read('docs/operations/guarantees.md')
      .split(/^(?=- )/m)
      .slice(1),
  ).toEqual(items);
});
