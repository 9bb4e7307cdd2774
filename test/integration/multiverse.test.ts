/**
 * Two models at a real endpoint, in every universe: values counted by hand, no call, and the run stays as it was. Six
 * tasks add their number to the given one.
 *
 * Model a: 1 and 2 right; 3 wrong on suite plus; 4 a wrong block before a right one; 5 imports a package that the
 * sandbox lacks; 6 no code. Model b: 1, 3 and 5 right; 2 and 4 wrong; 6 no code.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import {
  badReplies,
  benchmarkText,
  fenced,
  replayText,
  rightCode,
  type TinyTask,
  tinyTasks,
} from '../support/tiny-tasks.ts';

const tasks = tinyTasks(6);
const right = (task: TinyTask): string => fenced(rightCode(task));
const { wrong_output: wrong, wrong_on_plus: wrongOnPlus, missing_dependency: lacking, no_code: nothing } = badReplies;
const twoBlocks = (task: TinyTask): string => `First:\n${wrong(task)}\nBetter:\n${right(task)}`;
const replies: Readonly<Record<string, readonly ((task: TinyTask) => string)[]>> = {
  a: [right, right, wrongOnPlus, twoBlocks, lacking, nothing],
  b: [right, wrong, right, wrong, right, nothing],
};

let endpoint: Server;
let deployment: Deployment;
let asked = 0;
let manifest = '';
let caches = '';

function replyTo(model: string, prompt: string): string {
  const index = tasks.findIndex(({ entryPoint }) => new RegExp(`\\b${entryPoint}\\b`).test(prompt));
  if (prompt.startsWith('Use one sentence')) return `Write a python function to add ${index + 1}.`;
  return replies[model]?.[index]?.(tasks[index] as TinyTask) ?? '';
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A probe is not a question.
  if (request.method !== 'POST') {
    response.end('{}');
    return;
  }
  asked += 1;
  const { model, messages } = JSON.parse(await text(request)) as { model: string; messages: { content: string }[] };
  const message = { role: 'assistant', content: replyTo(model, messages.at(-1)?.content ?? '') };
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ model, choices: [{ index: 0, message, finish_reason: 'stop' }], usage }));
}

const manifestNow = (): string => readFileSync(join(deployment.runsDir, 'two', 'manifest.json'), 'utf8');

beforeAll(async () => {
  endpoint = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  caches = mkdtempSync(join(tmpdir(), 'evenkeel-executions-'));
  deployment = await openDeployment({ EVENKEEL_EXECUTION_CACHE: join(caches, 'executions.sqlite') });
  deployment.write('tiny.jsonl', benchmarkText(tasks));
  const { port } = endpoint.address() as AddressInfo;
  const spec = `
name: two
providers: { here: { kind: openai, baseUrl: "http://127.0.0.1:${port}/v1" } }
models: [{ id: a, provider: here }, { id: b, provider: here }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - { name: plain, kind: pass, benchmark: tiny, settings: { samples: 1 } }
  - { name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 2, judge: none } }
`;
  const { status, output } = await deployment.evenkeel('run', deployment.write('spec.yaml', spec));
  expect(status, output).toBe(0);
  manifest = manifestNow();
}, 300_000);
afterAll(async () => {
  await deployment.close();
  endpoint.close();
  rmSync(caches, { recursive: true, force: true });
});

interface Document {
  readonly conclusions: readonly Record<string, unknown>[];
  readonly choices: readonly { readonly study: string; readonly choices: readonly { readonly options: string[] }[] }[];
}

describe('under every combination', () => {
  let document: Document;
  let said = '';
  const saved = (): string => join(deployment.folder, 'universes');
  beforeAll(async () => {
    const before = asked;
    const page = join(deployment.folder, 'page.html');
    const { status, stdout, stderr, output } = await deployment.evenkeel(
      ...['multiverse', 'two', '--json', '--save', saved(), '--out', page],
    );
    expect(status, output).toBe(0);
    said = stderr;
    expect(asked).toBe(before);
    expect(manifestNow()).toBe(manifest);
    document = JSON.parse(stdout);
    expect(readFileSync(page, 'utf8')).toContain('a − b: pass_at_1');
  }, 300_000);

  // Red before: the tables of each rescored run, 16 lines each, before the command's own.
  test('one line says what was judged by each other rule, without tables', () => {
    // Both models answer 6 plain tasks. In loops a has two of 1 and 2, b of 1, 3 and 5; both one of each other.
    for (const rule of ['last-defining', 'strict'])
      expect(said).toContain(`\nrescored two as two-${rule}: suites base, plus, ${12 + 17} answers judged\n`);
    expect(said).not.toMatch(/pass@k|EVALOOP|report {2}/);
  });

  test('choices that no answer depends on keep one option', () => {
    for (const { choices } of document.choices)
      expect(choices).toEqual([
        { name: 'extraction', options: ['paper', 'last-defining', 'strict'] },
        { name: 'suites', options: ['all', 'base', 'plus'] },
        { name: 'limits', options: ['failed'] },
        { name: 'excluded', options: ['excluded', 'failed'] },
      ]);
  });

  test('pass@1 of each model in each universe', async () => {
    const rows = await deployment.rows(
      saved(),
      `select extraction, suites, excluded, round(estimate * n_tasks / 100)::int as passed, n_tasks::int as tasks,
         universe = 0 as own
       from multiverse where study = 'plain' and metric = 'pass_at_1' and model = 'a' and other_model is null`,
    );
    const passed = (extraction: string, suites: string): number =>
      2 + Number(suites === 'base') + Number(extraction !== 'strict');
    expect(rows).toHaveLength(18);
    for (const { extraction, suites, excluded, ...row } of rows as Record<string, string>[])
      expect([extraction, suites, excluded, row]).toEqual([
        extraction,
        suites,
        excluded,
        {
          passed: passed(extraction ?? '', suites ?? ''),
          tasks: excluded === 'failed' ? 6 : 5,
          own: extraction === 'paper' && suites === 'all' && excluded === 'excluded',
        },
      ]);
  });

  test('the difference of the models over all universes', () => {
    // In points, by suites all, base, plus, without task 5, which was not judged of a, and with it as failed. Plain
    // pass@k's own rule and last-defining take the last block: 20, 40, 20, 0, 100/6, 0. Strict takes none of two:
    // 0, 20, 0, -100/6, 0, -100/6. Sums of squares: all 4511.1, between options of excluded (means 20 and 0) 1800, of
    // extraction and suites 1344.4 each.
    const found = document.conclusions.find(
      ({ study, metric, other_model: other }) => study === 'plain' && metric === 'pass_at_1' && other === 'b',
    );
    expect(found).toMatchObject({
      ...{
        model: 'a',
        conclusion: 'open',
        own: expect.closeTo(20, 9),
        n_universes: 18,
        n_missing: 0,
        simulated: false,
      },
      ...{ least: expect.closeTo(-100 / 6, 9), greatest: expect.closeTo(40, 9) },
      ...{ share_positive: 0.5, share_negative: 2 / 18, share_above: 0, share_below: 0 },
      ...{ choice: 'excluded', choice_shift: expect.closeTo(20, 9) },
      choice_share: expect.closeTo(1800 / 4511.111, 5),
    });
  });

  test('a loop that would have gone on counts as far as it is known', async () => {
    const rows = await deployment.rows(
      saved(),
      `select suites, extraction, estimate, n_not_asked::int as never from multiverse where study = 'loops'
         and metric = 'asl_unweighted' and model = 'a' and other_model is null and excluded = 'excluded'
         and suites <> 'plus' and extraction <> 'strict' order by all`,
    );
    // Tasks 1 and 2 survive both loops: 2²/2 each, over 5 tasks. Task 3 passes base, task 4 passes by its last block;
    // the run asked for no summary of either, so each has one loop: 1²/2.
    expect(rows).toEqual([
      { suites: 'all', extraction: 'last-defining', estimate: expect.closeTo(4.5 / 5, 12), never: 1 },
      { suites: 'all', extraction: 'paper', estimate: expect.closeTo(4 / 5, 12), never: 0 },
      { suites: 'base', extraction: 'last-defining', estimate: expect.closeTo(5 / 5, 12), never: 2 },
      { suites: 'base', extraction: 'paper', estimate: expect.closeTo(4.5 / 5, 12), never: 1 },
    ]);
  });

  test('a second time, the runs of the other rules are used as they are', async () => {
    const { status, stderr, output } = await deployment.evenkeel('multiverse', 'two', '--metric', 'pass_at_1');
    expect(status, output).toBe(0);
    expect(stderr).not.toContain('created run');
  });
});

describe('programs that a time limit stopped', () => {
  /** Two seconds of processor time on the first case of each suite, more than six times the short limit. */
  const slow = ({ entryPoint }: TinyTask, result: string): string =>
    fenced(
      `import time\n\ndef ${entryPoint}(number):\n    start = time.process_time()\n` +
        `    while number != 0 and time.process_time() - start < 2:\n        pass\n    return ${result}\n`,
    );

  beforeAll(async () => {
    const [first, second, third] = tasks as [TinyTask, TinyTask, TinyTask];
    const lines = [
      { task_id: first.id, reply: right(first) },
      { task_id: second.id, reply: slow(second, 'number + 2') },
      { task_id: third.id, reply: slow(third, 'number - 3') },
    ];
    deployment.write('slow.jsonl', replayText(lines));
    deployment.write('three.jsonl', benchmarkText(tasks.slice(0, 3)));
    for (const [name, caseLimitMs] of [
      ['slow', 300],
      ['patient', 20_000],
    ]) {
      const judging = `judging: { caseLimitMs: ${caseLimitMs}, referenceFactor: 1 }`;
      const spec = `
name: ${name}
models: [{ id: m, provider: replay, file: slow.jsonl }]
benchmarks: { tiny: { format: evenkeel, path: three.jsonl, ${judging} } }
studies: [{ name: plain, kind: pass, benchmark: tiny, settings: { samples: 1 } }]
`;
      const { status, output } = await deployment.evenkeel('run', deployment.write(`${name}.yaml`, spec));
      expect(status, output).toBe(0);
    }
  }, 300_000);

  test('fail, pass, or are run again with a longer limit, which lies between', async () => {
    const saved = join(deployment.folder, 'slow-universes');
    const before = readFileSync(join(deployment.runsDir, 'slow', 'manifest.json'), 'utf8');
    const { status, output } = await deployment.evenkeel(
      ...['multiverse', 'slow', '--extraction', 'own', '--case-limit-ms', '20000', '--save', saved],
    );
    expect(status, output).toBe(0);
    expect(
      await deployment.rows(
        saved,
        "select limits, round(estimate * 3 / 100)::int as passed from multiverse where suites = 'all' order by passed",
      ),
    ).toEqual([
      { limits: 'failed', passed: 1 },
      { limits: '20000 ms', passed: 2 },
      { limits: 'passed', passed: 3 },
    ]);
    expect(readFileSync(join(deployment.runsDir, 'slow', 'manifest.json'), 'utf8')).toBe(before);
  }, 120_000);

  test('a shorter limit judges every program again, and stops the slow ones', async () => {
    const saved = join(deployment.folder, 'patient-universes');
    const { status, output, stderr } = await deployment.evenkeel(
      ...['multiverse', 'patient', '--extraction', 'own', '--case-limit-ms', '40000,300', '--save', saved],
    );
    expect(status, output).toBe(0);
    // Three programs on two suites each. The other run judged the fast one under this limit; a time-out is never kept.
    expect(stderr).toContain('limit of 300 ms: 6 programs to judge again, 2 of them known from earlier runs; about');
    // No program was stopped, so that no longer limit can matter.
    expect(stderr).toContain('limit of 40000 ms: changes no verdict');
    expect(
      await deployment.rows(
        saved,
        `select limits, suites, round(estimate * 3 / 100)::int as passed from multiverse
         where metric = 'pass_at_1' and suites <> 'plus' order by passed, suites`,
      ),
    ).toEqual([
      { limits: '300 ms', suites: 'all', passed: 1 },
      { limits: '300 ms', suites: 'base', passed: 1 },
      { limits: 'failed', suites: 'all', passed: 2 },
      { limits: 'failed', suites: 'base', passed: 2 },
    ]);
  }, 120_000);

  test("the run's own limit is refused", async () => {
    const { status, stderr } = await deployment.evenkeel(
      ...['multiverse', 'slow', '--extraction', 'own', '--case-limit-ms', '300'],
    );
    expect([status, stderr]).toEqual([2, expect.stringContaining('must differ from the limit of study plain, 300 ms')]);
  });
});

test('an unknown rule, metric or kind of file is refused before anything is run', async () => {
  for (const [option = '', value = '', text = ''] of [
    ['--extraction', 'lenient', 'must be names with commas between'],
    ['--metric', 'pas_at_1', 'no metric "pas_at_1" in the run; did you mean "pass_at_1"? known: pass_at_1'],
    ['--out', 'page.pdf', 'must end in .html, .md, .csv, .tex'],
    ['--curves', '-1', 'must be a whole number'],
    ['--case-limit-ms', '300,99', 'must be whole numbers of milliseconds, from 100'],
  ]) {
    const { status, stderr } = await deployment.evenkeel('multiverse', 'two', option, value);
    expect([status, stderr]).toEqual([2, expect.stringContaining(text)]);
  }
});
