/** A file that is being written when its command is told to stop. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const module = JSON.stringify(fileURLToPath(new URL('../../../cli/output/output-file.ts', import.meta.url)));

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves no unfinished file', async (signal) => {
  const folder = temporaryFolder();
  const script = `import { writeOutput } from ${module};
    const chunks = async function* () { yield 'begun'; console.log('writing'); setInterval(() => {}, 1_000);
      await new Promise(() => {}); };
    await writeOutput(${JSON.stringify(join(folder, 'out'))}, chunks());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(readdirSync(folder)).toEqual(['out.tmp']);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([null, signal]);
  expect(readdirSync(folder)).toEqual([]);
});
