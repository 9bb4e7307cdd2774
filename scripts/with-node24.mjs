/** Runs a script of this repository: node scripts/with-node24.mjs SCRIPT [ARGUMENT...] */
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { underModernNode } from '../bin/bootstrap.mjs';

await underModernNode(fileURLToPath(import.meta.url), () => {
  const [node, , script, ...rest] = process.argv;
  process.argv = [node, resolve(script), ...rest];
  return import(pathToFileURL(resolve(script)).href);
});
