/**
 * Records one history of each kind of workflow, from runs over the real server and the command line: `node
 * test/histories/record.ts`. To be run, and its files committed, when a workflow changes on purpose. With `--version
 * 0.2` it makes the folder of a release, whose sweeps may be in flight long after it: to be run for each release, and
 * never again. `-apart` in the folder of 0.1 are pages whose programs have steps of their own, as with worker processes
 * that run none.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { connectClient } from '../../workers/temporal/connection.ts';
import { readServerRecord } from '../../workers/temporal/server-files.ts';
import { settingsOf } from '../../workers/temporal/start-server.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { openStubSweep, type StubServer } from '../support/lanes/stub-sweep.ts';
import {
  assertOf,
  badReplies,
  benchmarkText,
  courseLines,
  fenced,
  type ReplayLine,
  replayText,
  rightCode,
  type TinyTask,
  tinyTasks,
} from '../support/tiny-tasks.ts';

/**
 * With them the stopped model has five pages: one more than a lane has in flight, so that it is a workflow of its own.
 */
const moreStudies = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `  - { name: more-${index}, kind: evaloop, benchmark: tiny, models: [stopped] }`,
  ).join('\n');

const spec = `
name: recorded
models:
  - { id: looping, provider: replay, file: looping.jsonl }
  - { id: short, provider: replay, file: looping.jsonl }
  - { id: stopped, provider: replay, file: stopped.jsonl }
  - { id: judge, provider: replay, file: judge.jsonl, study: false }
  - { id: writer, provider: replay, file: writer.jsonl, study: false }
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl }, translated: { format: mxeval, path: translated.jsonl } }
studies:
  - { name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 3, judge: judge, judgeAsks: 2 } }
  - { name: detail, kind: specificity, benchmark: tiny, models: [looping],
      settings: { writer: writer, checker: looping, labeller: writer, maxDraws: 2, labelAsks: 2,
                  wordLimits: [10], ratios: [0.5], maskRatios: [0.5], draws: 1 } }
  - { name: moods, kind: promptse, benchmark: tiny, models: [looping], repetitions: 2,
      settings: { variants: 1, samples: 2, rewriter: writer, maxDraws: 2 } }
  - { name: around, kind: evaloop-translation, benchmark: translated, models: [looping],
      settings: { through: [translated, translated], tasks: shared } }
  - { name: plain, kind: pass, benchmark: tiny, models: [looping], settings: { samples: 2 } }
  - { name: ways, kind: robunfr-workflows, benchmark: tiny, models: [looping], repetitions: 1,
      settings: { dimensions: [{ name: guard, phrasings: [Guard it] }] } }
${moreStudies(4)}
`;

/** Python to Python, which every sandbox runs; the workflow does not see the language. */
const translatedTask = (task: TinyTask, number: number): string =>
  JSON.stringify({
    task_id: `MBPP/${number}`,
    prompt: `def ${task.entryPoint}(number):\n    """\n    Add ${task.addend}.\n    """\n`,
    entry_point: task.entryPoint,
    canonical_solution: `    return number + ${task.addend}\n`,
    test: `def check(candidate):\n    ${assertOf(task).replace(task.entryPoint, 'candidate')}\n`,
    language: 'python',
  });
/** The first goes through; the second fails in its second step, the third has no code in its first. */
const translations = (tasks: readonly TinyTask[]): ReplayLine[] =>
  tasks.flatMap((task, index) => [
    {
      task_id: `MBPP/${index + 1}`,
      step: 'translate',
      loop: 1,
      reply: index === 2 ? badReplies.no_code() : fenced(rightCode(task)),
    },
    {
      task_id: `MBPP/${index + 1}`,
      step: 'translate',
      loop: 2,
      reply: index === 1 ? badReplies.wrong_output(task) : fenced(rightCode(task)),
    },
  ]);

/**
 * One task for each number of sustained loops; the first judge's answer to one of them holds no score; one model has no
 * summaries and stops.
 */
