import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openExecutionCache } from '../../../activities/judging/execution-cache.ts';
import type { VerdictRecord } from '../../../activities/storage/ledger/records.ts';
import { sha256 } from '../../../domain/ids.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let path = '';
let said: string[] = [];
const open = () => openExecutionCache(path, (line) => said.push(line));

const verdict = (name: string): VerdictRecord => ({
  ...{
    executionKey: sha256(name),
    programSha256: sha256('p'),
    suite: 'base',
    outcome: 'wrong_output',
    firstFailingCase: 0,
    detail: name,
  },
  ...{
    wallMs: 1.5,
    cpuMs: null,
    memoryBytes: null,
    tier: 'embedded',
    lane: 'python',
    engine: 'e',
    imageDigest: 'i',
    limits: '{}',
  },
});
const names = Array.from({ length: 200 }, (_, index) => `program ${index}`);

beforeEach(() => {
  path = join(temporaryFolder(), 'executions.sqlite');
  said = [];
  const cache = open();
  for (const name of names) cache.put(verdict(name));
  cache.close();
});

// Red in version 0.1: rows had no checksums, and a changed one was another verdict for later runs.
test('an altered row is ignored, and stored again', () => {
  const file = new DatabaseSync(path);
  file.exec(`update verdict set record = replace(record, 'wrong_output', 'pass')`);
  file.close();
  const cache = open();
  expect(cache.get(verdict('program 7').executionKey)).toBeUndefined();
  cache.put(verdict('program 7'));
  expect(cache.get(verdict('program 7').executionKey)).toEqual({ ...verdict('program 7'), reused: true });
  expect(cache.get(verdict('program 8').executionKey)).toBeUndefined();
  cache.close();
});

test('a row under another key is ignored', () => {
  const file = new DatabaseSync(path);
  file.exec(`update verdict set record = (select record from verdict where id = 1) where id = 2`);
  file.close();
  const cache = open();
  expect([cache.get(verdict('program 0').executionKey), cache.get(verdict('program 1').executionKey)]).toEqual([
    { ...verdict('program 0'), reused: true },
    undefined,
  ]);
  cache.close();
});

// Red in version 0.1: nothing named the cache, and it stayed as it was for every later run.
test('a damaged file is named, moved aside and recreated, whether found at opening or later', () => {
  const whole = readFileSync(path);
  for (const from of [0, 4096]) {
    writeFileSync(
      path,
      whole.map((byte, index) => (index >= from && index < from + 8192 ? byte ^ 0xff : byte)),
    );
    said = [];
    const cache = open();
    for (const name of names) cache.get(verdict(name).executionKey);
    cache.put(verdict('later'));
    expect(cache.get(verdict('later').executionKey)).toEqual({ ...verdict('later'), reused: true });
    cache.close();
    expect(said).toEqual([expect.stringContaining(`the execution cache ${path} was damaged; moved it to`)]);
    expect(existsSync(`${path}.damaged`)).toBe(true);
  }
});
