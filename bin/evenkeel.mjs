#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, underModernNode } from './bootstrap.mjs';

const isClone = existsSync(join(root, 'cli', 'main.ts'));
const load = (path) => import(pathToFileURL(isClone ? join(root, `${path}.ts`) : join(root, 'dist', `${path}.js`)).href);

// By the name that it was started under, which hints repeat.
await underModernNode(process.argv[1], async () => {
  const { cacheFolder } = await load('workers/temporal/cache-folder');
  const { makeFolder } = await load('activities/storage/make-folder');
  keepCompiledCode(makeFolder, join(cacheFolder(process.env), 'compiled'));
  await load('cli/main');
});

/** A third of what a small run costs is compiling its own code, in three processes; the variable is for those started from here. */
function keepCompiledCode(makeFolder, folder) {
  try {
    makeFolder(folder);
  } catch {
    // Node's own never ends where no folder can be made, as in /proc.
    return;
  }
  module.enableCompileCache(folder);
  process.env.NODE_COMPILE_CACHE ??= folder;
}
