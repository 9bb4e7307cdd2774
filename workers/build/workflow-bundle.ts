/**
 * The workflows bundled into one file for the worker's isolate, once per version of the sources,
 * and kept in the cache folder.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { makeFolder } from '../../activities/storage/files/make-folder.ts';
import { sha256 } from '../../domain/ids.ts';
import { sdkVersion, sourcesOf } from './sources.ts';

const workflows = fileURLToPath(new URL(`../../workflows/index${extname(import.meta.url)}`, import.meta.url));

/**
 * The file is named `<hash of the sources>.<hash of the bundle>.js`;
 * a damaged one does not match its hash and is rebuilt.
 */
export async function workflowBundle(cacheDir: string, entry = workflows): Promise<{ readonly codePath: string }> {
  const folder = join(cacheDir, 'workflows');
  const source = sourceHash(entry);
  return { codePath: (await wholeBundle(folder, source)) ?? (await makeBundle(folder, source, entry)) };
}

async function wholeBundle(folder: string, source: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(`${source}.`) && one.endsWith('.js')))
    if (name === bundleName(source, await readFile(join(folder, name), 'utf8'))) return join(folder, name);
  return undefined;
}

const bundleName = (source: string, code: string): string => `${source}.${sha256(code).slice(0, 16)}.js`;

async function makeBundle(folder: string, source: string, entry: string): Promise<string> {
  const { code } = await bundleWorkflowCode({ workflowsPath: entry, logger: silent });
  makeFolder(folder);
  const codePath = join(folder, bundleName(source, code));
  const temporary = `${codePath}.${randomUUID()}.tmp`;
  await writeFile(temporary, code);
  await rename(temporary, codePath);
  return codePath;
}

/** Hash of every source file in the bundle, wherever it lies, and of the SDK's version: both must fit the worker. */
function sourceHash(entry: string): string {
  const hash = createHash('sha256').update(sdkVersion());
  for (const [file, text] of [...sourcesOf(entry)].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(basename(file)).update(text);
  return hash.digest('hex').slice(0, 16);
}

const nothing = (): void => {};
const silent = { log: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };
