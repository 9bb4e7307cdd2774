import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plannedPages } from '../../../activities/estimate/page-groups.ts';
import { reusedAnswers } from '../../../activities/estimate/reused-answers.ts';
import { loadBenchmarks, tasksOf } from '../../../activities/runs/plan-inputs.ts';
import { readSpecFile } from '../../../cli/spec-file.ts';
import type { ChatReply } from '../../../schemas/chat.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';
import { reply } from '../storage/ledger/ledger-calls.ts';
import { endpoint } from './planned-spec.ts';

const samples = 5;
const spec = `name: planned
providers: { account: ${endpoint} }
models: [{ id: a, provider: account }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: plain, kind: pass, benchmark: tiny, settings: { samples: ${samples} } }]
`;

// Red before: the answers after the damaged one were taken for missing, and the minimum was up to four too high.
test.each([
  ['the first', 0],
  ['one in the middle', 2],
  ['the last', 4],
])('where %s of five samples is damaged, the other four count as reused', async (_what, damaged) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
  writeFileSync(join(folder, 'spec.yaml'), spec);
  const file = await readSpecFile(join(folder, 'spec.yaml'));
  const tasks = tasksOf(await loadBenchmarks(file));
  const pages = plannedPages(file.spec, tasks, null, {});
  const found = (find: (key: string) => ChatReply | undefined) =>
    reusedAnswers({ spec: file.spec, pages, tasks, find: async (key) => find(key) });
  const keys: string[] = [];
  await found((key) => (keys.push(key) <= samples ? reply('an answer') : undefined));
  const there = new Set(keys.slice(0, samples).toSpliced(damaged, 1));
  const steps = await found((key) => (there.has(key) ? reply('an answer') : undefined));
  expect(steps).toMatchObject([{ step: 'generate', answeringModel: 'a', answers: 4, samples: 4 }]);
});
