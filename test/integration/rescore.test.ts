/**
 * A run at a real endpoint, judged again under another rule: no calls, only changed programs are run, and a list of
 * moved verdicts.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFull, long } from '../support/forms/long.ts';
import { isSealed } from '../../activities/storage/ledger/sqlite/ledger-seal.ts';
import { readManifest } from '../../activities/storage/manifest-file.ts';
import { sealLedger, unsealLedger } from '../../activities/storage/seals.ts';
import { sha256 } from '../../domain/ids.ts';
import { executedAgain, type Deployment, openDeployment, until } from '../support/deployment.ts';
import { stableRows } from '../support/stable-rows.ts';
import { badReplies, benchmarkText, fenced, rightCode, type TinyTask, tinyTasks } from '../support/tiny-tasks.ts';

const tasks = tinyTasks(4);
const task = (number: number): TinyTask => tasks[number - 1] as TinyTask;
const right = (number: number): string => fenced(rightCode(task(number)));
const wrong = (number: number): string => badReplies.wrong_output(task(number));

/** One block; wrong before right; right before wrong; code between lines of prose. */
const replies: Readonly<Record<string, string>> = {
  [task(1).entryPoint]: right(1),
  [task(2).entryPoint]: `First:\n${wrong(2)}\nThat subtracts. Better:\n${right(2)}`,
  [task(3).entryPoint]: `Here:\n${right(3)}\nOr, if you like:\n${wrong(3)}`,
  [task(4).entryPoint]: `Sure, here it is.\n\n${rightCode(task(4))}`,
};
const summary = 'Write a python function to add a fixed number.';

let endpoint: Server;
let deployment: Deployment;
let asked = 0;

function replyTo(prompt: string): string {
  if (prompt.startsWith('Use one sentence')) return summary;
  const name = Object.keys(replies).find((entryPoint) => new RegExp(`\\b${entryPoint}\\b`).test(prompt));
  return replies[name ?? ''] ?? '';
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A probe is not a question.
  if (request.method !== 'POST') {
    response.end('{}');
    return;
  }
  asked += 1;
  const { messages } = JSON.parse(await text(request)) as { messages: { content: string }[] };
  const message = { role: 'assistant', content: replyTo(messages.at(-1)?.content ?? '') };
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }));
}

beforeAll(async () => {
  endpoint = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  deployment = await openDeployment(executedAgain);
  deployment.write('tiny.jsonl', benchmarkText(tasks));
  const { port } = endpoint.address() as AddressInfo;
  const spec = `
name: loops
providers: { here: { kind: openai, baseUrl: "http://127.0.0.1:${port}/v1" } }
models: [{ id: m, provider: here }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: s, kind: evaloop, benchmark: tiny, settings: { maxLoops: 2 } }]
`;
  const { status, output } = await deployment.evenkeel('run', deployment.write('spec.yaml', spec));
  expect(status, output).toBe(0);
}, 300_000);
afterAll(async () => {
  await deployment.close();
  endpoint.close();
});

const loopsOf = (run: string): Promise<Record<string, unknown>[]> =>
  deployment.rows(run, 'select sustained_loops, ended_by from loops order by task_id');

test('the run itself uses the authors’ rule; every row of samples has it with the number of blocks', async () => {
  // Two summaries, of the two tasks whose first block is right.
  expect(asked).toBe(4 + 2 * 2);
  expect(await loopsOf('loops')).toEqual([
    { sustained_loops: 2, ended_by: 'survived' },
    { sustained_loops: 0, ended_by: 'code_failed' },
    { sustained_loops: 2, ended_by: 'survived' },
    { sustained_loops: 0, ended_by: 'code_failed' },
  ]);
  const rows = await deployment.rows(
    'loops',
    "select extraction_rule, blocks, defining_blocks from samples where step = 'generate' " +
      'and loop = 1 order by task_id',
  );
  expect(rows).toEqual(
    [1, 2, 2, 0].map((blocks) => ({ extraction_rule: 'paper-evaloop-1', blocks, defining_blocks: blocks })),
  );
  expect(
    await deployment.rows('loops', `select distinct extraction_rule, blocks from samples where step = 'summarize'`),
  ).toEqual([{ extraction_rule: null, blocks: null }]);
});

