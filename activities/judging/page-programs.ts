/** The programs of a page to measure: one for each cell whose last answer has code. */
import type { Suite } from '../../schemas/task.ts';
import type { At } from '../../studies/cell-state.ts';
import type { PageCell } from '../pages/cell-states.ts';
import { executionKey, programSha256 } from './execution-key.ts';
import type { RunPage } from '../runs/opened/run.ts';

export interface PageProgram {
  readonly cell: PageCell;
  /** Place of the answer that has the program. */
  readonly at: At;
  readonly source: string;
  readonly sha256: string;
}

export function pagePrograms(page: RunPage, cells: readonly PageCell[]): PageProgram[] {
  const { kind, study } = page;
  if (kind.measuredAt === undefined) return [];
  return cells.flatMap((cell) => {
    const at = kind.measuredAt?.(study, cell.cell);
    const source = (at && cell.extracted(at)?.code) ?? null;
    return at === undefined || source === null ? [] : [{ cell, at, source, sha256: programSha256(source) }];
  });
}

/** The suite used for timing: the benchmark's first suite, unless the study names another. */
export function timedSuite({ kind, study }: RunPage, { cell: { task } }: PageProgram): Suite | undefined {
  const wanted = kind.timedSuite?.(study);
  return wanted === undefined ? task.suites[0] : task.suites.find(({ name }) => name === wanted);
}

/** Names of the ledger facts for a program's quality, and for its time on a suite. */
export const qualityFact = ({ sha256 }: PageProgram): string => `quality/${sha256}`;
export const timingFact = (page: RunPage, { cell, source }: PageProgram, suite: Suite): string =>
  `timing/${executionKey(page.run.sandbox, cell.task, suite, source)}`;
