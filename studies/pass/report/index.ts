/** Plain pass@k in a report. */
import { withMeanings } from '../../../analysis/report/meanings/glossary.ts';
import { passMeanings } from './meanings.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { note, paragraph, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext, StudyReport } from '../../../analysis/report/study-report.ts';
import { textOf } from '../../../domain/metrics/row-order.ts';
import { passTable, sizeText, terminalBoard } from './board.ts';
import { curveFigure } from './curves.ts';
import { collectPass, type PassStudyReport } from './data.ts';
import { sampleCounts, tasksSection } from './task-grids.ts';
import { agreementPart, flakyTable } from './repeats.ts';

const howToRead = [
  'pass@k is the probability that at least one of k samples of a task passes, pass^k that all k pass. Both are ' +
    'estimated without bias from the n samples of a task, of which c pass: 1 - C(n - c, k) / C(n, k) and ' +
    'C(c, k) / C(n, k), averaged over tasks (Chen et al. 2021). The main table takes the samples of all repetitions ' +
    'together. Intervals are Gaffke’s bounds over tasks: they assume only values between 0 and 1. n: counted tasks, ' +
    'of the smallest k; a larger k leaves out tasks with fewer samples that could be judged.',
  'A task is flaky if some of its samples passed and some failed. More samples find more flaky tasks, so compare ' +
    'this share only at equal numbers of samples.',
] as const;

export async function passReport(database: RunDatabase): Promise<StudyReport> {
  const pass = await collectPass(database);
  const counts = await sampleCounts(database);
  const studies = pass.studies.filter(({ repeats }) => repeats.length > 0);
  const models = [...new Set(studies.flatMap(({ repeats }) => repeats.map((row) => textOf(row, 'model'))))];
  return {
    page: { name: 'pass', title: 'pass@k' },
    document: () => Promise.resolve({ pass }),
    outcome: { pass },
    models,
    sections: (context) =>
      withMeanings(
        pass.studies.length === 0
          ? []
          : [
              section(
                undefined,
                [
                  ...pass.studies.map((study) => studyPart(study, context)),
                  tasksSection(counts, models, context),
                  section('How to read pass@k', howToRead.map(paragraph), { folded: true }),
                ],
                { id: 'pass' },
              ),
            ],
        passMeanings,
      ),
    boards: (context) => studies.map((study) => terminalBoard(study, context)),
  };
}

function studyPart(study: PassStudyReport, context: ReportContext): Section {
  const where = context.severalRuns ? `${study.benchmark}, run ${study.run}` : study.benchmark;
  const title = `Study ${study.study}: pass@k`;
  if (study.repeats.length === 0) return section(title, [note(`${where}: nothing is finished yet.`)]);
  return section(title, [
    note(`Plain pass@k on ${where}: ${sizeText(study)}. Below each value: its 95 % interval.`),
    passTable(study, context),
    curveFigure(study, context),
    agreementPart(study, context),
    flakyTable(study, context),
  ]);
}
