/** How tasks are lost: survival and hazard, log-rank tests, kinds of failure, length drift, fixpoints. */
import type { LoopQuestions } from '../questions.ts';
import type { LoopSurvival } from '../../results/survival/loop-survival.ts';
import type { JudgedBreaks } from '../../results/survival/similarity.ts';
import { type Section, section } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';
import { sameStudy, studyName } from '../study-name.ts';
import { breaksTable } from './breaks.ts';
import { hazardTable, survivalTable } from './by-loop.ts';
import { fixpointsTable, lengthsTable } from './lengths.ts';
import { similarityFigure } from './similarity-figure.ts';
import { testsTable } from './tests.ts';

export function lossesSection({ survival, similarities }: LoopQuestions, context: ReportContext): Section {
  const studies = survival
    .filter(({ curves }) => curves.length > 0)
    .map((one) => studySection(one, similarities, context));
  return section('How tasks are lost', studies, { id: 'survival', name: 'How tasks are lost' });
}

function studySection(one: LoopSurvival, similarities: readonly JudgedBreaks[], context: ReportContext): Section {
  const judged = similarities.filter((other) => sameStudy(one, other));
  return section(studyName(one, context), [
    ...[survivalTable, hazardTable, testsTable, breaksTable].map((table) => table(one, context)),
    similarityFigure(judged, context),
    ...[lengthsTable, fixpointsTable].map((table) => table(one, context)),
  ]);
}
