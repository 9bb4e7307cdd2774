/** Every process of ours ends in one way, which cannot wait for V8's background compiler for ever. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../support/doc-commands.ts';
import { inFull, long } from '../../support/forms/long.ts';

const ending = 'activities/apart/end-process.ts';
const rooms = 'activities,analysis,cli,domain,sandbox,schemas,simulator,studies,workers,workflows';

test('one file of the program ends processes', () => {
  const files = globSync(`{${rooms}}/**/*.ts`, { cwd: repository });
  const exits = /\bprocess\.(?:exit|reallyExit|abort)\(|from 'node:process'/;
  expect(files.filter((file) => exits.test(readFileSync(join(repository, file), 'utf8')))).toEqual([ending]);
});

/** Runs `lines` in a process of its own, which can call `endProcess`. */
function endOf(lines: string, timeoutMs: number) {
  const program = `const { endProcess } = await import(${JSON.stringify(join(repository, ending))});\n${lines}`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
  return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: timeoutMs, killSignal: 'SIGKILL' });
}

/** A weak reference is emptied by a collection, and not within the task that made it. */
const collected = `
  const weak = new WeakRef({});
  process.on('exit', () => console.log(weak.deref() === undefined ? 'collected' : 'kept'));
  await new Promise((resolve) => setTimeout(resolve));
  endProcess(3);`;

test('ends with its status, just after a collection of garbage', () => {
  const { status, stdout, stderr } = endOf(collected, 60_000);
  expect({ status, stdout, stderr }).toEqual({ status: 3, stdout: 'collected\n', stderr: '' });
});

/**
 * A collection is under way, and functions that are quick to call and slow to compile wait for the compiler. V8 takes
 * seconds for some of these, so a process is late only if it had come to its end.
 */
const busy = `
  const { setFlagsFromString } = await import('node:v8');
  const kept = Array.from({ length: 20_000 }, (_, at) => new Array(125).fill(at));
  const line = (at) => \`x = (x * \${at + 3} + o.a\${at % 7}) | 0; if (x > \${at}) o.b\${at % 5} = x;\`;
  const never = Array.from({ length: 1000 }, (_, at) => line(at)).join('\\n');
  const makes = (_, at) => new Function('x', 'o', \`if (x === -1) {\${never}}\\n return x + \${at};\`);
  const functions = Array.from({ length: 100 }, makes);
  const seen = {};
  for (const each of functions) each(0, seen);
  setFlagsFromString('--stress-incremental-marking');
  for (let round = 0; round < 30; round++) for (const each of functions) each(round, seen);
  setFlagsFromString('--no-stress-incremental-marking');
  console.log('at its end', kept.length);
  endProcess(3);`;

long(
  `a process ends while V8 marks and compiles${inFull}`,
  () => {
    const ends = Array.from({ length: 60 }, () => endOf(busy, 10_000));
    expect(ends.filter(({ status, stdout }) => status !== 3 && stdout !== '')).toEqual([]);
    expect(ends.filter(({ status }) => status === 3).length).toBeGreaterThan(30);
  },
  700_000,
);
