/** Reads a spec file as the user wrote it. */
import { createReadStream } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { SpecFile } from '../activities/runs/plan-inputs.ts';
import { specFaults } from '../activities/runs/spec-faults.ts';
import { InputError } from '../domain/errors.ts';
import { parseSpec } from '../domain/spec/parse-spec.ts';
import { commandName } from './command-name.ts';
import { unreadable } from '../domain/unreadable.ts';
import { utf8Text } from '../domain/spec/utf8-text.ts';

/** Throws InputError listing every fault of the spec and of the files that it names, with line and column. */
export async function readSpecFile(path: string): Promise<SpecFile> {
  const text = utf8Text(await bytesOf(path), path);
  const folder = dirname(resolve(path));
  const spec = parseSpec(text, path, (checked) => specFaults(checked, folder));
  return { spec, text, name: basename(path), path, folder };
}

/** Longest spec, bytes: one that lists 10,000 models has about a tenth of this. */
const longest = 16 * 1024 * 1024;

async function bytesOf(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > longest) break;
    }
  } catch (error) {
    throw new InputError(unreadableSpec(error), { file: path });
  }
  if (length > longest)
    throw new InputError(`has more than 16 MiB, so it is no spec; \`${commandName()} init\` writes examples`, {
      file: path,
    });
  return Buffer.concat(chunks);
}

function unreadableSpec(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `no such file; \`${commandName()} init\` writes an example`;
  if (code === 'EISDIR') return 'is a folder; name the spec file in it';
  return unreadable(error);
}
