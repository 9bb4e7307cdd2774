/**
 * A finished run of two models, and the same run with all answers but the pages of one model not yet sealed.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Deployment } from './deployment.ts';
import { unsealed } from './kills/finish-kills.ts';
import { finishRun } from './kills/finish-run.ts';
import { stableRows } from './stable-rows.ts';
import { badReplies, benchmarkText, courseLines, replayText, tinyTasks } from './tiny-tasks.ts';

export interface AnsweredRun {
  /** Run ids. */
  readonly whole: string;
  readonly half: string;
  readonly truth: Awaited<ReturnType<typeof stableRows>>;
}

export async function answeredRun(deployment: Deployment): Promise<AnsweredRun> {
  const tasks = tinyTasks(4);
  const lines = tasks.flatMap((task, index) => courseLines(task, index % 3, 2, badReplies.wrong_output(task)));
  deployment.write('tiny.jsonl', benchmarkText(tasks));
  deployment.write(
    'replies.jsonl',
    replayText([...lines, { step: 'summarize', reply: 'Write a python function to add.' }]),
  );
  const models = ['first', 'second'].map((id) => `{ id: ${id}, provider: replay, file: replies.jsonl }`).join(', ');
  const spec = deployment.write(
    'whole.yaml',
    `
name: whole
seed: 3
models: [${models}]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 2 } }]
`,
  );
  const end = await deployment.evenkeel('run', spec);
  expect(end.status, end.output).toBe(0);
  const truth = await stableRows(join(deployment.runsDir, 'whole'));
  const [first = ''] = await unsealed(deployment.runsDir, 'whole', 'half');
  // Tables of the whole run exist from an earlier finish; newer ones replace them.
  await finishRun(deployment.runsDir, 'half', [first]);
  return { whole: 'whole', half: 'half', truth };
}
