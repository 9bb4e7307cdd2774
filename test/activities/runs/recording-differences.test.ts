import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareRecordings } from '../../../activities/runs/recording-differences.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const lines = [
  { task_id: 'a', reply: 'one', model: 'm' },
  { task_id: 'a', loop: 2, reply: 'two' },
  { task_id: 'b', reply: 'three' },
];

async function compared(now: readonly object[], before: readonly object[] = lines) {
  const folder = temporaryFolder();
  const write = (name: string, recorded: readonly object[]): string => {
    writeFileSync(join(folder, name), recorded.map((line) => `${JSON.stringify(line)}\n`).join('\n'));
    return join(folder, name);
  };
  return compareRecordings(write('copy.jsonl', before), write('now.jsonl', now));
}

test('lines may be added anywhere, and change places, spelling and fields that say nothing', async () => {
  const [first, second, third] = lines as [object, object, object];
  expect(
    await compared([
      { reply: 'new' },
      third,
      { loop: 2, task_id: 'a', reply: 'two', input_tokens: null, simulated: false },
      first,
    ]),
  ).toEqual({
    added: 1,
    differences: [],
  });
  expect(await compared([first, second, third])).toEqual({ added: 0, differences: [] });
});

test('a changed reply, a changed fact, a moved and a missing line are named by coordinates and line', async () => {
  const now = [
    { task_id: 'a', reply: 'other', model: 'm' },
    { task_id: 'a', loop: 3, reply: 'two' },
    { task_id: 'b', reply: 'three', finish_reason: 'length' },
  ];
  expect(await compared(now)).toEqual({
    added: 1,
    differences: [
      `line 1, {"task_id":"a"}: has another reply than line 1 of the run's copy`,
      `line 5, {"task_id":"b"}: differs from line 5 of the run's copy in a field other than the reply`,
      `line 3 of the run's copy, {"task_id":"a","loop":2}: is no longer in the file`,
    ],
  });
});

test('replies of a simulated model are no addition to those of real ones, and are one to simulated ones', async () => {
  const simulated = { task_id: 'c', reply: 'four', simulated: true };
  expect((await compared([...lines, simulated])).differences).toEqual([
    `line 7, {"task_id":"c"}: is marked simulated, but no line of the run's copy is`,
  ]);
  expect(await compared([...lines, simulated, { ...simulated, task_id: 'd' }], [...lines, simulated])).toEqual({
    added: 1,
    differences: [],
  });
});
