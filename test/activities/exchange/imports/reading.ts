/** Reads files with the readers of imports. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Imported, importedLines } from '../../../../activities/exchange/imports/as-replay.ts';
import { type ImportFormatName, importFormats } from '../../../../activities/exchange/imports/import-formats.ts';
import { loadBenchmark } from '../../../../activities/benchmarks/load.ts';
import type { Task } from '../../../../schemas/task.ts';
import { starterBenchmark } from '../../../../cli/starter.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** The three tasks of test/fixtures/exchange/common.py. */
export const ids = ['Starter/1', 'Starter/6', 'Starter/9'];
const { tasks } = await loadBenchmark({
  name: 'b',
  format: 'evenkeel',
  path: starterBenchmark,
  tasks: { ids },
  seed: 0,
});
export const threeTasks: readonly Task[] = tasks;

export const fixture = (...parts: string[]): string =>
  join(import.meta.dirname, '..', '..', '..', 'fixtures', 'exchange', ...parts);

export function written(name: string, content: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

export const jsonLines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

export async function imported(
  format: ImportFormatName,
  path: string,
  {
    columns = {},
    model = null,
    tasks: given = null,
  }: Partial<{
    columns: Readonly<Record<string, string>>;
    model: string | null;
    tasks: readonly Task[] | null;
  }> = {},
): Promise<Imported> {
  const read = await importFormats[format].load();
  return importedLines(read, { path, columns: new Map(Object.entries(columns)), tasks: given }, model);
}

/** By task, what is in the lines of repetition 0. */
export const repliesOf = ({ lines }: Imported) =>
  lines.flatMap((line) =>
    (line.repetition ?? 0) > 0
      ? []
      : [
          {
            task: line.task_id,
            sample: line.sample,
            extracted: line.extracted,
            recorded: line.recorded,
            reply: line.reply,
          },
        ],
  );
