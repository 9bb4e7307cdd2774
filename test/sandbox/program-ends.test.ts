/** How programs ended, from the bytes that their process wrote: made here by hand, as child.py describes them. */
import { describe, expect, test } from 'vitest';
import { type AskedRun, readEnds } from '../../activities/sandboxes/zygote/program-ends.ts';
import type { RunReply } from '../../activities/sandboxes/zygote/zygote-frames.ts';
import { createSuites } from '../../activities/sandboxes/zygote/zygote-suites.ts';
import { addProgram, limits } from './programs.ts';

const nonce = Buffer.alloc(16, 0xab);
const suiteOf = createSuites();
const suite = (inputs: readonly string[]) => suiteOf({ ...addProgram(''), inputs: [...inputs] }, limits);
const alone: AskedRun = { suite: suite(['[1,2]', '[3,4]']), second: undefined, programs: 1, isBatch: false };
const both: AskedRun = { ...alone, second: suite(['[5,6]']) };
const batch: AskedRun = { ...alone, programs: 3, isBatch: true };
const exited: RunReply = { status: 0, wallMs: 8, cpuMs: 4, memory: 1000 };
const killed: RunReply = { ...exited, status: 9 };

function record(tag: string, body = '', ns = 7, by = nonce): Buffer {
  const head = Buffer.alloc(29);
  head.write(tag, 0, 'latin1');
  by.copy(head, 1);
  head.writeUInt32LE(Buffer.byteLength(body), 17);
  head.writeBigUInt64LE(BigInt(ns), 21);
  return Buffer.concat([head, Buffer.from(body)]);
}

const written = (...records: Buffer[]): Buffer => Buffer.concat([nonce, ...records]);
const [loaded, done, next, mustRunAlone] = [record('v'), record('E'), record('N'), record('A')];
const three = record('v', '3', 2 ** 33);
const whole = [loaded, three, record('v', '7'), done];
const ends = (asked: AskedRun, reply: RunReply, ...records: Buffer[]) =>
  readEnds(asked, reply, written(...records)).map(({ end, values, detail }) => [end, values, detail]);
const forged = 'the program answered in place of the code that calls it';

describe('a program with a process of its own', () => {
  test('completes with every case, and its times are those of its records', () => {
    const [run] = readEnds(alone, exited, written(...whole));
    expect(run).toMatchObject({ end: 'completed', values: ['3', '7'], caseNs: [2 ** 33, 7], wallMs: 8, cpuMs: 4 });
  });

  test.each<[string, RunReply, readonly Buffer[], readonly unknown[]]>([
    ['raised', exited, [loaded, three, record('x', 'E: no')], ['completed', ['3'], 'E: no']],
    ['did not parse', exited, [record('s', 'SyntaxError: no')], ['syntax_error', [], 'SyntaxError: no']],
    ['left', exited, [loaded, three], ['early_exit', ['3'], 'the process ended before the program had answered']],
    ['was ended by a signal', { ...exited, status: 11 }, [loaded], ['killed', [], 'ended by signal 11']],
    ['met the limit of its process', { ...exited, status: 24 }, [loaded], ['cpu_timeout', [], expect.any(String)]],
    ['ran out of its slot', { ...killed, oom: true }, [loaded], ['memory', [], 'the memory of its slot']],
    ['broke what calls it', { ...exited, status: 72 << 8 }, [record('k', 'broke')], ['killed', [], 'broke']],
    ['answered more than was asked', exited, [...whole.slice(0, 3), three, done], ['killed', ['3', '7'], forged]],
    ['was done too early', exited, [loaded, three, done], ['killed', ['3'], forged]],
    ['used an unknown tag', exited, [loaded, record('?')], ['killed', [], forged]],
    ['used another nonce', exited, [loaded, record('v', '3', 1, Buffer.alloc(16, 1))], ['killed', [], forged]],
    ['ended in a record', exited, [loaded, three.subarray(0, 29)], ['early_exit', [], expect.any(String)]],
    ['went on after its end', exited, [...whole, record('x', 'E')], ['completed', ['3', '7'], null]],
  ])('that %s', (_what, reply, records, wanted) => {
    expect(ends(alone, reply, ...records)).toEqual([wanted]);
  });

  test('aborts for want of memory only if it had most of what it may have', () => {
    const [few, most] = [limits.memoryBytes / 2, limits.memoryBytes];
    expect(ends(alone, { ...exited, status: 6, memory: few }, loaded)[0]?.[0]).toBe('killed');
    expect(ends(alone, { ...exited, status: 6, memory: most }, loaded)[0]?.[0]).toBe('memory');
  });

  test('that was stopped is judged by what it had written before', () => {
    const at = loaded.length + three.length;
    const stopped = (limit: ['cpu' | 'wall', number]): RunReply => ({
      ...{ ...killed, stopped: { at, limit, crowded: true } },
    });
    const records = [loaded, three, record('v', '7'), done];
    expect(ends(alone, stopped(['cpu', 250]), ...records)).toEqual([
      ['cpu_timeout', ['3'], 'more than 250 ms of CPU time'],
    ]);
    expect(ends(alone, stopped(['wall', 1250.5]), ...records)).toEqual([
      ['wall_timeout', ['3'], 'more than 1250.5 ms'],
    ]);
    expect(readEnds(alone, stopped(['cpu', 250]), written(...records))[0]?.crowded).toBe(true);
    const built = { ...alone, suite: { ...alone.suite, isBuilt: true } };
    const building: RunReply = { ...killed, stopped: { at: 0, limit: ['cpu', 9], crowded: false } };
    expect(ends(built, building)[0]?.[0]).toBe('build_timeout');
  });

  test('that wrote too much is judged by what was read before', () => {
    const reply = { ...killed, flood: loaded.length + three.length };
    expect(ends(alone, reply, loaded, three, record('x', 'E'))).toEqual([
      ['output_limit', ['3'], 'more output than the limit'],
    ]);
  });
});

