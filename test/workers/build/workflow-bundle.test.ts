import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { workflowBundle } from '../../../workers/build/workflow-bundle.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// Red in version 0.1: the key came from the files next to the entry only, and a damaged bundle was used.
test('a bundle is rebuilt when a file that it imports has changed or its cached copy is damaged', async () => {
  const root = temporaryFolder();
  const cache = join(root, 'cache');
  mkdirSync(join(root, 'workflows'));
  mkdirSync(join(root, 'domain'));
  // The SDK's own part of a bundle.
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(root, 'node_modules'));
  writeFileSync(join(root, 'workflows', 'index.ts'), "export { three } from '../domain/three.ts';\n");
  const three = (value: number): void =>
    writeFileSync(
      join(root, 'domain', 'three.ts'),
      `export async function three(): Promise<number> { return ${value}; }\n`,
    );
  const made = async (): Promise<string> => (await workflowBundle(cache, join(root, 'workflows', 'index.ts'))).codePath;
  three(31_337);
  const first = await made();
  const code = readFileSync(first, 'utf8');
  expect(code).toContain('31337');
  expect(await made()).toBe(first);
  three(41_337);
  const second = await made();
  expect(second).not.toBe(first);
  expect(readFileSync(second, 'utf8')).toContain('41337');
  three(31_337);
  writeFileSync(first, code.replace('31337', '31338'));
  expect(readFileSync(await made(), 'utf8')).toContain('31337');
  expect(readdirSync(join(cache, 'workflows')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
