/**
 * A program's two suites in one process are answered as in two; where that is not sure,
 * the second is not answered there.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContainerHost } from '../../../activities/sandboxes/container/container-host.ts';
import { buildImage } from '../../../activities/sandboxes/container/container-image.ts';
import type { ZygoteHost } from '../../../activities/sandboxes/zygote/zygote-link.ts';
import { ZygotePool } from '../../../activities/sandboxes/zygote/zygote-pool.ts';
import { readRuns } from '../../../activities/sandboxes/zygote/zygote-run.ts';
import { openSlot, type Slot } from '../../../activities/sandboxes/zygote/zygote-slot.ts';
import { createSuites } from '../../../activities/sandboxes/zygote/zygote-suites.ts';
import type { ProgramRun } from '../../../schemas/program.ts';
import { addProgram, limits } from '../programs.ts';
import { engineNote, testEngine, withoutEngine } from './engine.ts';

const short = { ...limits, caseTimeoutMs: 300 };
const [base, plus] = [
  ['[1,2]', '[0,0]'],
  ['[5,5]', '[-1,-1]', '[7,0]'],
];
const essence = ({ end, results, failedAtLoad }: ProgramRun) => ({ end, results, failedAtLoad });

/** By what happens in the second suite: answered there, or not. */
const together = {
  adds: 'def add(a, b): return a + b',
  'counts its calls': 'calls = []\ndef add(a, b):\n    calls.append(a)\n    return len(calls)',
  'draws random numbers': 'import random\ndef add(a, b): return random.random()',
  'sets nothing, and imports much':
    'import collections, math, re\ndef add(a, b): return math.floor(len(re.findall("a", "banana")))',
  'raises each time': 'def add(a, b): raise ValueError(a)',
  'raises when it is loaded': 'x = [][0]',
  'raises in the second suite alone': 'def add(a, b):\n    assert a < 7\n    return a',
  'recurses without end': 'def add(a, b): return add(a, b)',
};
const apart = {
  'changes another module': 'import math\nmath.calls = getattr(math, "calls", 0) + 1\ndef add(a, b): return math.calls',
  'keeps memory in a ring': 'class N: pass\ndef add(a, b):\n    n = [b"x" * 40_000_000]\n    n.append(n)\n    return 1',
  'never ends in the second suite': 'def add(a, b):\n    while a == 7: pass\n    return a',
  'ends its process in the second suite': 'import os\ndef add(a, b):\n    if a == 7: os._exit(0)\n    return a',
  'does not parse': 'def add(a, b:',
  'never ends': 'def add(a, b):\n    while True: pass',
  'answers too much': 'def add(a, b): return "x" * 10**7',
};

describe.skipIf(withoutEngine)(`both suites of a program in one process${engineNote}`, () => {
  let host: ZygoteHost;
  let slot: Slot;
  const suiteOf = createSuites();
  beforeAll(async () => {
    await buildImage(testEngine().docker, () => undefined);
    host = await createContainerHost(testEngine());
    slot = await openSlot(await host.start(0));
  }, 300_000);
  afterAll(async () => {
    await slot?.stop();
    await host?.close();
  });

  const runs = async (source: string, ...inputs: (readonly string[] | undefined)[]) => {
    const [first, second] = inputs.map((each) =>
      each === undefined ? undefined : suiteOf({ source, entryPoint: 'add', inputs: each }, short),
    );
    const answer = first === undefined ? null : await slot.run(first, 'isolated', [source], second);
    return answer === null ? [] : readRuns(answer, 'isolated', slot.residentBytes);
  };
  const alone = async (source: string, inputs: readonly string[] | undefined) =>
    (await runs(source, inputs)).flatMap((run) => (run === null ? [] : essence(run)));

  it.each(Object.entries(together))('one that %s is answered as in two processes', async (_name, source) => {
    const both = await runs(source, base, plus);
    expect(both.map((run) => run && essence(run))).toEqual([
      ...(await alone(source, base)),
      ...(await alone(source, plus)),
    ]);
    expect(both.map((run) => run?.shared)).toEqual([false, true]);
    for (const run of both) expect(run?.cpuMs).toBeGreaterThan(0);
  });

  it.each(Object.entries(apart))('one that %s is answered once, and asked again', async (_name, source) => {
    const [first, second, ...more] = await runs(source, base, plus);
    expect([first && essence(first)]).toEqual(await alone(source, base));
    expect([second, more]).toEqual([null, []]);
  });

  it('a pool answers both for every program, whatever they do', async () => {
    const pool = new ZygotePool(host, 2);
    const sources = Object.values({ ...together, ...apart });
    const programs = sources.flatMap((source) =>
      [base, plus].map((inputs) => ({ ...addProgram(source), inputs: inputs ?? [] })),
    );
    const answers = (await Promise.all(programs.map((program) => pool.run(program, short)))).map(essence);
    for (const [index, source] of sources.entries()) {
      const wanted = [...(await alone(source, base)), ...(await alone(source, plus))];
      expect(answers.slice(2 * index, 2 * index + 2), source).toEqual(wanted);
    }
    await pool.close();
  }, 120_000);
});
