/** One PartialOrderEval study in a report. */
import { countText, shareText } from '../../../analysis/report/format.ts';
import { note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { Row } from '../../../schemas/tables.ts';
import { endsNote, endsTable, sufficientNote, sufficientTable } from './boards.ts';
import { curveFigure, levelsTable, wordsFigure } from './curves.ts';
import type { SpecificityStudyReport } from './data.ts';
import { driversPart } from './drivers.ts';
import { monotonicityPart } from './monotonicity.ts';
import { positionsPart } from './positions.ts';
import { promptsPart } from './prompts.ts';
import { sizesPart } from './sizes.ts';
import { themePassingPart } from './theme-passing.ts';
import { themesPart } from './themes.ts';

export function studyPart(study: SpecificityStudyReport, context: ReportContext): Section {
  const title = `Study ${study.study}: prompt detail`;
  const where = context.severalRuns ? `${study.benchmark}, run ${study.run}` : study.benchmark;
  const [first] = study.curve;
  if (first === undefined) return section(title, [note(`${where}: nothing is finished yet.`)]);
  return section(title, [
    note(`PartialOrderEval on ${where}${methodOf(first)}.`),
    note(checkText(study)),
    endsTable(study, context),
    note(endsNote),
    section('Least sufficient detail', [note(sufficientNote(study)), sufficientTable(study, context)]),
    curveFigure(study, context),
    wordsFigure(study, context),
    levelsTable(study, context),
    driversPart(study, context),
    monotonicityPart(study, context),
    positionsPart(study, context),
    sizesPart(study, context),
    themesPart(study),
    themePassingPart(study, context),
    promptsPart(study),
  ]);
}

/** Empty for runs of older programs, which did not store it. */
const methodOf = ({ interval_method: method }: Row): string => (typeof method === 'string' ? `; ${method}` : '');

function checkText({ check }: SpecificityStudyReport): string {
  if (check === null) return 'No model checked the maximal prompts.';
  const { checker, solved, tasks, threshold } = check;
  const share = tasks === 0 ? 0 : solved / tasks;
  const verdict = share >= threshold ? 'accepted' : 'not accepted';
  return (
    `${checker} solves ${countText(solved)} of ${countText(tasks)} tasks from their maximal prompts ` +
    `(${shareText(share)}; threshold ${shareText(threshold)}): the benchmark is ${verdict}.`
  );
}
