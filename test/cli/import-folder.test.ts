import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { importFile } from '../../cli/commands/exchange/import.ts';
import { createTerminal } from '../../cli/output/terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder = '';
const said: string[] = [];
const terminal = { ...createTerminal(false), out: (text: string) => void said.push(text) };

beforeEach(() => {
  folder = temporaryFolder();
  said.length = 0;
  mkdirSync(join(folder, 'details'));
});

const trajectory = (code: string): string =>
  JSON.stringify({ 0: [{ task_id: 'Mbpp/2', cycles: [{ code_output: code }] }] });
const options = () => ({ runsDir: folder, format: 'evaloop', out: join(folder, 'replies') });

test('each .json file of a folder becomes a replay file of its name; other files are ignored', async () => {
  writeFileSync(join(folder, 'details', 'gpt-4.1.json'), trajectory('one'));
  writeFileSync(join(folder, 'details', 'o3.json'), trajectory('two'));
  writeFileSync(join(folder, 'details', 'README.md'), '');
  expect(await importFile(join(folder, 'details'), options(), terminal)).toBe(0);
  expect(readdirSync(join(folder, 'replies')).sort()).toEqual(['gpt-4.1.jsonl', 'o3.jsonl']);
  const [line = ''] = readFileSync(join(folder, 'replies', 'o3.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(line)).toEqual({ task_id: 'MBPP/2', step: 'generate', loop: 1, reply: 'two', extracted: true });
  expect(said).toHaveLength(3);
  expect(said.at(-1)).toContain('missingPackage: failed');
});

test('a folder is refused without recordings, without --out, and with --compare', async () => {
  await expect(importFile(join(folder, 'details'), options(), terminal)).rejects.toThrow('has no .json file');
  const { out: _out, ...without } = options();
  await expect(importFile(join(folder, 'details'), without, terminal)).rejects.toThrow(
    'the folder for the replay files',
  );
  await expect(importFile(join(folder, 'details'), { ...options(), compare: 'r' }, terminal)).rejects.toThrow(
    'compares a single file',
  );
});

test('a pipe or a device is refused before it is read', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe'), join(folder, 'details', 'pipe.json')]);
  const rule = 'must be a regular file, got a device, pipe or socket';
  for (const format of ['evaloop', 'samples', 'evalplus'])
    for (const file of ['/dev/zero', join(folder, 'pipe')])
      await expect(importFile(file, { ...options(), format }, terminal)).rejects.toThrow(rule);
  await expect(importFile(join(folder, 'details'), options(), terminal)).rejects.toThrow(rule);
});
