import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type ExecutionCache, openExecutionCache } from '../../../activities/judging/execution-cache.ts';
import { referenceKey } from '../../../activities/judging/execution-key.ts';
import { createJudgeProgram, type JudgingRun } from '../../../activities/judging/judge-program.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import type { VerdictRecord } from '../../../activities/storage/ledger/records.ts';
import type { ProgramRun } from '../../../schemas/program.ts';
import type { Suite, Task } from '../../../schemas/task.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const suite: Suite = { name: 'base', inputs: [[1]], expected: [2], oracle: { rule: 'equal' } };
const task: Task = {
  ...{ taskId: 'T/1', sourceTaskId: '1', language: 'python', prompt: 'p', entryPoint: 'f' },
  ...{ reference: 'def f(x): return 2', suites: [suite], recordSha256: 'a'.repeat(64) },
};
const ends = {
  lane: 'isolated',
  failedAtLoad: false,
  caseMs: [1],
  wallMs: 3,
  cpuMs: 2,
  memoryBytes: 7,
  detail: null,
} as const;
const answers: Record<string, ProgramRun> = {
  right: { ...ends, end: 'completed', results: [{ value: '2' }] },
  wrong: { ...ends, end: 'completed', results: [{ value: '3' }] },
  raises: { ...ends, end: 'completed', results: [{ exception: 'ValueError' }] },
  broken: { ...ends, end: 'syntax_error', results: [] },
  endless: { ...ends, end: 'cpu_timeout', results: [] },
  hungry: { ...ends, end: 'memory', results: [] },
  fatal: { ...ends, end: 'killed', results: [] },
  needy: { ...ends, end: 'missing_dependency', results: [] },
  threaded: { ...ends, end: 'not_supported', results: [] },
};

function boxOf(imageDigest: string): { box: Sandbox; asked: string[] } {
  const asked: string[] = [];
  const run: Sandbox['run'] = ({ source }) => {
    asked.push(source);
    return Promise.resolve(answers[source] as ProgramRun);
  };
  return {
    box: { tier: 'container', engine: 'Engine 1', imageDigest, concurrency: 1, run, close: () => Promise.resolve() },
    asked,
  };
}

/** A run of its own: a ledger that knows the reference and no verdict. */
function runOf(imageDigest: string): JudgingRun {
  const verdicts = new Map<string, VerdictRecord>();
  const sandbox = { tier: 'container' as const, engine: 'Engine 1', imageDigest };
  const record = {
    key: referenceKey(sandbox, task, suite),
    outcome: 'pass',
    firstFailingCase: null,
    outputs: ['2'],
    caseMs: [1],
  } as const;
  return {
    uuid: crypto.randomUUID(),
    sandbox,
    ledger: {
      verdict: async (key) => verdicts.get(key),
      saveVerdict: (verdict) =>
        Promise.resolve(verdicts.set(verdict.executionKey, verdict).get(verdict.executionKey) ?? verdict),
      reference: async () => record,
      saveFact: (_name, json) => Promise.resolve(json),
    },
  };
}

const caches: ExecutionCache[] = [];
afterEach(() => {
  for (const cache of caches.splice(0)) cache.close();
});

/** A study's programs judged by a run and worker of their own; what was executed, and the verdicts. */
async function study(path: string | null, imageDigest = 'sha256:one', judged = suite) {
  const cache = openExecutionCache(path);
  caches.push(cache);
  const { box, asked } = boxOf(imageDigest);
  const judge = createJudgeProgram(() => Promise.resolve(box), cache, 2);
  const run = runOf(imageDigest);
  const verdicts = await Promise.all(
    Object.keys(answers).map((code) => judge(run, task, judged, code, new AbortController().signal)),
  );
  return { asked: asked.sort(), verdicts };
}

const everything = Object.keys(answers).sort();
const notKept = ['endless', 'fatal', 'hungry', 'needy', 'threaded'];

test('a second run executes only what another execution may end otherwise, and says what it took over', async () => {
  const path = join(temporaryFolder(), 'executions.sqlite');
  const first = await study(path);
  expect(first.asked).toEqual(everything);
  const second = await study(path);
  expect(second.asked).toEqual(notKept);
  const withMark = first.verdicts.map((verdict, index) =>
    notKept.includes(Object.keys(answers)[index] ?? '') ? verdict : { ...verdict, reused: true },
  );
  expect(second.verdicts).toEqual(withMark);
});

test('another image, another suite, or no file executes again', async () => {
  const path = join(temporaryFolder(), 'executions.sqlite');
  await study(path);
  expect((await study(path, 'sha256:two')).asked).toEqual(everything);
  expect((await study(path, 'sha256:one', { ...suite, name: 'plus' })).asked).toEqual(everything);
  expect((await study(null)).asked).toEqual(everything);
});

test('a file that is not a cache is replaced, and its contents are lost', async () => {
  const path = join(temporaryFolder(), 'executions.sqlite');
  writeFileSync(path, 'not a database, however long this text may be; '.repeat(100));
  expect((await study(path)).asked).toEqual(everything);
  expect((await study(path)).asked).toEqual(notKept);
});

test('a package that the sandbox lacks excludes the task, or fails the program if the benchmark says so', async () => {
  const outcomesOf = async (judged: Suite) => {
    const { verdicts } = await study(null, 'sha256:one', judged);
    return ['needy', 'threaded'].map((name) => verdicts[Object.keys(answers).indexOf(name)]?.outcome);
  };
  expect(await outcomesOf(suite)).toEqual(['missing_dependency', 'missing_dependency']);
  // What the sandbox cannot do at all is never the program's failure.
  expect(
    await outcomesOf({ ...suite, judging: { caseLimitMs: 1000, referenceFactor: 2, missingPackage: 'failed' } }),
  ).toEqual(['exception', 'missing_dependency']);
});