test('the same spec under another rule is refused by run', async () => {
  const spec = `
name: loops
providers: { here: { kind: openai, baseUrl: "http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1" } }
models: [{ id: m, provider: here }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: s, kind: evaloop, benchmark: tiny, extraction: last-defining, settings: { maxLoops: 2 } }]
`;
  const { status, stderr } = await deployment.evenkeel('run', deployment.write('other.yaml', spec));
  expect(status).toBe(2);
  expect(stderr).toContain(
    'study s: extraction paper in the run, last-defining in the spec; evenkeel rescore RUN --extraction last-defining',
  );
});

describe('under last-defining', () => {
  let report: { models: Record<string, unknown>[]; moved: Record<string, unknown>[] };
  let notes = '';
  beforeAll(async () => {
    const before = asked;
    const { status, stdout, stderr, output } = await deployment.evenkeel(
      'rescore',
      'loops',
      '--extraction',
      'last-defining',
      '--json',
    );
    expect(status, output).toBe(0);
    expect(asked).toBe(before);
    report = JSON.parse(stdout);
    notes = stderr;
  }, 300_000);

  test('verdicts move both ways, loops are no longer reached, and what was never asked is counted', () => {
    expect(report.models).toEqual([
      {
        study: 's',
        model: 'm',
        rule: 'last-defining-3',
        // Two suites each: four programs in loop 1, and that of the first task in loop 2.
        compared: 10,
        passedBefore: 6,
        passedNow: 6 - 2 + 4,
        otherPrograms: 3,
        nowPass: 4,
        noLongerPass: 2,
        ...{ nowPassExcludedBefore: 0, noLongerPassExcludedNow: 0 },
        ...{ nowFailExcludedBefore: 0, nowExcludedFailedBefore: 0, otherOutcome: 0 },
        onlyBefore: 2,
        onlyNow: 0,
        notAsked: 2,
      },
    ]);
    expect(report.moved.map(({ taskId, suite, before, now }) => [taskId, suite, before, now])).toEqual([
      [task(3).id, 'base', 'pass', 'wrong_output'],
      [task(3).id, 'plus', 'pass', 'wrong_output'],
      [task(2).id, 'base', 'wrong_output', 'pass'],
      [task(2).id, 'plus', 'wrong_output', 'pass'],
      [task(4).id, 'base', 'syntax_error', 'pass'],
      [task(4).id, 'plus', 'syntax_error', 'pass'],
    ]);
  });

  test('table moved_verdicts has all of them, also those that only one run reached', async () => {
    const moved = await deployment.rows(
      'loops-last-defining',
      'select task_id, loop, suite, before, now, moved from moved_verdicts order by loop, task_id, suite',
    );
    expect(moved).toEqual([
      ...['base', 'plus'].map((suite) => ({
        task_id: task(2).id,
        loop: 1,
        suite,
        before: 'wrong_output',
        now: 'pass',
        moved: 'now_pass',
      })),
      ...['base', 'plus'].map((suite) => ({
        task_id: task(3).id,
        loop: 1,
        suite,
        before: 'pass',
        now: 'wrong_output',
        moved: 'no_longer_pass',
      })),
      ...['base', 'plus'].map((suite) => ({
        task_id: task(4).id,
        loop: 1,
        suite,
        before: 'syntax_error',
        now: 'pass',
        moved: 'now_pass',
      })),
      ...['base', 'plus'].map((suite) => ({
        task_id: task(3).id,
        loop: 2,
        suite,
        before: 'pass',
        now: null,
        moved: 'only_before',
      })),
    ]);
    expect(await deployment.rows('loops', 'select count(*)::INT as n from moved_verdicts')).toEqual([{ n: 0 }]);
  });

  test('the new run has its own tables: tasks that would continue end as not asked, with the known loops', async () => {
    expect(await loopsOf('loops-last-defining')).toEqual([
      { sustained_loops: 2, ended_by: 'survived' },
      { sustained_loops: 1, ended_by: 'not_asked' },
      { sustained_loops: 0, ended_by: 'code_failed' },
      { sustained_loops: 1, ended_by: 'not_asked' },
    ]);
    const [row] = await deployment.rows('loops-last-defining', 'select n_sustained, asl_unweighted, n from asl');
    // (2 tasks x 1 + 1 task x 4) / (2 loops x 4 tasks)
    expect(row).toEqual({ n_sustained: [1, 2, 1], asl_unweighted: 0.75, n: 4 });
    const verified = await deployment.evenkeel('verify', 'loops-last-defining');
    expect(verified.status, verified.output).toBe(0);
  });

  test('ledgers that killed commands left unsealed: that of the new run is sealed, the other is named', async () => {
    const [source, judged] = ['loops', 'loops-last-defining'].map((run) => join(deployment.runsDir, run));
    for (const folder of [source, judged]) await unsealLedger(folder as string);
    const again = await deployment.evenkeel('rescore', 'loops', '--extraction', 'last-defining');
    expect([again.status, again.stderr]).toEqual([
      0,
      expect.stringContaining(
        'the ledger of run "loops" is not sealed, because a command that worked on it was killed',
      ),
    ]);
    expect(isSealed(await readManifest(judged as string))).toBe(true);
    await sealLedger(source as string);
  });

  test('an unchanged program is not run again', async () => {
    expect(notes).toContain('2 verdicts reused from it');
    const both = `select count(*)::INT as n from executions where program_sha256 =
      (select program_sha256 from samples where task_id = '${task(1).id}' and step = 'generate' and loop = 1)`;
    expect(await deployment.rows('loops-last-defining', both)).toEqual([{ n: 2 }]);
  });

  // Red where rows are looked for under the folder's name: all verdicts were then "newly reached".
  test('a copy under another name is judged like the run; a command refuses both together', async () => {
    cpSync(join(deployment.runsDir, 'loops'), join(deployment.runsDir, 'copied'), { recursive: true });
    const again = await deployment.evenkeel('rescore', 'copied', '--extraction', 'last-defining', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ run: 'copied', models: report.models, moved: report.moved });
    const both = await deployment.evenkeel('report', 'loops', 'copied');
    expect([both.status, both.stderr]).toEqual([2, expect.stringContaining('holds run "loops", as ')]);
    const taken = await deployment.evenkeel('rescore', 'copied', '--extraction', 'strict', '--run', 'loops');
    expect([taken.status, taken.stderr]).toEqual([2, expect.stringContaining('give the new run another id')]);
  });

  test('a second rescore says the same; a taken name and an unknown rule are refused', async () => {
    const again = await deployment.evenkeel('rescore', 'loops', '--extraction', 'last-defining', '--json');
    expect(JSON.parse(again.stdout)).toEqual(report);
    const refusals = [
      ['--extraction', 'strict', '--run', 'loops-last-defining'],
      ['--extraction', 'first'],
      ['--case-limit-ms', '5'],
      ['--suites', 'bas'],
      ['--suites', 'more=evenkeel'],
      ['--missing-package', 'maybe'],
    ];
    for (const options of refusals) expect((await deployment.evenkeel('rescore', 'loops', ...options)).status).toBe(2);
  });
});

