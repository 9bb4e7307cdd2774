/** The programs of a page that its study wants measured: one for each cell whose last answer holds code. */
import type { Suite } from '../schemas/task.ts';
import type { At } from '../studies/study.ts';
import { openCell, type PageCell } from './cell-states.ts';
import { executionKey, programSha256 } from './execution-key.ts';
import type { RunPage } from './runs.ts';

export interface PageProgram {
  readonly cell: PageCell;
  /** Where the answer stands that holds it. */
  readonly at: At;
  readonly source: string;
  readonly sha256: string;
}

/** @param cells the page's, where they are at hand; else each is looked up */
export function pagePrograms(page: RunPage, cells?: readonly PageCell[]): PageProgram[] {
  const { kind, study } = page;
  if (kind.measuredAt === undefined) return [];
  return page.cells.flatMap((planned, index) => {
    const cell = cells?.[index] ?? openCell(page, index);
    const at = kind.measuredAt?.(study, planned);
    const answer = at && cell.answer(at);
    const source = (at && answer && kind.extract(study, cell, at, answer)?.code) ?? null;
    return at === undefined || source === null ? [] : [{ cell, at, source, sha256: programSha256(source) }];
  });
}

/** The suite that programs are timed on: the benchmark's own, which comes first, unless the study says another. */
export function timedSuite({ kind, study }: RunPage, { cell: { task } }: PageProgram): Suite | undefined {
  const wanted = kind.timedSuite?.(study);
  return wanted === undefined ? task.suites[0] : task.suites.find(({ name }) => name === wanted);
}

/** Names of the facts that hold what was measured of a program, and its time on a suite. */
export const qualityFact = ({ sha256 }: PageProgram): string => `quality/${sha256}`;
export const timingFact = (page: RunPage, { cell, source }: PageProgram, suite: Suite): string =>
  `timing/${executionKey(page.run.sandbox, cell.task, suite, source)}`;
