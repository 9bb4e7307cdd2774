/** `init`: commented example specs that `run` accepts as they are, with what they and an editor need beside them. */
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../activities/storage/make-folder.ts';
import { InputError } from '../../domain/errors.ts';
import { commandName } from '../command-name.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { starterBenchmark } from '../starter.ts';
import type { Terminal } from '../terminal.ts';
import { exampleSpecs } from './example-specs.ts';

/** In a clone and, in the same place, in the published package. */
const specSchemaFile = fileURLToPath(new URL('../../schemas/spec.schema.json', import.meta.url));

export function init(directory: string, terminal: Terminal): ExitStatus {
  const folder = resolve(directory);
  const specs = Object.entries(exampleSpecs).map(([name, text]) => ({ file: join(folder, name), text }));
  for (const { file } of specs) if (existsSync(file)) throw new InputError('is there already; nothing was written', { file });
  makeFolder(folder);
  for (const { file, text } of specs) writeFileSync(file, text);
  const benchmark = join(folder, 'starter.jsonl');
  if (!existsSync(benchmark)) copyFileSync(starterBenchmark, benchmark);
  const schema = join(folder, 'evenkeel.schema.json');
  copyFileSync(specSchemaFile, schema);
  const files = specs.map(({ file }) => file);
  const next = files.flatMap((file) => [`  ${commandName()} plan ${file}`, `  ${commandName()} run ${file}`]);
  terminal.out(`wrote ${[...files, benchmark].join(', ')} and ${schema}\nnext:\n${next.join('\n')}`);
  terminal.document({ spec: files[0] ?? '', specs: files, benchmark, schema });
  return exitStatus.done;
}