function writeInputs(deployment: Deployment): string {
  const tasks = tinyTasks(4);
  const courses = tasks.flatMap((task, sustained) => courseLines(task, sustained, 3, badReplies.wrong_output(task)));
  deployment.write('tiny.jsonl', benchmarkText(tasks));
  const three = tasks.slice(0, 3);
  deployment.write('translated.jsonl', three.map((task, index) => translatedTask(task, index + 1)).join('\n'));
  deployment.write(
    'looping.jsonl',
    replayText([
      ...courses,
      ...translations(three),
      { step: 'summarize', reply: 'Write a python function to add.' },
      { step: 'improve', reply: 'I would leave it as it is.' },
    ]),
  );
  deployment.write('stopped.jsonl', replayText(courses));
  // Nothing that it says is a variant. The name keeps apart what an earlier recording left on the machine.
  deployment.write(
    'writer.jsonl',
    replayText([
      { step: 'write', loop: 1, reply: 'As you like.' },
      {
        step: 'write',
        loop: 2,
        reply:
          '<description>Add what is given and give back the sum of it.\n\n' +
          'Mind negative numbers, and also zero. Return the sum.</description>',
      },
      { step: 'label', ask: 0, reply: 'It is about sums.' },
      { step: 'label', ask: 1, reply: '1.1, 1.4' },
      { step: 'rewrite', reply: 'I would rather not.' },
      { step: 'judge', task_id: randomUUID(), reply: '' },
    ]),
  );
  deployment.write(
    'judge.jsonl',
    replayText([
      { loop: 1, reply: '0.5' },
      { loop: 2, ask: 0, reply: 'Alike.' },
      { loop: 2, ask: 1, reply: '0.8' },
    ]),
  );
  return deployment.write('recorded.yaml', spec);
}

/** Without the names of this machine, its processes and its folders, which replay does not need. */
const anonymous = (json: string, { folder }: Deployment): string =>
  JSON.stringify(
    JSON.parse(json, (key, value: unknown) => (key === 'identity' || key === 'stackTrace' ? '' : value)),
  ).replaceAll(folder, '/folder');

/** Workflows that only long runs have, with stubbed work: more open lanes than a sweep's share, and 513 tasks. */
async function saveLong(server: StubServer, save: (name: string, handle: WorkflowHandle) => Promise<void>) {
  const lanes = Array.from({ length: 66 }, (_, number) => ({ model: `m${number}`, pages: number === 0 ? 5 : 1 }));
  // Replay tells histories apart by their workflow's id.
  const id = `long-${randomUUID()}`;
  const sweep = await openStubSweep(server, deployment.folder, id, { lanes, tasks: 513, failing: [] });
  const worker = await sweep.startWorker();
  const { firstExecutionRunId } = await sweep.start('lane', { run: sweep.run, model: 'm0', pagesPerTurn: 2 });
  await server.client.workflow.getHandle(id).result();
  await save('lane-continued.json', server.client.workflow.getHandle(id, firstExecutionRunId));
  await (await sweep.start('sweep', sweep.run)).result();
  await save('lanes.json', server.client.workflow.getHandle(`${id}/lanes after m64`));
  await save('references.json', server.client.workflow.getHandle(`${id}/references of tiny`));
  worker.process.kill('SIGKILL');
  await worker.ended;
}

/** Of the present version, or of a release; the histories of a release stay as they are. */
function folderOf(version: string | undefined): string {
  if (version === undefined) return import.meta.dirname;
  const folder = join(import.meta.dirname, version);
  if (existsSync(folder)) throw new Error(`${folder} exists already: the histories of a release are recorded once`);
  mkdirSync(folder);
  return folder;
}

const target = folderOf(parseArgs({ options: { version: { type: 'string' } } }).values.version);
const deployment = await openDeployment();
try {
  const end = await deployment.evenkeel('run', writeInputs(deployment));
  if (end.status !== 3)
    throw new Error(`expected a run whose one model stopped (3), got ${end.status}:\n${end.output}`);
  const server = readServerRecord(join(deployment.runsDir, '.temporal'));
  if (server === null) throw new Error('the deployment has no server');
  const settings = settingsOf(server.port);
  const client = await connectClient(settings);
  const save = async (name: string, handle: WorkflowHandle): Promise<void> => {
    const history = await handle.fetchHistory();
    writeFileSync(join(target, name), `${anonymous(historyToJSON(history), deployment)}\n`);
    process.stdout.write(`${name}: ${history.events?.length} events\n`);
  };
  for await (const { workflowId, type } of client.workflow.list())
    await save(
      `${type}${workflowId.includes('stopped') ? '-stopped' : ''}.json`,
      client.workflow.getHandle(workflowId),
    );
  await saveLong({ client, address: settings.address }, save);
  await client.connection.close();
} finally {
  await deployment.close();
}
