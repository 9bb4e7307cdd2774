import { expect, test } from 'vitest';
import { batchSavings } from '../../../activities/estimate/batch-savings.ts';
import type { Lane } from '../../../activities/estimate/lane-estimate.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';

const ids = Array.from({ length: 100 }, (_, place) => `m${place}`);
const spec = parseSpec(
  JSON.stringify({
    name: 'many',
    providers: { p: { kind: 'openai', baseUrl: 'https://example.com/v1', apiKeyEnv: 'KEY' } },
    models: ids.map((id) => ({ id, provider: 'p', price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } })),
    benchmarks: { b: { format: 'evenkeel', path: 'p' } },
    studies: [{ name: 's', kind: 'pass', benchmark: 'b' }],
  }),
  's.json',
);
const lanes = ids.map((id, place) => ({
  estimate: { answeringModel: id, usd: { expected: place } },
  isVariants: false,
})) as unknown as Lane[];

// Red before: all models were named, in one line of 70,000 characters for 5,000 of them.
test('of many models those that save most are named, and the others counted', () => {
  // Half of 0 + 1 + ... + 99; the one of $0 saves nothing.
  const [line = ''] = batchSavings(spec, lanes);
  expect(line).toContain('about $2475.00 less is expected to be spent (m99 $49.50, m98 $49.00, ');
  expect(line).toContain('m92 $46.00, 91 more)');
});
