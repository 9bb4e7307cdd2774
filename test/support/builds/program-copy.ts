/** Another build of the program: a copy of its sources with a change. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const left = ['.git', 'node_modules', 'dist', 'test', 'bench', 'docs'];

export interface SourceChange {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Returns the copy's command line, for `startProgram`. */
export function copyProgram(folder: string, changes: readonly SourceChange[]): string {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(root).filter((one) => !left.includes(one)))
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const change of changes) changeSource(folder, change);
  return join(folder, 'cli', 'main.ts');
}

/** Throws unless the file has the text to be changed. */
export function changeSource(folder: string, { file, from, to }: SourceChange): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
  writeFileSync(path, text.replaceAll(from, to));
}
