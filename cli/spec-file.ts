/** Reads a spec file as the user wrote it. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { SpecFile } from '../activities/runs/plan-inputs.ts';
import { specFaults } from '../activities/runs/spec-faults.ts';
import { InputError } from '../domain/errors.ts';
import { parseSpec } from '../domain/spec/parse-spec.ts';
import { commandName } from './command-name.ts';
import { utf8Text } from '../domain/spec/utf8-text.ts';

/** Throws InputError listing every fault of the spec and of the files that it names, with line and column. */
export async function readSpecFile(path: string): Promise<SpecFile> {
  const text = utf8Text(await bytesOf(path), path);
  const folder = dirname(resolve(path));
  const spec = parseSpec(text, path, (checked) => specFaults(checked, folder));
  return { spec, text, name: basename(path), path, folder };
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new InputError(unreadable(error as NodeJS.ErrnoException), { file: path });
  }
}

function unreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `no such file; \`${commandName()} init\` writes an example`;
  if (code === 'EISDIR') return 'is a folder; name the spec file in it';
  return `cannot be read: ${message}`;
}
