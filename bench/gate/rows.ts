/** The rows of the tables in docs/ci.md. */
import type { KindCell } from './kinds.ts';
import type { OutcomeCounts } from './paired-binaries.ts';

export const pairedColumns = [
  'tasks',
  'margin',
  'passes: nothing lost',
  'wrong passes: margin + 1',
  'wrong passes: margin + 5',
  'fails: margin + 5',
] as const;

/** @param found by discordance: the counts with nothing lost, with margin + 1 and with margin + 5 */
export function pairedRow(
  n: number,
  margin: number,
  found: readonly (readonly OutcomeCounts[])[],
  gates: number,
): string[] {
  const shares = (loss: number, outcome: keyof OutcomeCounts): string =>
    found.map((counts) => percent(counts[loss]?.[outcome] ?? 0, gates)).join(', ');
  return [String(n), String(margin), ...[0, 1, 2].map((loss) => shares(loss, 'passed')), shares(2, 'failed')];
}

/** Counts of gates in one simulated cell. */
export interface MeasuredCell {
  readonly cell: KindCell;
  readonly found: OutcomeCounts;
}

const sizes = [20, 60, 164];

export const kindColumns = [
  'other metric and margin',
  'true loss',
  `passes of ${sizes.join(', ')} tasks: nothing lost`,
  'wrong passes',
] as const;

/** The row of one metric and margin. */
export function kindRow(cells: readonly MeasuredCell[], gates: number): string[] {
  const passes = (isWorse: boolean): string =>
    cells
      .filter(({ cell }) => cell.worse === isWorse && sizes.includes(cell.n))
      .map(({ found }) => percent(found.passed, gates))
      .join(', ');
  const worse = cells.find(({ cell }) => cell.worse)?.cell;
  return [worse?.kind ?? '', String(worse?.loss ?? ''), passes(false), passes(true)];
}

/** With three digits at most. */
function percent(count: number, all: number): string {
  const share = (100 * count) / all;
  return share.toFixed(share < 10 ? 1 : 0);
}
