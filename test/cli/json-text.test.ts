import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonParts } from '../../cli/output/json-text.ts';

const whole = (value: unknown): string => [...jsonParts(value)].join('');

test('a document in parts is the text that JSON.stringify gives', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.jsonValue(), { maxLength: 3 }), (head, items) => {
      const rows = Array.from({ length: 1_001 }, (_, index) => items[index % Math.max(1, items.length)]);
      const document = { head, absent: undefined, rows, after: [] };
      expect(whole(document)).toBe(JSON.stringify(document, null, 2));
      expect(whole(head)).toBe(JSON.stringify(head, null, 2));
    }),
    { numRuns: 50 },
  );
});

test('no part is as long as the document: strings end at half a gigabyte', () => {
  const rows = Array.from({ length: 50_000 }, () => ['x'.repeat(100)]);
  const parts = [...jsonParts({ columns: ['text'], rows })];
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(200_000);
  expect(parts.join('')).toBe(JSON.stringify({ columns: ['text'], rows }, null, 2));
});