describe('a program with two suites in one process', () => {
  const again = ['alone', [], null];

  test('answers both, and each gets its share of the time', () => {
    const runs = readEnds(both, exited, written(...whole, next, record('v', '', 0), record('v', '11', 0), done));
    expect(runs.map(({ end, values }) => [end, values])).toEqual([
      ['completed', ['3', '7']],
      ['completed', ['11']],
    ]);
    expect((runs[0]?.cpuMs ?? 0) + (runs[1]?.cpuMs ?? 0)).toBeCloseTo(4);
    expect(runs[0]?.cpuMs).toBeGreaterThan(3.9);
  });

  test('has no answer to the second one if that does not complete, or is not asked there', () => {
    const first = ['completed', ['3', '7'], null];
    expect(ends(both, exited, ...whole, next, loaded)).toEqual([first, again]);
    expect(ends(both, exited, ...whole, next, mustRunAlone)).toEqual([first, again]);
    expect(ends(both, { ...killed, flood: 10_000 }, ...whole, next, loaded, three, done)).toEqual([first, again]);
  });

  test('raises in the second one, also where it is loaded', () => {
    const raised = [record('x', 'E'), next, record('x', 'E')];
    expect(readEnds(both, exited, written(...raised)).map(({ end, failedAtLoad }) => [end, failedAtLoad])).toEqual([
      ['completed', true],
      ['completed', true],
    ]);
  });

  test('does not come to the second one before the end of the first', () => {
    expect(ends(both, exited, loaded, three, next, ...whole)).toEqual([['killed', ['3'], forged], again]);
  });
});

test('of a batch only programs with every answer count; those that did not run are run again', () => {
  const right = [next, ...whole];
  const one = ['completed', ['3', '7'], null];
  const [apart, later] = [
    ['alone', [], null],
    ['again', [], null],
  ];
  expect(ends(batch, exited, ...right, ...right, ...right)).toEqual([one, one, one]);
  expect(ends(batch, exited, ...right, next, loaded, record('x', 'E'))).toEqual([one, apart, later]);
  expect(ends(batch, exited, next, mustRunAlone, ...right)).toEqual([apart, one, later]);
  expect(ends(batch, exited, ...right, next, loaded, three.subarray(0, 20))).toEqual([one, apart, later]);
  expect(ends(batch, exited, loaded, ...right)).toEqual([later, later, later]);
  const [shared] = readEnds(batch, exited, written(...right, ...right));
  expect(shared?.cpuMs).toBe(2);
});
