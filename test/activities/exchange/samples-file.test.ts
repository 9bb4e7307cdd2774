import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createReplayProvider } from '../../../activities/providers/replay.ts';
import { readSamples } from '../../../activities/exchange/samples-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { coordinates, question } from '../providers/questions.ts';

function written(name: string, lines: readonly object[]): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

it('the n-th of a task’s samples is its n-th repetition and draw; a single one is every one', async () => {
  const samples = written('samples.jsonl', [
    { task_id: 'A/1', completion: 'first', passed: true },
    { task_id: 'B/2', solution: 'only', _identifier: 'B/2 @ 0' },
    { task_id: 'A/1', completion: 'second', result: 'failed: ' },
    { task_id: 'A/1', completion: 'third' },
  ]);
  const { tasks, samples: count, perTask, lines } = await readSamples(samples);
  expect([tasks, count, perTask]).toEqual([2, 4, [1, 3]]);
  const provider = await createReplayProvider({ file: written('replies.jsonl', lines), sha256: null });
  const reply = async (at: object): Promise<string | undefined> => {
    const [first] = await provider.ask(
      question,
      { ...coordinates, step: 'generate', ...at },
      new AbortController().signal,
    );
    return first?.text;
  };
  const draw = { taskId: 'A/1', sourceTaskId: 'A/1' };
  expect(await reply({ ...draw, repetition: 0, sample: 0 })).toBe('first');
  expect(await reply({ ...draw, repetition: 2, sample: 0 })).toBe('third');
  expect(await reply({ ...draw, repetition: 0, sample: 1 })).toBe('second');
  expect(await reply({ taskId: 'b2', sourceTaskId: 'B/2', repetition: 7, sample: 0 })).toBe('only');
  await expect(reply({ ...draw, repetition: 3, sample: 0 })).rejects.toThrow();
  await provider.close();
});

it('names file and line of what is no sample', async () => {
  const lines = [
    { task_id: 'A/1', completion: '' },
    { task_id: 'A/2', output: 'x' },
  ];
  await expect(readSamples(written('bad.jsonl', lines))).rejects.toThrow(
    expect.objectContaining({
      name: 'InputError',
      line: 2,
      message: expect.stringContaining('neither a completion nor a solution'),
    }),
  );
});
