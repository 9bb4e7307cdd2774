/** The workflows as one file for the worker's isolate, bundled once per source and kept in the cache folder. */
import { createHash, randomUUID } from 'node:crypto';
import { access, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { makeFolder } from '../activities/storage/make-folder.ts';

const entry = fileURLToPath(new URL(`../workflows/index${extname(import.meta.url)}`, import.meta.url));

export async function workflowBundle(cacheDir: string): Promise<{ readonly codePath: string }> {
  const codePath = join(cacheDir, 'workflows', `${await sourceHash()}.js`);
  const present = await access(codePath).then(
    () => true,
    () => false,
  );
  if (!present) await makeBundle(codePath);
  return { codePath };
}

async function makeBundle(codePath: string): Promise<void> {
  const { code } = await bundleWorkflowCode({ workflowsPath: entry, logger: silent });
  makeFolder(dirname(codePath));
  const temporary = `${codePath}.${randomUUID()}.tmp`;
  await writeFile(temporary, code);
  await rename(temporary, codePath);
}

/** Over the workflows' sources and the SDK's version: both have to fit the worker. */
async function sourceHash(): Promise<string> {
  const hash = createHash('sha256').update(sdkVersion());
  const files = (await readdir(dirname(entry))).filter((file) => /\.(ts|js)$/.test(file)).sort();
  for (const file of files) hash.update(file).update(await readFile(join(dirname(entry), file)));
  return hash.digest('hex').slice(0, 16);
}

const sdkVersion = (): string => (createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string }).version;

const nothing = (): void => {};
const silent = { log: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };
