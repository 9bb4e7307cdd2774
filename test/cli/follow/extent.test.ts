/** What a run has to do before it asks anything. */
import { expect, test } from 'vitest';
import { extentOf } from '../../../cli/follow/extent.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { Manifest } from '../../../schemas/manifest.ts';

const manifestOf = (provider: string, benchmarks: object): Manifest =>
  ({
    spec: parseSpec(
      `name: r
models: [{ id: m, ${provider} }]
benchmarks: { b: { format: evenkeel, path: x } }
studies: [{ name: plain, kind: pass, benchmark: b }]
`,
      'spec.yaml',
    ),
    benchmarks,
  }) as unknown as Manifest;

test('mutations are tried of each task, for simulated models only; tasks that benchmarks share count once', () => {
  const simulated = 'provider: simulated';
  expect(extentOf(manifestOf(simulated, { b: { tasks: 40 } })).mutated).toBe(40);
  expect(extentOf(manifestOf(simulated, { b: { tasks: 40 }, c: { tasks: 30 } })).mutated).toBeNull();
  expect(extentOf(manifestOf('provider: replay, file: r.jsonl', { b: { tasks: 40 } })).mutated).toBeUndefined();
});
