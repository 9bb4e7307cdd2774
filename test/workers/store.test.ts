import { execFile } from 'node:child_process';
import { cpSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { storeOf } from '../../workers/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// Red where queues are named for the path: a copy under the same path on another machine had the run's own queues.
test('a store is one folder, whatever its path; a copy is another', () => {
  const root = temporaryFolder();
  const store = storeOf(join(root, 'runs'));
  expect(store).toMatch(/^[0-9a-f]{8}$/);
  expect(storeOf(join(root, 'runs'))).toBe(store);
  cpSync(join(root, 'runs'), join(root, 'copy'), { recursive: true });
  expect(storeOf(join(root, 'copy'))).not.toBe(store);
  expect(storeOf(join(root, 'other'))).not.toBe(store);
  renameSync(join(root, 'runs'), join(root, 'moved'));
  expect(storeOf(join(root, 'moved'))).toBe(store);
});

test('processes that create it at once get the same store', async () => {
  const root = temporaryFolder();
  const module = JSON.stringify(fileURLToPath(new URL('../../workers/store.ts', import.meta.url)));
  const script =
    `import { storeOf } from ${module}; while (Date.now() < Number(process.argv[2])); ` +
    'console.log(storeOf(process.argv[1]));';
  const startMs = String(Date.now() + 1_500);
  const made = await Promise.all(
    [1, 2, 3, 4].map(() =>
      promisify(execFile)(process.execPath, [
        '--disable-warning=ExperimentalWarning',
        '--input-type=module',
        '-e',
        script,
        join(root, 'runs'),
        startMs,
      ]),
    ),
  );
  expect(new Set(made.map(({ stdout }) => stdout)).size).toBe(1);
  expect(readdirSync(join(root, 'runs'))).toEqual(['.store']);
});
