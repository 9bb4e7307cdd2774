/** How often every kind of interval holds the truth, and how often tests raise false alarms: simulated, through the code that makes the tables. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { InputError } from '../domain/errors.ts';
import { abilities, jobs, leastHeld, type Line, mostAlarms, type PartName, partNames } from './coverage/jobs.ts';

export interface CoverageOptions {
  readonly draws: string;
  readonly full: boolean;
  readonly seed: string;
  readonly only: string;
}

/** Throws where a cell is below, or above, by more than two standard errors of so many draws. */
export async function coverage({ draws, full, seed, only }: CoverageOptions, print: (line: string) => void): Promise<void> {
  const parts = partsOf(only);
  const chosen = jobs.flatMap(({ part }, index) => (parts.includes(part) ? [index] : []));
  const found = allLines(chosen, { seed: Number(seed), sets: full ? 10_000 : wholeNumber(draws) });
  const faults: string[] = [];
  let head = '';
  for (const [place, index] of chosen.entries()) {
    const own = headOf(jobs[index]?.part as PartName);
    if (own !== head) print(own);
    head = own;
    for (const line of (await found[place]) as readonly Line[]) {
      print(line.text);
      faults.push(...line.faults);
    }
  }
  for (const fault of faults) print(`breaks its promise: ${fault}`);
  if (faults.length > 0) throw new Error(`${faults.length} cells break their promise`);
  print(
    `every interval holds the truth in at least ${100 * leastHeld} % of draws, no test has more than ${100 * mostAlarms} % false alarms (less, or more, two standard errors)`,
  );
}

function partsOf(only: string): readonly string[] {
  const names = only.split(',');
  const unknown = names.find((name) => !(partNames as readonly string[]).includes(name));
  if (unknown === undefined) return names;
  throw new InputError(`has no part ${unknown}; parts are ${partNames.join(', ')}`, { field: '--only' });
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!(Number.isSafeInteger(value) && value >= 100))
    throw new InputError(`needs a whole number from 100, got "${text}"`, { field: '--draws' });
  return value;
}

const rule = (columns: number): string => `|${'---|'.repeat(columns)}`;
const intervals = ['interval', 'method', 'n', ...abilities.map((p) => `p = ${p}`)];

function headOf(part: PartName): string {
  if (part === 'log-rank')
    return `\n| log-rank: tasks | repetitions | shared difficulty | false alarms, paired | unpaired | power, paired | unpaired |\n${rule(7)}`;
  if (part === 'sign-flips') return `\n| sign flips: values | n | false alarms | Student's t | power | Student's t |\n${rule(6)}`;
  return `| ${intervals.join(' | ')} |\n${rule(intervals.length)}`;
}

interface Share {
  readonly seed: number;
  readonly sets: number;
}

/** One thread for each core; the lines of each job in its place. */
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
  // Whoever waits for an earlier one hears of the error there.
  for (const { promise } of answers) promise.catch(() => {});
  return answers.map(({ promise }) => promise);
}
