/**
 * The records of a ParEval checkout, or of a folder with the same layout: rows of `prompts/generation-prompts.json`
 * with the C++ files that build and run each (`drivers/cpp`). The user's folder is only read.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parallelisms } from '../../domain/benchmarks/pareval.ts';
import { InputError } from '../../domain/errors.ts';
import { type DriverSettings, driverSettings } from '../../schemas/spec/benchmark.ts';
import type { BenchmarkRecord, RecordSource } from './records.ts';

const promptsFile = join('prompts', 'generation-prompts.json');
const sizesFile = join('drivers', 'problem-sizes.json');
const driversFolder = join('drivers', 'cpp');

/** One record per task of the selected parallelism models. Throws `InputError` for missing files or values. */
export function openCheckout(folder: string, given: DriverSettings | undefined): RecordSource {
  const settings = given ?? driverSettings.parse({});
  const text = textOf(folder, promptsFile);
  const records = async function* (): AsyncGenerator<BenchmarkRecord> {
    const sizes = parsed(folder, sizesFile) as Record<string, Record<string, string> | undefined>;
    for (const [index, row] of rowsOf(folder, text).entries()) {
      if (!isWanted(row, settings)) continue;
      const at = { file: join(folder, promptsFile), line: null, index };
      yield { record: { ...row, driver: driverOf(folder, row, sizes, settings) }, at };
    }
  };
  return { records: records(), fileSha256: () => createHash('sha256').update(text).digest('hex') };
}

interface PromptRow {
  readonly problem_type: string;
  readonly name: string;
  readonly parallelism_model: string;
}

function rowsOf(folder: string, text: string): PromptRow[] {
  const file = join(folder, promptsFile);
  const rows = jsonOf(file, text);
  if (!Array.isArray(rows)) throw new InputError('expected a JSON array of prompts', { file });
  const broken = rows.findIndex((row: Partial<PromptRow> | null) =>
    [row?.problem_type, row?.name, row?.parallelism_model].some((field) => !isName(field)),
  );
  if (broken !== -1)
    throw new InputError('expected a prompt with problem_type, name and parallelism_model', {
      file,
      field: `[${broken}]`,
    });
  return rows as PromptRow[];
}

/** The names become parts of a path, so each must be a single folder name. */
const isName = (field: unknown): boolean =>
  typeof field === 'string' && /^[\w.+-]+$/.test(field) && !field.includes('..');

const isWanted = ({ parallelism_model: kind }: PromptRow, { parallelism }: DriverSettings): boolean =>
  (parallelisms as readonly string[]).includes(kind) && (parallelism as readonly string[]).includes(kind);

function driverOf(
  folder: string,
  { problem_type: type, name, parallelism_model: kind }: PromptRow,
  sizes: Record<string, Record<string, string> | undefined>,
  { flags, threads, repeats, buildLimitS, runLimitS, alone }: DriverSettings,
) {
  const task = join(driversFolder, 'benchmarks', type, name);
  const problemSize = sizes[name]?.[kind];
  if (problemSize === undefined)
    throw new InputError(`expected a problem size for every task, ${name} has none for ${kind}`, {
      file: join(folder, sizesFile),
    });
  const main = `${kind}-driver.cc`;
  return {
    files: {
      ...headersOf(folder, driversFolder),
      ...headersOf(folder, join(driversFolder, 'models')),
      ...headersOf(folder, task),
      [main]: textOf(folder, join(driversFolder, 'models', main)),
      'cpu.cc': textOf(folder, join(task, 'cpu.cc')),
    },
    sources: [main, 'cpu.cc'],
    ...{ problemSize, flags, threads, repeats, buildLimitMs: 1000 * buildLimitS, runLimitMs: 1000 * runLimitS, alone },
  };
}

/** A folder's headers by name: everything is built in one folder, which is on the include path. */
function headersOf(folder: string, below: string): Record<string, string> {
  const path = join(folder, below);
  if (!existsSync(path) || !statSync(path).isDirectory()) throw missing(folder, below);
  const names = readdirSync(path).filter((name) => /\.(?:hpp|h)$/.test(name));
  return Object.fromEntries(names.sort().map((name) => [name, textOf(folder, join(below, name))]));
}

function textOf(folder: string, below: string): string {
  try {
    return readFileSync(join(folder, below), 'utf8');
  } catch {
    throw missing(folder, below);
  }
}

const parsed = (folder: string, below: string): unknown => jsonOf(join(folder, below), textOf(folder, below));

function jsonOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new InputError(`not valid JSON (${(error as Error).message})`, { file });
  }
}

const missing = (folder: string, below: string): InputError =>
  new InputError(
    `expected a folder with the layout of a ParEval checkout, it has no ${below}; clone ` +
      'parallelcodefoundry/ParEval and give its folder',
    {
      file: folder,
    },
  );
