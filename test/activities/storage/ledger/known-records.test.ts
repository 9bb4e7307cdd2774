import { expect, test } from 'vitest';
import { createKnownRecords } from '../../../../activities/storage/ledger/sqlite/known-records.ts';

/** Over a ledger of texts that counts how often it is read. */
function over(ledger: Map<string, string>, room: number) {
  const reads: string[] = [];
  const records = createKnownRecords(
    (key: string) => {
      reads.push(key);
      return ledger.get(key);
    },
    room,
    (text) => text.length,
  );
  return { records, reads };
}

test('what was read or stored once is not read again', () => {
  const { records, reads } = over(new Map([['a', 'from the ledger']]), 100);
  expect([records.get('a'), records.get('a')]).toEqual(['from the ledger', 'from the ledger']);
  expect(records.put('b', 'stored here')).toBe('stored here');
  expect(records.get('b')).toBe('stored here');
  expect(reads).toEqual(['a']);
});

test('a missing record is looked up each time: another process may have stored it', () => {
  const ledger = new Map<string, string>();
  const { records } = over(ledger, 100);
  expect(records.get('a')).toBeUndefined();
  ledger.set('a', 'stored meanwhile');
  expect(records.get('a')).toBe('stored meanwhile');
});

test('a record that was evicted is read again', () => {
  const { records, reads } = over(
    new Map([
      ['a', '12345'],
      ['b', '67890'],
    ]),
    8,
  );
  for (const key of ['a', 'b', 'a']) records.get(key);
  expect(reads).toEqual(['a', 'b', 'a']);
});
