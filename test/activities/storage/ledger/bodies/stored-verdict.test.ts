/** A verdict takes little more room than its program's SHA-256 and detail, and comes back as it was. */
import { expect, test } from 'vitest';
import { packBody } from '../../../../../activities/storage/ledger/bodies/stored-body.ts';
import {
  packVerdict,
  type Own,
  unpackVerdict,
} from '../../../../../activities/storage/ledger/bodies/stored-verdict.ts';

const passed: Own = {
  ...{ programSha256: 'b'.repeat(64), suite: 'base', outcome: 'pass', firstFailingCase: null, detail: null },
  ...{ wallMs: 3.25, cpuMs: 2.5, memoryBytes: null },
};
const failed: Own = { ...passed, outcome: 'wrong_output', firstFailingCase: 3, detail: 'expected 1, got 2' };

test.each([
  ['a pass', passed],
  ['a failure of an earlier run', { ...failed, reused: true } satisfies Own],
  ['a long detail', { ...failed, detail: 'expected 1, got 2\n'.repeat(400) }],
])('%s comes back as it was', (_name, one: Own) => {
  expect(unpackVerdict(packVerdict(one), 'it')).toEqual(one);
});

test('a verdict of a ledger of format 4 is read', () => {
  expect(unpackVerdict(packBody(failed), 'it')).toEqual(failed);
});

// Counted by hand: ["…","base","pass",null,null,3.25,2.5,null] without the 64 digits.
test('a verdict takes 42 bytes besides its program’s SHA-256', () => {
  expect(packVerdict(passed).body.length).toBe(64 + 42);
});
