import { expect, test, vi } from 'vitest';
import { packBody, type StoredBody, unpackBody } from '../../../../../activities/storage/ledger/bodies/stored-body.ts';

/** A module of its own has not seen what was packed here. */
async function freshlyUnpacked(stored: StoredBody): Promise<unknown> {
  vi.resetModules();
  const fresh = await import('../../../../../activities/storage/ledger/bodies/stored-body.ts');
  return fresh.unpackBody(stored, 'it');
}

test.each([
  ['a short text', { text: 'def f(): return 1' }],
  ['a long text', { text: 'def f(): return 1\n'.repeat(400) }],
  ['a lone surrogate', { text: '\ud800 ü 🎈' }],
  ['a text that begins like a compressed one', '(28)'],
])('%s comes back as it was, also to a process that did not write it', async (_name, value) => {
  const stored = packBody(value);
  expect(unpackBody(stored, 'it')).toEqual(value);
  expect(await freshlyUnpacked(stored)).toEqual(value);
});

test('a long text takes less room than it has, a short one no more than it has', () => {
  const long = { text: 'def f(): return 1\n'.repeat(400) };
  expect(packBody(long).body.length).toBeLessThan(JSON.stringify(long).length / 10);
  expect(packBody('short').body.length).toBe(JSON.stringify('short').length);
});

test('a changed byte is refused, also where the value was read before', () => {
  const stored = packBody({ text: 'as it was' });
  unpackBody(stored, 'it');
  const body = Uint8Array.from(stored.body);
  body[3] = (body[3] ?? 0) ^ 1;
  expect(() => unpackBody({ ...stored, body }, 'reply 7')).toThrow(
    /reply 7: its stored bytes do not match their SHA-256/,
  );
});
