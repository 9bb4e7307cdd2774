/**
 * Paths that cannot be used: exit status 2 with the reason. The system's errors are caused for real where possible.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { explain } from '../../cli/exit-status.ts';
import { environmentPaths } from '../../cli/faults/path-faults.ts';
import { readPolicyFile } from '../../cli/policy-file.ts';
import { readSpecFile } from '../../cli/spec-file.ts';
import { readRanking } from '../../analysis/external-ranking.ts';
import { unreadable } from '../../domain/unreadable.ts';
import { writeOutput } from '../../cli/output/output-file.ts';
import { makeFolder } from '../../activities/storage/files/make-folder.ts';
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

const failed = (code: string, more: object): Error =>
  Object.assign(new Error(code), { code, syscall: 'open', ...more });

describe('a path that the user gave', () => {
  test('in a missing folder', async () => {
    const path = join(folder, 'no', 'out.md');
    expect(await told(path, () => writeOutput(path, ['x']))).toEqual({
      text: `${path}  --out  no such folder: ${join(folder, 'no')}: create the folder, or choose another path`,
      status: 2,
    });
  });

  test('that is a folder', async () => {
    expect(await told(folder, () => writeOutput(folder, ['x']))).toEqual({
      text: `${folder}  --out  is a folder; expected a file: name a file in that folder`,
      status: 2,
    });
  });

  test('below a file, and a file in place of a folder', async () => {
    const [file, below] = [join(folder, 'file'), join(folder, 'file', 'out.md')];
    expect(await told(below, () => writeOutput(below, ['x']))).toEqual({
      text: `${below}  --out  ${file} is not a folder: choose another path`,
      status: 2,
    });
    expect(await told(file, () => makeFolder(file))).toEqual({
      text: `${file}  --out  already exists and is not a folder: choose another path`,
      status: 2,
    });
  });

  // Red before: "already exists and is not a folder".
  test('a symbolic link whose target is missing', async () => {
    const link = join(folder, 'link');
    symlinkSync(join(folder, 'nowhere'), link);
    expect(await told(link, () => makeFolder(link))).toEqual({
      text: `${link}  --out  is a symbolic link that leads nowhere: choose another path`,
      status: 2,
    });
  });

  test.runIf(existsSync('/proc/self'))('where the system creates nothing: reported at once', async () => {
    expect(await told('/proc/runs', () => makeFolder('/proc/runs/a'))).toEqual({
      text: '/proc/runs  --out  does not exist and cannot be created in /proc: choose another path',
      status: 2,
    });
  });
});

describe('a file to read that is a folder, or may not be read', () => {
  // Red before: "cannot be read: EISDIR: illegal operation on a directory, read", of a policy and of a ranking.
  test.each([
    ['a policy', readPolicyFile],
    ['a ranking', readRanking],
    ['a spec', readSpecFile],
  ])('%s', async (_what, read) => {
    const text = String(explain(await caught(() => read(folder))).text);
    expect(text).toMatch(/is a folder; (?:expected a file|name the spec file in it)/);
    expect(text).not.toContain('EISDIR');
  });

  test.each([
    ['EACCES', /^cannot be read: permission denied; change its permissions/],
    ['EPERM', /^cannot be read: permission denied; change its permissions/],
    ['ENOTDIR', /^no such file: a part of this path that should be a folder is a file$/],
    ['EIO', /^cannot be read: EIO$/],
  ])('%s in words', (code, words) => {
    expect(unreadable(failed(code, {}))).toMatch(words);
  });
});

describe('no matter who gave the path', () => {
  test.each([
    ['EROFS', 'is on a read-only file system: choose another path (--out)'],
    ['EACCES', 'permission denied: change its permissions (ls -ld shows them), or choose another path (--out)'],
  ])('%s is not a bug', (code, rule) => {
    const error = failed(code, { path: '/elsewhere/x' });
    expect(explain(error, [{ field: '--out', path: null }])).toEqual({ text: `/elsewhere/x  ${rule}`, status: 2 });
  });

  test('a file missing in a run folder is a bug, and so is a program that cannot be started', () => {
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
      text:
        `port ${address.port} of 127.0.0.1 is used by another program: choose another port ` +
        '(0 picks a free one), or stop that program',
      status: 2,
    });
  });
});

test('temporary files that cannot be in the folder of TMPDIR', () => {
  const error = Object.assign(new Error('ENOTDIR'), {
    code: 'ENOTDIR',
    syscall: 'scandir',
    path: join(folder, 'file'),
  });
  expect(explain(error, environmentPaths({ TMPDIR: join(folder, 'file') }))).toEqual({
    text: `${join(folder, 'file')}  TMPDIR  already exists and is not a folder: choose another path`,
    status: 2,
  });
});

test('a command in a folder that was removed', () => {
  const gone = join(folder, 'gone');
  mkdirSync(gone);
  const { EVENKEEL_RUNS: _, ...env } = process.env;
  const line = 'cd "$1" && rmdir "$1" && exec "$2" "$3" status';
  const { status, stderr } = spawnSync('sh', ['-c', line, 'sh', gone, process.execPath, program], {
    encoding: 'utf8',
    env: { ...env, EVENKEEL_CACHE: join(folder, 'cache') },
  });
  expect([status, stderr]).toEqual([2, 'the current folder was removed: change to another one with cd\n']);
});

describe('an output', () => {
  test('is written completely, also through a link, and leaves nothing on failure', async () => {
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
    await expect(writeOutput('/dev/full', ['x'])).rejects.toThrow(
      '/dev/full  the disk is full: free some space, or choose another path',
    );
  });
});

describe('the command line', () => {
  test.each([
    ['report to a folder that is not there', ['report', 'small', '--out', 'NO/x'], /NO\/x {2}--out {2}no such folder/],
    ['init into a file', ['init', 'file'], /file {2}already exists and is not a folder/],
    [
      'a runs directory that is a file',
      ['status', '--runs-dir', 'file'],
      /file {2}--runs-dir {2}already exists and is not a folder/,
    ],
    ['a runs directory from an unset variable', ['status', '--runs-dir', ''], /--runs-dir {2}is empty: name a path/],
    [
      'a report over the manifest',
      ['report', 'small', '--out', 'small/manifest.json'],
      /small\/manifest\.json {2}--out {2}is a file of the run in .*small, which would be damaged: name one outside/,
    ],
    ['simulate with a log', ['simulate', '--log', 'NO/x'], /NO\/x {2}--log {2}no such folder/],
  ])('%s: exit status 2 in one line', async (_what, args, message) => {
    await writeSampleRun(join(folder, 'small'), {
      ...{ runId: 'small', tasks: 2, maxLoops: 2, judge: null, withAsl: true, missing: 0 },
      models: [{ id: 'm', family: null, simulated: true, first: 1, later: 1 }],
    });
    const paths = args.map((arg) => (/^(?:NO\/|file$|small\/)/.test(arg) ? join(folder, arg) : arg));
    const env = {
      ...process.env,
      EVENKEEL_RUNS: folder,
      EVENKEEL_SANDBOX: 'embedded',
      EVENKEEL_CACHE: join(folder, 'cache'),
    };
    const { status, stderr } = await runCommand(paths, env);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

/** Root may read everything, so it runs the command as another user, where that user can reach the program. */
const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const program = join(import.meta.dirname, '../../bin/evenkeel.mjs');
const asOther = (...args: readonly string[]) =>
  spawnSync(process.execPath, [program, ...args], {
    ...other,
    encoding: 'utf8',
    env: { ...process.env, EVENKEEL_RUNS: folder, EVENKEEL_CACHE: join(folder, 'cache') },
  });

// Red before: "has no manifest.json, so it is not a run: restore that file".
test('a run of another user is told as such (skipped where nobody else may read this checkout)', ({ skip }) => {
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'private'));
  chmodSync(join(folder, 'private'), 'uid' in other ? 0o700 : 0);
  if (asOther('--version').status !== 0) skip('the other user cannot run this program');
  const { status, stderr } = asOther('status', 'private');
  expect([status, stderr]).toEqual([2, expect.stringContaining(`${folder}/private  permission denied: change its`)]);
});
