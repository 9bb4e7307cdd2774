/** Which worker may make a run's calls: one with the keys that the run's own command has. */
import { expect, test } from 'vitest';
import { createKeyCheck, keysMark } from '../../../activities/calls/run-keys.ts';
import type { Run } from '../../../activities/runs/opened/run.ts';
import type { Spec } from '../../../schemas/spec.ts';

const specWith = (accounts: readonly object[]): Spec =>
  ({ providers: Object.fromEntries(accounts.map((account, index) => [`p${index}`, account])) }) as Spec;
const spec = specWith([
  { kind: 'openai', apiKeyEnv: 'KEY', headersEnv: { 'x-team': 'TEAM' } },
  { kind: 'openai', apiKeyEnv: 'KEY' },
]);
const mine = { KEY: 'sk-mine', TEAM: 'a', OTHER: '1' };

test('the mark differs with any value that the spec names, and only with those', () => {
  const mark = keysMark(spec, 'u', mine);
  expect(mark).toMatch(/^[0-9a-f]{8}$/);
  expect(keysMark(spec, 'u', { ...mine, OTHER: '2' })).toBe(mark);
  for (const env of [{ ...mine, KEY: 'sk-yours' }, { ...mine, TEAM: 'b' }, { KEY: 'sk-mine' }, {}])
    expect(keysMark(spec, 'u', env)).not.toBe(mark);
  // Another run's mark tells nothing about equal keys.
  expect(keysMark(spec, 'v', mine)).not.toBe(mark);
  expect(keysMark(specWith([{ kind: 'simulator', baseUrl: 'http://localhost' }]), 'u', mine)).toBeNull();
});

test('a worker with other keys refuses, ever later; it says so once, and only to a person who started it', async () => {
  const [lines, refusals]: [string[], number[]] = [[], []];
  const options = {
    runs: { open: async () => ({ spec }) as unknown as Run },
    handover: { refused: () => void refusals.push(1) },
    say: (line: string) => void lines.push(line),
  };
  const ref = { runId: 'r', uuid: 'u', epoch: 1, keys: keysMark(spec, 'u', mine) as string };
  const same = createKeyCheck({ ...options, env: mine });
  await same(ref, 1);
  const { keys: _, ...withoutKeys } = ref;
  const other = createKeyCheck({ ...options, env: { ...mine, KEY: 'sk-yours' } });
  await other(withoutKeys, 1);
  expect(refusals).toEqual([]);
  const delays = [];
  for (const attempt of [1, 8, 10, 40])
    delays.push(await other(ref, attempt).catch(({ type, nextRetryDelay }) => [type, nextRetryDelay]));
  expect(delays).toEqual([100, 100, 400, 5_000].map((ms) => ['OtherKeys', ms]));
  expect([refusals.length, lines]).toEqual([4, [expect.stringMatching(/^note: run r was started with other keys/)]]);
});
