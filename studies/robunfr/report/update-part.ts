/** A new version in a report: the verdicts of one study, and the changes over all studies of the update. */
import { note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { RegressionRow } from '../results/board.ts';
import type { UpdateSummary } from './data.ts';
import type { Group } from './groups.ts';
import { updateTradeOffs } from './trade-offs.ts';
import { updateTables } from './updates.ts';
import { comparisonsTable, updateName, verdictsTable } from './verdicts.ts';

const verdictsNote =
  'Below each verdict: the change in percent of the old value; for times, the ratio new / old. The table of all ' +
  'comparisons has the old and new AVG with 95 % intervals, p adjusted over all comparisons, and the smallest ' +
  'difference that could have been detected. One slow task can dominate a mean time, so the verdict on a time is ' +
  'about the geometric mean of new / old over the tasks, of programs that pass in both versions: one that fails at ' +
  'once is not fast. In a run of an earlier program, verdicts on “wall time” and “CPU time” count all programs. ' +
  'Welch’s p over the phrasings’ means is given as in the paper.';

/** @param rows of one pair in one study */
export function verdictsPart(rows: Group<RegressionRow>, context: ReportContext): Section {
  const [first] = rows;
  const where = `On ${first.benchmark}${context.severalRuns ? `, run ${first.run}` : ''}.`;
  return section(`Study ${first.study}: ${updateName(first)}`, [
    note(`${where} ${verdictsNote}`),
    verdictsTable(rows),
    updateTradeOffs(rows, context),
    comparisonsTable(rows),
  ]);
}

export const updatePart = (update: UpdateSummary, { severalRuns }: ReportContext): Section =>
  section(
    `${update.old} to ${update.now}${severalRuns ? `, run ${update.run}` : ''}`,
    update.ranges.length === 0 ? [] : updateTables(update),
  );