describe('with other limits and suites', () => {
  const rescored = async (...options: string[]): Promise<{ document: Record<string, unknown>; notes: string }> => {
    const before = asked;
    const { status, stdout, stderr, output } = await deployment.evenkeel('rescore', 'loops', ...options, '--json');
    expect(status, output).toBe(0);
    expect(asked).toBe(before);
    return { document: JSON.parse(stdout), notes: stderr };
  };
  // The run has four different programs, and two suites.
  const outcomes = 'select task_id, loop, suite, outcome from verdicts order by all';
  const hashes = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(join(deployment.runsDir, 'loops'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [file, sha256(readFileSync(file))]),
    );

  test('nothing changed: identical tables, no program runs, and the run itself is untouched', async () => {
    const before = hashes();
    const { document, notes } = await rescored();
    expect(document).toMatchObject({ rescored: 'loops-again', extraction: 'own', moved: [] });
    expect(notes).toContain('8 verdicts reused from it');
    const ids = ['run', 'provider', 'kind', 'endpoint', 'requested_model', 'call_key', 'page'];
    const again = await stableRows(join(deployment.runsDir, 'loops-again'), ids);
    expect(again).toEqual(await stableRows(join(deployment.runsDir, 'loops'), ids));
    expect(hashes()).toEqual(before);
  });

  test('fewer suites: their verdicts stay, the others are no change', async () => {
    const { document, notes } = await rescored('--suites', 'base');
    expect(document).toMatchObject({ rescored: 'loops-base', suites: ['base'], moved: [] });
    expect(notes).toContain('4 verdicts reused from it');
    const all = await deployment.rows('loops', outcomes);
    expect(await deployment.rows('loops-base', outcomes)).toEqual(all.filter(({ suite }) => suite === 'base'));
    expect(await deployment.rows('loops-base', 'from moved_verdicts')).toEqual([]);
  });

  // Red before: "nothing to compare", since all tasks were "new or changed".
  long(`fewer suites, or another rule for missing packages: compared by what both share${inFull}`, async () => {
    await rescored('--missing-package', 'failed', '--run', 'loops-strict');
    for (const run of ['loops-base', 'loops-strict']) {
      const { stdout, output } = await deployment.evenkeel('compare', 'loops', run, '--metric', 'pass_at_1', '--json');
      expect(output).not.toContain('new or changed');
      const { models } = JSON.parse(stdout) as { models: { run: string; n_tasks: number }[] };
      expect(new Set(models.map(({ run: one, n_tasks }) => `${one} ${n_tasks}`))).toEqual(
        new Set(['loops 4', `${run} 4`]),
      );
    }
  });

  long(`more suites from a file: the programs run on them alone${inFull}`, async () => {
    const lines = benchmarkText(tasks).trim().split('\n');
    const more = lines.map((line) => {
      const { suites, ...record } = JSON.parse(line) as { suites: { plus: unknown } };
      return JSON.stringify({ ...record, suites: { more: suites.plus } });
    });
    const file = deployment.write('more.jsonl', `${more.join('\n')}\n`);
    const { notes } = await rescored('--suites', `base,plus,more=evenkeel:${file}`, '--run', 'loops-more');
    expect(notes).toContain('8 verdicts reused from it');
    const rows = await deployment.rows('loops-more', outcomes);
    const of = (name: string) => rows.filter(({ suite }) => suite === name).map(({ outcome }) => outcome);
    expect(of('more')).toEqual(of('plus'));
    expect(rows.filter(({ suite }) => suite !== 'more')).toEqual(await deployment.rows('loops', outcomes));
  });

  long(`a longer limit keeps what no limit stopped; a shorter one runs every program again${inFull}`, async () => {
    const limits = "select distinct json_extract_string(limits, '$.rule') as rule from executions";
    expect((await rescored('--case-limit-ms', '5000')).notes).toContain('8 verdicts reused from it');
    expect((await rescored('--case-limit-ms', '900')).notes).toContain('0 verdicts reused from it');
    for (const ms of [5000, 900]) {
      const rows = await deployment.rows(`loops-${ms}ms`, limits);
      expect(rows).toEqual([{ rule: expect.stringContaining(`max(${ms} ms, 2 x reference)`) }]);
      expect(await deployment.rows(`loops-${ms}ms`, outcomes)).toEqual(await deployment.rows('loops', outcomes));
    }
  });

  long(`killed at any time: the same command, or resume, finishes it${inFull}`, async () => {
    for (const end of [
      ['rescore', 'loops', '--case-limit-ms', '800'],
      ['resume', 'loops-800ms'],
    ]) {
      rmSync(join(deployment.runsDir, 'loops-800ms'), { recursive: true, force: true });
      const command = deployment.start('rescore', 'loops', '--case-limit-ms', '800');
      await until(() => existsSync(join(deployment.runsDir, 'loops-800ms', 'manifest.json')), command);
      command.process.kill('SIGKILL');
      await command.ended;
      const [verb = '', ...args] = end;
      const finished = await deployment.evenkeel(verb, ...args);
      expect(finished.status, finished.output).toBe(0);
      expect(await deployment.rows('loops-800ms', outcomes)).toEqual(await deployment.rows('loops', outcomes));
      const verified = await deployment.evenkeel('verify', 'loops-800ms', '--json');
      expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, sealed: true });
    }
  });
});
