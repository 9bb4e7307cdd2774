/** The source files of a part of the program. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

const imported = /\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+\.(?:[jt]s|json))['"]/g;

/**
 * The texts of a file and of everything that it imports by relative paths, by path. Includes type-only imports: a
 * change there only costs a rebuild.
 */
export function sourcesOf(entry: string, known = new Map<string, string>()): Map<string, string> {
  if (known.has(entry)) return known;
  const text = readFileSync(entry, 'utf8');
  known.set(entry, text);
  for (const [, path = ''] of text.matchAll(imported)) sourcesOf(resolve(dirname(entry), path), known);
  return known;
}

export const sdkVersion = (): string =>
  (createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string }).version;
