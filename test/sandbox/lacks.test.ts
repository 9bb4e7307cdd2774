/** What the embedded tier cannot do for a program is no failure of the program's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbeddedSandbox } from '../../activities/sandboxes/embedded/embedded.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import { addProgram, goodAdd, limits, passesAdd } from './programs.ts';

const engineOfVersion01 = '3f936224b93c1bb655b4e2cd693f901b414aa346e16c3c4e60e54fb512a75c30';
let sandbox: Sandbox;
let earlier: Sandbox;
beforeAll(async () => {
  sandbox = await createEmbeddedSandbox({ processes: 1 });
  earlier = await createEmbeddedSandbox({ processes: 1, plannedImage: engineOfVersion01 });
  for (const box of [sandbox, earlier]) await box.run(goodAdd, limits);
}, 90_000);
afterAll(async () => {
  await sandbox.close();
  await earlier.close();
});

const calling = (before: string, ...lines: readonly string[]): string =>
  `${before}\ndef add(a, b):\n${lines.map((line) => `    ${line}\n`).join('')}`;

/** Red before: the exceptions were the programs' own, but for the event loop. */
const lacking: readonly (readonly [string, string, string])[] = [
  [
    'a pool of threads',
    calling(
      'from concurrent.futures import ThreadPoolExecutor',
      'with ThreadPoolExecutor() as pool: return sum(pool.map(int, [a, b]))',
    ),
    "RuntimeError: can't start new thread",
  ],
  [
    'a thread',
    calling('import threading', 't = threading.Thread(target=print)', 't.start()', 't.join()', 'return a + b'),
    "RuntimeError: can't start new thread",
  ],
  [
    'a thread at load',
    'import threading\nthreading.Thread(target=print).start()\ndef add(a, b): return a + b',
    "RuntimeError: can't start new thread",
  ],
  ['a thread of the lowest kind', calling('import _thread', '_thread.start_new_thread(print, ())'), 'RuntimeError: '],
  ['threads of multiprocessing', calling('import multiprocessing.dummy as m', 'm.Pool(2)'), 'PermissionError: '],
  ['a pool of processes', calling('import multiprocessing as m', 'm.Pool(2)'), 'PermissionError: '],
  [
    'a pool of processes of the futures',
    calling('from concurrent.futures import ProcessPoolExecutor', 'return ProcessPoolExecutor()'),
    'NotImplementedError: ',
  ],
  ['a command', calling('import subprocess', 'subprocess.run(["true"])'), 'OSError: '],
  ['a fork', calling('import os', 'return os.fork()'), 'OSError: '],
  ['another program', calling('import os', 'os.execv("/bin/true", ["true"])'), 'OSError: '],
  ['a pipe', calling('import os', 'return os.pipe()'), 'PermissionError: '],
  ['an event loop', calling('import asyncio\nasync def f(): return 1', 'asyncio.run(f())'), 'ModuleNotFoundError: '],
  ['a temporary file', calling('import tempfile', 'tempfile.TemporaryFile()'), 'FileNotFoundError: '],
  ['a temporary folder', calling('import tempfile', 'tempfile.TemporaryDirectory()'), 'FileNotFoundError: '],
  ['a file in its folder', calling('', 'open("x.txt", "w")'), 'OSError: '],
  ['a file in /tmp', calling('import pathlib', 'pathlib.Path("/tmp/x").write_text("x")'), 'OSError: '],
  ['a folder in /tmp', calling('import os', 'os.makedirs("/tmp/x/y")'), 'PermissionError: '],
];

describe('a program that needs', () => {
  it.each(lacking)('%s is not judged', async (_name, source, text) => {
    const run = await sandbox.run(addProgram(source), limits);
    expect(run).toMatchObject({ end: 'not_supported', results: [], failedAtLoad: false });
    expect(run.detail).toContain(text);
    expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
  });

  it.each(lacking)('%s ends as ever in a run that was planned with version 0.1', async (_name, source, text) => {
    const { end, results, detail } = await earlier.run(addProgram(source), limits);
    const isPackage = text === 'ModuleNotFoundError: ';
    expect([end, results.length]).toEqual(isPackage ? ['missing_dependency', 0] : ['completed', 1]);
    expect(detail).toContain(text);
  });
});

describe('a failure stays the program’s', () => {
  const own: readonly (readonly [string, string, string])[] = [
    ['an equal exception', calling('', 'raise RuntimeError("can\'t start new thread")'), 'RuntimeError: '],
    [
      'an exception after that of the platform',
      calling(
        'import threading',
        'try: threading.Thread(target=print).start()',
        'except RuntimeError as e: raise ValueError("no") from e',
      ),
      'ValueError: no',
    ],
    ['a thread of nothing', calling('import _thread', '_thread.start_new_thread(1, ())'), 'TypeError: '],
    ['a thread that was started', calling('import threading', 'threading.main_thread().start()'), 'RuntimeError: '],
    ['a file that is not there', calling('', 'open("/tmp/none")'), 'FileNotFoundError: '],
    ['a file where no tier lets it write', calling('', 'open("/lib/x", "w")'), 'OSError: '],
  ];
  it.each(own)('%s', async (_name, source, text) => {
    const run = await sandbox.run(addProgram(source), limits);
    expect([run.end, run.results]).toEqual(['completed', [{ exception: expect.stringContaining(text) }]]);
  });

  it('a program that does without has its own verdict', async () => {
    const source = calling(
      'import threading',
      'try: threading.Thread(target=print).start()',
      'except RuntimeError: pass',
      'return a + b',
    );
    expect(passesAdd(await sandbox.run(addProgram(source), limits))).toBe(true);
  });
});

it('each has the digest of its engine', () => {
  expect(earlier.imageDigest).toBe(engineOfVersion01);
  expect(sandbox.imageDigest).not.toBe(engineOfVersion01);
});
