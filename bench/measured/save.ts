/** Writes measured tables to bench/results/tables/, from where `npm run bench -- pages` takes them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import { readMachines } from '../results.ts';
import { type MeasuredTable, type TableMeasurement, tablesFolder, tablesSchema } from './tables.ts';

/** What a benchmark has measured. */
export interface NewTable {
  readonly title: string;
  readonly method?: string | undefined;
  readonly columns?: readonly string[];
  readonly size?: string | undefined;
  readonly note?: string;
  readonly rows: readonly (readonly string[])[];
}

export type Source = Pick<TableMeasurement, 'date' | 'machine' | 'commit' | 'command'>;

/**
 * Day, machine and commit of a measurement that begins now. Throws `InputError` if the machine is unknown, or if the
 * commit would not say what was measured.
 * @param machine a key of machines.json
 */
export function sourceOf(machine: string, command: string): Source {
  const known = Object.keys(readMachines());
  if (!known.includes(machine))
    throw new InputError(`must be a machine of bench/results/machines.json (${known.join(', ')}), got "${machine}"`, {
      field: '--save',
    });
  if (git('status', '--porcelain', '--', ':/', ':!/docs', ':!/bench/results') !== '')
    throw new InputError('needs a clean working tree, so that the commit says what was measured; commit first', {
      field: '--save',
    });
  const date = new Date().toISOString().slice(0, '2026-01-01'.length);
  return { date, machine, commit: git('rev-parse', '--short', 'HEAD'), command };
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();

/** Adds a measurement to each table of the file; tables that were not measured stay as they are. */
export function saveTables(name: string, tables: readonly NewTable[], source: Source, folder = tablesFolder): void {
  const file = join(folder, `${name}.json`);
  const old = existsSync(file) ? tablesSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).tables : [];
  const known = new Set(old.map(({ title }) => title));
  const added = tables.filter(({ title }) => !known.has(title));
  const all = [
    ...old.map((table) =>
      measuredAgain(
        table,
        tables.find(({ title }) => title === table.title),
        source,
      ),
    ),
    ...added.map((table) => ({ ...headOf(table), measurements: [measurementOf(table, source)] })),
  ];
  writeFileSync(file, `${JSON.stringify(tablesSchema.parse({ tables: all }), null, 2)}\n`);
}

function measuredAgain(old: MeasuredTable, table: NewTable | undefined, source: Source): object {
  if (table === undefined) return old;
  if (JSON.stringify(old.columns) !== JSON.stringify(table.columns))
    throw new Error(`table "${old.title}" has other columns than before; give it another title`);
  return { ...headOf(table), measurements: [...old.measurements, measurementOf(table, source)] };
}

const headOf = ({ title, method, columns }: NewTable): object => ({ title, method, columns });
const measurementOf = ({ size, note, rows }: NewTable, source: Source): object => ({ ...source, size, note, rows });
