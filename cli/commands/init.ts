/** `init`: writes commented example specs that `run` accepts as they are, their benchmark, and a schema for editors. */
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../activities/storage/files/make-folder.ts';
import { InputError } from '../../domain/errors.ts';
import { studyExamples } from '../../studies/index.ts';
import { commandName } from '../command-name.ts';
import { quoted } from '../../activities/storage/files/quoted.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { starterBenchmark } from '../starter.ts';
import type { Terminal } from '../output/terminal.ts';

/** The same path in a clone and in the published package. */
const specSchemaFile = fileURLToPath(new URL('../../schemas/spec.schema.json', import.meta.url));

export function init(directory: string, terminal: Terminal): ExitStatus {
  const folder = resolve(directory);
  const specs = studyExamples.map(({ file, text }) => ({ file: join(folder, file), text }));
  for (const { file } of specs)
    if (existsSync(file)) throw new InputError('already exists, so nothing was written: name another folder', { file });
  makeFolder(folder);
  const benchmark = join(folder, 'starter.jsonl');
  const schema = join(folder, 'evenkeel.schema.json');
  allOrNone([
    ...specs.map(({ file, text }) => ({ file, write: () => writeFileSync(file, text) })),
    ...(existsSync(benchmark) ? [] : [{ file: benchmark, write: () => copyFileSync(starterBenchmark, benchmark) }]),
    { file: schema, write: () => copyFileSync(specSchemaFile, schema) },
  ]);
  const files = specs.map(({ file }) => file);
  const next = files.flatMap((file) => ['plan', 'run'].map((verb) => `  ${commandName()} ${verb} ${quoted(file)}`));
  terminal.out(`wrote ${[...files, benchmark].join(', ')} and ${schema}\nnext:\n${next.join('\n')}`);
  terminal.document({ spec: files[0] ?? '', specs: files, benchmark, schema });
  return exitStatus.done;
}

/** On a full disk nothing is left, so that the same command can be given again. */
function allOrNone(files: readonly { readonly file: string; write(): void }[]): void {
  const begun: string[] = [];
  try {
    for (const { file, write } of files) {
      begun.push(file);
      write();
    }
  } catch (error) {
    for (const file of begun) rmSync(file, { force: true });
    throw error;
  }
}
