/** The manifest of a run that has just begun. */
import type { Manifest } from '../../../schemas/manifest.ts';
import { specSchema } from '../../../schemas/spec.ts';

const spec = specSchema.parse({
  name: 'r',
  models: [{ id: 'org/m', provider: 'simulated' }],
  benchmarks: { mbpp: { format: 'mbpp-plus', path: 'MbppPlus.jsonl.gz' } },
  studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'mbpp' }],
});

export const manifest: Manifest = {
  formatVersion: 1,
  programVersion: '0.1.0',
  uuid: '7d0c1f5e-0000-4000-8000-000000000000',
  runId: 'r',
  state: 'running',
  stateDetail: null,
  createdAt: '2026-11-20T20:00:00.000Z',
  updatedAt: '2026-11-20T20:00:00.000Z',
  finishedAt: null,
  spec,
  specText: 'name: r\n',
  plan: [],
  benchmarks: {},
  replays: {},
  versions: { prompts: { evaloop: '1' }, extractor: '1', scorer: '1', prices: '2026-11-01' },
  sandbox: { tier: 'embedded', engine: 'e', imageDigest: 'i' },
  parts: [],
};
