#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, underModernNode } from './bootstrap.mjs';

const isClone = existsSync(join(root, 'cli', 'main.ts'));
const load = (path) =>
  import(pathToFileURL(isClone ? join(root, `${path}.ts`) : join(root, 'dist', `${path}.js`)).href);

// Keeps the name that it was started by, since hints repeat it.
await underModernNode(process.argv[1], async () => {
  const { cacheFolder } = await load('workers/temporal/cache-folder');
  const { makeFolder } = await load('activities/storage/files/make-folder');
  keepCompiledCode(makeFolder, join(cacheFolder(process.env), 'compiled'));
  await load('cli/main');
});

/**
 * Caches compiled code: compiling takes a third of a small run's time, in three processes.
 * The variable is for child processes.
 */
function keepCompiledCode(makeFolder, folder) {
  try {
    makeFolder(folder);
  } catch {
    // Without this check, Node's own cache hangs where no folder can be created, as in /proc.
    return;
  }
  module.enableCompileCache(folder);
  process.env.NODE_COMPILE_CACHE ??= folder;
}
