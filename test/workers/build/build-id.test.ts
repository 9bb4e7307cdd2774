import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildId } from '../../../workers/build/build-id.ts';
import { changeSource, copyProgram } from '../../support/builds/program-copy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a copy of the program is the same build, wherever it lies', () => {
  const folder = temporaryFolder();
  copyProgram(folder, []);
  expect(buildId(folder)).toBe(buildId());
  expect(buildId()).toMatch(/^[0-9a-f]{12}$/);
});

test.each([
  ['a workflow', { file: 'workflows/lane.ts', from: 'pagesInFlight = 4', to: 'pagesInFlight = 5' }],
  ['a prompt, which activities import', { file: 'studies/evaloop/prompts.ts', from: 'helpful', to: 'other' }],
  ['a program that runs in a sandbox', { file: 'sandbox/container/driver.py', from: 'import', to: 'import ' }],
  ['a module that is loaded on request', { file: 'workers/log/run-log.ts', from: 'pino', to: 'other' }],
])('%s is part of the build', (_what, change) => {
  const folder = temporaryFolder();
  copyProgram(folder, [change]);
  expect(buildId(folder)).not.toBe(buildId());
});

test('what Python compiles and what only commands use is not', () => {
  const folder = temporaryFolder();
  copyProgram(folder, []);
  writeFileSync(join(folder, 'sandbox', 'container', 'driver.pyc'), 'compiled');
  cpSync(join(folder, 'README.md'), join(folder, 'NOTES.md'));
  changeSource(folder, { file: 'cli/main.ts', from: 'import', to: 'import ' });
  expect(buildId(folder)).toBe(buildId());
});
