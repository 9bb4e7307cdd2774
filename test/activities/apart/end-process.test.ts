/** Every process of the program ends in one way, which cannot wait for V8’s background compiler for ever. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../support/doc-commands.ts';

const ending = 'activities/apart/end-process.ts';
const rooms = 'activities,analysis,cli,domain,sandbox,schemas,simulator,studies,workers,workflows';

test('one file of the program ends processes', () => {
  const files = globSync(`{${rooms}}/**/*.ts`, { cwd: repository });
  const exits = /\bprocess\.(?:exit|reallyExit|abort)\(|from 'node:process'/;
  expect(files.filter((file) => exits.test(readFileSync(join(repository, file), 'utf8')))).toEqual([ending]);
});

/** A weak reference is emptied by a collection, and not within the task that made it. */
const collected = `
  const { endProcess } = await import(${JSON.stringify(join(repository, ending))});
  const weak = new WeakRef({});
  process.on('exit', () => console.log(weak.deref() === undefined ? 'collected' : 'kept'));
  await new Promise((resolve) => setTimeout(resolve));
  endProcess(3);`;

test('ends with its status, just after a collection of garbage', () => {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', collected];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 3, stdout: 'collected\n', stderr: '' });
});
