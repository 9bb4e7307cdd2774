import { expect, test } from 'vitest';
import { inPieces } from '../../../activities/storage/postgres/ledger/dump/write-dump.ts';

// PostgreSQL refuses JSON of more than 256 MB: a hundred replies of megabytes each.
test('rows go in pieces of at most so many bytes, each of at least one row, in their order', () => {
  const row = (n: number) => ({ n, body: 'x'.repeat(82) });
  expect(JSON.stringify(row(1))).toHaveLength(99);
  const pieces = (most: number, rows: number) =>
    [
      ...inPieces(
        Array.from({ length: rows }, (_, n) => row(n)),
        most,
      ),
    ].map((piece) => piece.map(({ n }) => n));
  expect(pieces(200, 5)).toEqual([[0, 1], [2, 3], [4]]);
  expect(pieces(10, 3)).toEqual([[0], [1], [2]]);
  expect(pieces(10_000, 3)).toEqual([[0, 1, 2]]);
  expect(pieces(200, 0)).toEqual([]);
});
