/**
 * Malformed answers of an endpoint: EVENKEEL_FUZZ_REPLIES of them (default: 60).
 * test/soak/fuzz/malformed-files.test.ts takes more.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzzSeed } from './malformed-files.ts';
import { faultsOfProvider, type OddEndpoint, openOddEndpoint } from './malformed-replies.ts';

const count = Number(process.env['EVENKEEL_FUZZ_REPLIES'] ?? 60);
let endpoint: OddEndpoint;
beforeAll(async () => {
  endpoint = await openOddEndpoint();
});
afterAll(() => endpoint.close());

test(`${count} malformed answers are faults of the endpoint or sane replies (EVENKEEL_FUZZ_SEED=${fuzzSeed})`, {
  timeout: 120_000,
}, async () => {
  expect(await faultsOfProvider(endpoint, count)).toEqual([]);
});
