/** Whether comparisons find a difference as often as `power` promises: simulated, with the test that decides them. */
import { InputError } from '../domain/errors.ts';
import { seedOf } from '../domain/random.ts';
import { foundIn, powerCells } from './power/cells.ts';

export interface PowerBenchOptions {
  readonly comparisons: string;
  readonly seed: string;
  readonly only: string;
}

/** How far the power found may be from the promised one. */
const tolerance = 0.02;

/**
 * Throws if a cell is further from what it promises than 2 points plus two Monte Carlo standard errors. With another
 * shape of the rates than `power` assumes, a difference may be found more often than promised, but not less often.
 */
export function powerBench({ comparisons, seed, only }: PowerBenchOptions, print: (line: string) => void): void {
  const count = Number(comparisons);
  if (!(Number.isSafeInteger(count) && count >= 100))
    throw new InputError(`must be a whole number of at least 100, got "${comparisons}"`, { field: '--comparisons' });
  const cells = powerCells().filter(({ name }) => name.includes(only));
  print(`${cells.length} cells, ${count} comparisons each`);
  print('spread     shape    points  tasks  repetitions  samples  promised  found');
  const faults: string[] = [];
  let furthest = 0;
  for (const cell of cells) {
    const { name, shape, truth, size, promised } = cell;
    const found = foundIn(cell, count, seedOf('power bench', seed, JSON.stringify(cell)));
    const line =
      `${name.padEnd(9)}  ${shape.padEnd(7)}  ${String(100 * truth.difference).padStart(6)}  ` +
      `${String(size.tasks).padStart(5)}  ${String(size.repetitions).padStart(11)}  ` +
      `${String(size.samples).padStart(7)}  ${percent(promised)}  ${percent(found)}`;
    print(line);
    if (shape === 'beta') furthest = Math.max(furthest, Math.abs(found - promised));
    const error = Math.sqrt((promised * (1 - promised)) / count);
    const missing = shape === 'beta' ? Math.abs(found - promised) : promised - found;
    if (missing > tolerance + 2 * error) faults.push(line);
  }
  print(`beta: furthest from what was promised: ${(100 * furthest).toFixed(1)} points`);
  for (const fault of faults) print(`misses its promised power: ${fault}`);
  if (faults.length > 0) throw new Error(`${faults.length} cells are more than 2 points from what they promise`);
  print('beta: every cell is within 2 points of what it promises, decided: at most 2 below; plus two standard errors');
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(8);
