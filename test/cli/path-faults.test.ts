/** Places that cannot be used: exit status 2 with the reason; the system's own errors, caused for real where a test can. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { explain } from '../../cli/exit-status.ts';
import { writeOutput } from '../../cli/output-file.ts';
import { makeFolder } from '../../activities/storage/make-folder.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeSampleRun } from '../analysis/sample-run.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), 'text');
});

const caught = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('it was to fail');
};
const told = async (path: string, work: () => unknown): Promise<unknown> =>
  explain(await caught(work), [
    { field: '--out', path },
    { field: null, path: join(folder, 'argument') },
  ]);

describe('a place that the person named', () => {
  test('in a folder that is not there', async () => {
    const path = join(folder, 'no', 'out.md');
    expect(await told(path, () => writeOutput(path, ['x']))).toEqual({
      text: `${path}  --out  there is no folder ${join(folder, 'no')}: make the folder, or name another place`,
      status: 2,
    });
  });

  test('that is a folder', async () => {
    expect(await told(folder, () => writeOutput(folder, ['x']))).toEqual({
      text: `${folder}  --out  is a folder, and a file is needed: name a file in it`,
      status: 2,
    });
  });

  test('below a file, and a file in place of a folder', async () => {
    const [file, below] = [join(folder, 'file'), join(folder, 'file', 'out.md')];
    expect(await told(below, () => writeOutput(below, ['x']))).toEqual({
      text: `${below}  --out  ${file} is no folder: name another place`,
      status: 2,
    });
    expect(await told(file, () => makeFolder(file))).toEqual({
      text: `${file}  --out  is there already, and is no folder: name another place`,
      status: 2,
    });
  });

  test.runIf(existsSync('/proc/self'))('where the system makes nothing: said at once', async () => {
    expect(await told('/proc/runs', () => makeFolder('/proc/runs/a'))).toEqual({
      text: '/proc/runs  --out  is not there, and cannot be made in /proc: name another place',
      status: 2,
    });
  });
});

describe('whoever named the place', () => {
  const failed = (code: string, more: object): Error => Object.assign(new Error(code), { code, syscall: 'open', ...more });

  test.each([
    ['EROFS', 'lies on a file system that is read-only: name another place (--out)'],
    ['EACCES', 'this user may not read or write it: change its rights (ls -ld shows them), or name another place (--out)'],
  ])('%s is no bug', (code, rule) => {
    const error = failed(code, { path: '/elsewhere/x' });
    expect(explain(error, [{ field: '--out', path: null }])).toEqual({ text: `/elsewhere/x  ${rule}`, status: 2 });
  });

  test('a file that lacks in a folder of the run is a bug, and so is a program that cannot be started', () => {
    const named = [{ field: '--runs-dir', path: folder }];
    expect(explain(failed('ENOENT', { path: join(folder, 'run', 'part') }), named).status).toBe(1);
    expect(explain(failed('ENOENT', { path: join(folder, 'lost') }), []).status).toBe(1);
    expect(explain(failed('EACCES', { path: '/usr/bin/tool', syscall: 'spawn /usr/bin/tool' }), named).status).toBe(1);
  });

  test('a port that is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address() as { port: number };
    const second = createServer().listen(address.port, '127.0.0.1');
    const error = await new Promise((resolve) => second.once('error', resolve));
    taken.close();
    expect(explain(error)).toEqual({
      text: `--port  port ${address.port} of 127.0.0.1 is in use by another program: choose another (0 takes a free one), or end that program`,
      status: 2,
    });
  });
});

describe('an output', () => {
  test('is written whole, through a link too, and leaves nothing when it fails', async () => {
    symlinkSync(join(folder, 'file'), join(folder, 'link'));
    expect(await writeOutput(join(folder, 'link'), ['a', 'b'])).toBe(2);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('ab');
    function* broken(): Generator<string> {
      yield 'a';
      throw new Error('oops');
    }
    await expect(writeOutput(join(folder, 'new'), broken())).rejects.toThrow('oops');
    expect([existsSync(join(folder, 'new')), existsSync(join(folder, 'new.tmp'))]).toEqual([false, false]);
  });

  test.runIf(existsSync('/dev/full'))('on a disk that is full', async () => {
    await expect(writeOutput('/dev/full', ['x'])).rejects.toThrow('/dev/full  the disk is full: free some space, or name another place');
  });
});

describe('the command line', () => {
  test.each([
    ['report to a folder that is not there', ['report', 'small', '--out', 'NO/x'], /NO\/x {2}--out {2}there is no folder/],
    ['init into a file', ['init', 'file'], /file {2}is there already, and is no folder/],
    ['a runs directory that is a file', ['status', '--runs-dir', 'file'], /file {2}--runs-dir {2}is there already, and is no folder/],
    ['simulate with a log', ['simulate', '--log', 'NO/x'], /NO\/x {2}--log {2}there is no folder/],
  ])('%s: exit status 2 in one line', async (_what, args, message) => {
    await writeSampleRun(join(folder, 'small'), {
      ...{ runId: 'small', tasks: 2, maxLoops: 2, judge: null, withAsl: true, missing: 0 },
      models: [{ id: 'm', family: null, simulated: true, first: 1, later: 1 }],
    });
    const paths = args.map((arg) => (/^(?:NO\/|file$)/.test(arg) ? join(folder, arg) : arg));
    const env = { ...process.env, EVENKEEL_RUNS: folder, EVENKEEL_SANDBOX: 'embedded', EVENKEEL_CACHE: join(folder, 'cache') };
    const { status, stderr } = await runCommand(paths, env);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
