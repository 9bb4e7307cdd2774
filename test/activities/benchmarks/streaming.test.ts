/** A file that is larger than the memory it is read in. */
import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { createGzip } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const tasks = 100_000;
const promptBytes = 1_200;
/** The file's text is 130 MB; its names alone, which are kept to find doubles and the nearest name, take 20 MB. */
const heapMb = 96;

function* lines(): Generator<string> {
  const prompt = 'p'.repeat(promptBytes);
  for (let number = 0; number < tasks; number += 1) {
    const task = { task_id: `mine/${number}`, prompt, entry_point: 'f', reference: 'def f(x): return x' };
    yield `${JSON.stringify({ ...task, suites: { base: { inputs: [[number]] } } })}\n`;
  }
}

const loader = pathToFileURL(join(import.meta.dirname, '../../../activities/benchmarks/load.ts')).href;
const load = (path: string): string => `
  const { loadBenchmark } = await import(${JSON.stringify(loader)});
  const request = { name: 'mine', format: 'evenkeel', path: ${JSON.stringify(path)}, seed: 1, tasks: { sample: 50 } };
  const { tasks } = await loadBenchmark(request);
  console.log(new Set(tasks.map(({ taskId }) => taskId)).size);`;

test(`a sample of 100,000 tasks, 130 MB of text, is drawn in a heap of ${heapMb} MB`, async () => {
  const path = join(temporaryFolder(), 'large.jsonl.gz');
  await pipeline(Readable.from(lines()), createGzip({ level: 1 }), createWriteStream(path));
  const options = [
    '--disable-warning=ExperimentalWarning',
    `--max-old-space-size=${heapMb}`,
    '--input-type=module',
    '-e',
    load(path),
  ];
  expect(execFileSync(process.execPath, options, { encoding: 'utf8' }).trim()).toBe('50');
}, 120_000);
