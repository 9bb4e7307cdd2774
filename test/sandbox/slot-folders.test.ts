/** Folders of slots where they do not fit. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const host = fileURLToPath(new URL('../../activities/sandboxes/bubblewrap-host.ts', import.meta.url));

// Red when only the next start removes what did not fit.
it('nothing stays of a folder whose files do not fit', () => {
  const folder = join(temporaryFolder(), 'temporary');
  mkdirSync(folder);
  const code = `import { createBubblewrapHost } from ${JSON.stringify(host)}; createBubblewrapHost();`;
  // Files of at most a block, instead of a full disk.
  const line = 'ulimit -f 1; exec "$0" --input-type=module -e "$1"';
  const env = { ...process.env, TMPDIR: folder, NODE_OPTIONS: '', NODE_DISABLE_COMPILE_CACHE: '1' };
  const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath, code], { encoding: 'utf8', env });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/EFBIG/)]);
  expect(readdirSync(folder)).toEqual([]);
});
