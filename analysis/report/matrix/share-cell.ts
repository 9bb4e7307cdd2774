/** Grid cells of answers that pass or fail. */
import type { GridCell } from '../part.ts';

/** Answers behind a cell. */
export interface Answers {
  readonly passed: number;
  /** Those that count, passed ones among them. */
  readonly counted: number;
  /** Those that could not be judged. */
  readonly excluded: number;
}

export const unfinishedCell: GridCell = { text: '·', value: null, meaning: 'not finished yet' };
export const excludedCell: GridCell = { text: '×', value: null, meaning: 'excluded, since it could not be judged' };

/** What such a cell shows: the share of answers that pass, in %. */
export const shareScale = { most: 100, unit: ' %', passes: 50, passing: 'at least half of its answers pass' } as const;

const known = new Map<string, GridCell>();

/** The same object for the same counts. */
export function shareCell({ passed, counted, excluded }: Answers): GridCell {
  if (counted === 0) return excluded === 0 ? unfinishedCell : excludedCell;
  const name = `${passed} ${counted}`;
  const cell = known.get(name) ?? newCell(passed, counted);
  known.set(name, cell);
  return cell;
}

function newCell(passed: number, counted: number): GridCell {
  const meaning = counted === 1 ? (passed === 1 ? 'passes' : 'fails') : `${passed} of ${counted} answers pass`;
  return { text: passed === counted ? '✓' : shareDigits(passed, counted), value: (100 * passed) / counted, meaning };
}

/** Never "0" or "100" for a share between them. */
const shareDigits = (passed: number, counted: number): string =>
  passed === 0 ? '0' : String(Math.min(99, Math.max(1, Math.round((100 * passed) / counted))));
