/**
 * The reference ceilings of the public benchmarks, task by task, through the embedded sandbox.
 * Takes half an hour on two cores.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCatalogue } from '../../activities/benchmarks/catalogue.ts';
import { measureCeilings } from '../../activities/benchmarks/ceilings.ts';
import { type BenchmarkRequest, loadBenchmark } from '../../activities/benchmarks/load.ts';
import { createReferenceCache } from '../../activities/judging/reference-cache.ts';
import { openSandbox } from '../../activities/sandboxes/index.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import { benchmarkFile } from '../support/benchmark-files.ts';

const catalogue = readCatalogue(new URL('../../data/benchmarks', import.meta.url).pathname);

let box: Sandbox;
beforeAll(async () => {
  box = await openSandbox('auto');
});
afterAll(() => box.close());

const files = {
  humaneval: benchmarkFile('humaneval', 'HumanEval.jsonl.gz'),
  'humaneval-et': benchmarkFile('humaneval-et', 'HumanEval_ET.jsonl'),
  'humaneval-plus': benchmarkFile('humaneval-plus', 'HumanEvalPlus.jsonl.gz'),
  'mbpp-sanitized': benchmarkFile('mbpp-sanitized', 'sanitized-mbpp.json'),
  'mbpp-et': benchmarkFile('mbpp-et', 'MBPP_ET_sanitized427.jsonl'),
  'mbpp-plus': benchmarkFile('mbpp-plus', 'MbppPlus.jsonl.gz'),
};
type Name = keyof typeof files;

function request(name: Name): BenchmarkRequest {
  const whole = { name, seed: 0 };
  if (name !== 'mbpp-et') return { ...whole, format: name, path: files[name].path };
  const et = { name: 'et', format: name, path: files[name].path };
  return { ...whole, format: 'mbpp-sanitized', path: files['mbpp-sanitized'].path, suites: [et] };
}

describe.each(Object.keys(files) as Name[])('%s', (name) => {
  it.skipIf(!files[name].isThere)(
    `has exactly the failing references that the catalogue explains${files[name].note}`,
    async () => {
      const { tasks } = await loadBenchmark(request(name));
      const ceilings = await measureCeilings({ box, cache: createReferenceCache(null) }, tasks, () => undefined);
      const measured = Object.fromEntries(
        ceilings.map(({ suite, failing }) => [suite, failing.map(({ taskId }) => Number(taskId.split('/')[1]))]),
      );
      const known = Object.entries(catalogue.find((entry) => entry.name === name)?.failing ?? {});
      expect(measured).toEqual(
        Object.fromEntries(
          known.map(([suite, reasons]) => [
            suite,
            Object.values(reasons)
              .flat()
              .sort((a, b) => a - b),
          ]),
        ),
      );
    },
  );
});
