/**
 * How often every kind of interval contains the truth, and how often tests raise false alarms: simulated, with the code
 * that computes the tables.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { counted } from '../domain/counted.ts';
import { InputError } from '../domain/errors.ts';
import { columnsOf, jobs, partNames } from './coverage/jobs.ts';
import { leastHeld, type Line, mostAlarms } from './coverage/line.ts';
import { commandText } from './command-text.ts';
import { type NewTable, saveTables, sourceOf } from './measured/save.ts';

export interface CoverageOptions {
  readonly draws: string;
  readonly full: boolean;
  readonly seed: string;
  readonly only: string;
  readonly rows: string;
  /** A machine of bench/results/machines.json. */
  readonly save?: string;
}

/** Throws if a cell misses its promised rate by more than two standard errors. */
export async function coverage(
  { draws, full, seed, only, rows, save }: CoverageOptions,
  print: (line: string) => void,
): Promise<void> {
  const chosen = chosenJobs(partsOf(only), rows);
  const source = save === undefined ? null : sourceOf(save, commandText());
  if (source !== null) refuseHalfTables(chosen);
  const lines = await printedLines(
    allLines(chosen, { seed: Number(seed), sets: full ? 10_000 : wholeNumber(draws) }),
    print,
  );
  if (source !== null) for (const [name, tables] of tablesOf(lines)) saveTables(name, tables, source);
  const faults = lines.flatMap((line) => line.faults);
  for (const fault of faults) print(`misses its promised rate: ${fault}`);
  if (faults.length > 0) throw new Error(`${counted(faults.length, 'cell')} outside the promised rate`);
  print(
    `every interval contains the truth in at least ${100 * leastHeld} % of draws, no test has more than ` +
      `${100 * mostAlarms} % false alarms (less, or more, two standard errors)`,
  );
}

function partsOf(only: string): readonly string[] {
  const names = only.split(',');
  const unknown = names.find((name) => !(partNames as readonly string[]).includes(name));
  if (unknown === undefined) return names;
  throw new InputError(`no part "${unknown}"; known: ${partNames.join(', ')}`, { field: '--only' });
}

function chosenJobs(parts: readonly string[], rows: string): readonly number[] {
  const chosen = jobs.flatMap(({ part, name }, index) => (parts.includes(part) && name.includes(rows) ? [index] : []));
  if (chosen.length > 0) return chosen;
  throw new InputError(`no row has a name with "${rows}"`, { field: '--rows' });
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!(Number.isSafeInteger(value) && value >= 100))
    throw new InputError(`must be a whole number of at least 100, got "${text}"`, { field: '--draws' });
  return value;
}

/** Some tables have the lines of several jobs. */
function refuseHalfTables(chosen: readonly number[]): void {
  const half = ['rankings', 'log-rank', 'sign-flips', 'costs'].find((name) => {
    const all = jobs.flatMap(({ part }, index) => (part === name ? [index] : []));
    const own = all.filter((index) => chosen.includes(index));
    return own.length > 0 && own.length < all.length;
  });
  if (half === undefined) return;
  throw new InputError(`leaves out lines of tables of part "${half}"; with --save measure the whole part`, {
    field: '--rows',
  });
}

/** All lines, each printed as soon as those before it are. */
async function printedLines(
  found: readonly Promise<readonly Line[]>[],
  print: (line: string) => void,
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  let head = '';
  for (const own of found)
    for (const line of await own) {
      const titled = line.method === null ? [] : ['interval', 'method'];
      const next = rowText([...titled, ...columnsOf(line.title)]);
      if (next !== head) print(`\n${next}\n|${'---|'.repeat(titled.length + columnsOf(line.title).length)}`);
      head = next;
      print(rowText([...(line.method === null ? [] : [line.title, line.method]), ...line.cells]));
      lines.push(line);
    }
  return lines;
}

const rowText = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** By file of bench/results/tables/. */
function tablesOf(lines: readonly Line[]): ReadonlyMap<string, readonly NewTable[]> {
  const tables = [...Map.groupBy(lines, ({ title }) => title)].map(([title, own]): NewTable => {
    const [{ method, sets } = { method: null, sets: null }] = own;
    return {
      ...{ title, method: method ?? undefined, columns: columnsOf(title), rows: own.map(({ cells }) => cells) },
      size: sets === null ? undefined : `${sets.toLocaleString('en-US')} sets`,
    };
  });
  return Map.groupBy(tables, ({ title, method }) =>
    method === undefined ? `coverage-${title.replace(' ', '-')}` : 'coverage-intervals',
  );
}

interface Share {
  readonly seed: number;
  readonly sets: number;
}

/** Runs the jobs on one thread per core; returns their lines in the order of the jobs. */
function allLines(chosen: readonly number[], share: Share): Promise<readonly Line[]>[] {
  const waiting = chosen.map((index, place) => ({ index, place }));
  const answers = chosen.map(() => Promise.withResolvers<readonly Line[]>());
  for (let thread = 0; thread < Math.min(availableParallelism(), chosen.length); thread += 1) {
    const worker = new Worker(new URL('./coverage/worker.ts', import.meta.url), { workerData: share });
    let mine: { index: number; place: number } | undefined;
    const next = (): void => {
      mine = waiting.shift();
      if (mine === undefined) void worker.terminate();
      else worker.postMessage(mine.index);
    };
    worker.on('message', (lines: readonly Line[]) => {
      if (mine !== undefined) answers[mine.place]?.resolve(lines);
      next();
    });
    worker.on('error', (error) => {
      for (const answer of answers) answer.reject(error);
    });
    next();
  }
  // The error is reported where an earlier job is awaited.
  for (const { promise } of answers) promise.catch(() => {});
  return answers.map(({ promise }) => promise);
}
