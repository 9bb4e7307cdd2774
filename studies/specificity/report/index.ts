/** PartialOrderEval in a report. */
import { withMeanings } from '../../../analysis/report/meanings/glossary.ts';
import { detailMeanings } from './meanings.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { besidePaper } from '../../../analysis/report/beside-paper.ts';
import { section } from '../../../analysis/report/part.ts';
import type { StudyReport } from '../../../analysis/report/study-report.ts';
import { boardTables } from './boards.ts';
import { collectSpecificity } from './data.ts';
import { modelsOf } from './levels.ts';
import { curvesMethod } from './method.ts';
import { publishedPart } from './published.ts';
import { detailCounts, tasksSection } from './task-grids.ts';
import { studyPart } from './study-part.ts';

export async function specificityReport(database: RunDatabase): Promise<StudyReport> {
  const specificity = await collectSpecificity(database);
  const { studies } = specificity;
  const counts = await detailCounts(database);
  const models = studies.flatMap(modelsOf);
  return {
    page: { name: 'detail', title: 'Detail', over: 'PartialOrderEval' },
    document: () => Promise.resolve({ specificity }),
    outcome: { specificity },
    models,
    sections: (context) =>
      withMeanings(
        studies.length === 0
          ? []
          : [
              section(
                undefined,
                [
                  ...studies.map((study) => studyPart(study, context)),
                  tasksSection(counts, models, context),
                  besidePaper([publishedPart(studies)]),
                  curvesMethod,
                ],
                { id: 'detail' },
              ),
            ],
        detailMeanings,
      ),
    boards: (context) => studies.flatMap((study) => boardTables(study, context)),
  };
}
