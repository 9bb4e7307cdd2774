/** Pylint in bubblewrap slots: the messages are those of Pylint started by hand on the same packages. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { python } from '../../../activities/sandboxes/bubblewrap-host.ts';
import { createBubblewrapSandbox } from '../../../activities/sandboxes/bubblewrap.ts';
import { prepareMeasuring } from '../../../activities/sandboxes/measuring-parts.ts';
import { pylintPackages } from '../../../activities/sandboxes/pylint-packages.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { cacheFolder } from '../../../workers/temporal/cache-folder.ts';
import { goodAdd, limits, passesAdd } from '../programs.ts';
import { wallsNote, withoutWalls } from './engine.ts';

const cache = cacheFolder(process.env);
const required = (process.env['EVENKEEL_REQUIRE'] ?? '').split(',').includes('engine');
const { packages, note } = withoutWalls
  ? { packages: '', note: wallsNote }
  : await pylintPackages(cache, python).then(
      (folder) => ({ packages: folder, note: '' }),
      (error: unknown) => ({ packages: '', note: ` (skipped: ${String(error)})` }),
    );

describe.skipIf(withoutWalls || (packages === '' && !required))(`quality behind bubblewrap${note}`, () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createBubblewrapSandbox({ processes: 1, cacheFolder: cache });
  }, 60_000);
  afterAll(() => sandbox?.close());

  const sources = [
    '"""Sign."""\ndef sign(x):\n    """Sign."""\n    try:\n        if x:\n            return 1\n        else:\n' +
      '            return 2\n    except ValueError:\n        raise\n',
    'import os, sys\nl = 1\nprint(undefined, l , sep = "")\n',
    'def f(:\n    pass\n',
  ];

  it('gives the messages that Pylint gives on its own, and counts handlers and raises', async () => {
    const measured = await sandbox.measure?.(sources);
    const found = measured?.map(({ messages }) => messages?.map(({ id, line, column }) => [id, line, column]));
    expect(found).toEqual(sources.map(byHand));
    expect(measured?.map(({ reason, handlers, raises }) => [reason, handlers, raises])).toEqual([
      [null, 1, 1],
      [null, 0, 0],
      ['syntax_error', null, null],
    ]);
    expect(measured?.[0]?.service.pylint).toBe('3.2.5');
    expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
  }, 300_000);
});

/** [id, line, column] of each message. */
function byHand(source: string): readonly (readonly [string, number, number])[] {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-pylint-'));
  try {
    writeFileSync(join(folder, 'solution.py'), source);
    const words = ['-m', 'pylint', '--output-format=json', '--exit-zero', 'solution.py'];
    const text = execFileSync(python, words, { cwd: folder, encoding: 'utf8', env: { PYTHONPATH: packages } });
    const messages = JSON.parse(text) as { 'message-id': string; line: number; column: number }[];
    return messages.map((message) => [message['message-id'], message.line, message.column]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.skipIf(withoutWalls)(`without an index of packages${wallsNote}`, () => {
  const empty = mkdtempSync(join(tmpdir(), 'evenkeel-no-pip-'));
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => rmSync(empty, { recursive: true }));

  const specOf = (kind: string, settings: string) =>
    parseSpec(
      'name: s\nmodels: [{ id: a, provider: simulated }]\nbenchmarks: { t: { format: evenkeel, path: t.jsonl } }\n' +
        `studies: [{ name: s, kind: ${kind}, benchmark: t${settings} }]\n`,
      's.yaml',
    );
  const prepared = (kind: string, tier: string, settings = '') =>
    prepareMeasuring(specOf(kind, settings), tier, empty, () => undefined);

  it('a spec that asks for quality is refused with what to do, and no folder is left that looks complete', async () => {
    vi.stubEnv('PIP_NO_INDEX', '1');
    vi.stubEnv('PIP_FIND_LINKS', '');
    const guarded = ', repetitions: 1, settings: { dimensions: [{ name: guard, phrasings: [Guard it] }] }';
    await expect(prepared('robunfr-prompts', 'bubblewrap', guarded)).rejects.toThrow(
      /measures quality with Pylint, which pip could not install: .*astroid.*; give pip an index/s,
    );
    await prepared('robunfr-prompts', 'embedded', guarded);
    await prepared('evaloop', 'bubblewrap');
    expect(readdirSync(empty)).toEqual([]);
  });
});
