import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadBenchmark } from '../../../activities/benchmarks/load.ts';
import { openRecords } from '../../../activities/benchmarks/records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const count = 100_000;
const common = { prompt: 'Text.', entry_point: 'f', reference: 'def f(x): return x' };
const line = (number: number): string =>
  `${JSON.stringify({ task_id: `mine/${number}`, ...common, suites: { base: { inputs: [[number]] } } })}\n`;
const lines = Array.from({ length: count }, (_, number) => line(number));

function written(text: string): string {
  const path = join(temporaryFolder(), 'large.jsonl');
  writeFileSync(path, text);
  return path;
}

it('records come while the file is read: a fault in line 100,001 is met after 100,000 records', async () => {
  let seen = 0;
  const reading = (async () => {
    for await (const { record } of openRecords(written(`${lines.join('')}{"task_id": "cut`)).records)
      if (record !== null) seen += 1;
  })();
  await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'InputError', line: count + 1 }));
  expect(seen).toBe(count);
});

it('of 20,000 tasks the chosen ones are those of the same seed in a shuffled file', { timeout: 60_000 }, async () => {
  const chosen = async (text: string): Promise<string[]> => {
    const { tasks } = await loadBenchmark({
      name: 'large',
      format: 'evenkeel',
      path: written(text),
      seed: 3,
      tasks: { limit: 20 },
    });
    return tasks.map(({ taskId }) => taskId);
  };
  const some = lines.slice(0, 20_000);
  const inOrder = await chosen(some.join(''));
  expect(inOrder).toHaveLength(20);
  expect((await chosen(some.toReversed().join(''))).toReversed()).toEqual(inOrder);
});
