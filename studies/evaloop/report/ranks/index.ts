/** Rankings: ASL against pass@1, groups of models, other settings, sampled runs, external rankings. */
import type { LoopQuestions } from '../questions.ts';
import { type Section, section } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';
import { sameStudy, studiesOf, studyName } from '../study-name.ts';
import { changesTable } from './changes.ts';
import { externalTable } from './external.ts';
import { groupsTable } from './groups.ts';
import { pairsTable, placesTable } from './places.ts';
import { sampledSection } from './sampled.ts';
import { settingsTable } from './settings.ts';

export function ranksSection(questions: LoopQuestions, context: ReportContext): Section {
  const { ranks, reliability, external, sampled } = questions;
  const studies = studiesOf([...ranks, ...reliability, ...external]).map((one) =>
    studySection(one, questions, context),
  );
  return section('Rankings by ASL', [...studies, sampledSection(sampled, context)], {
    id: 'ranks',
    name: 'Rankings',
  });
}

function studySection(one: { run: string; study: string }, questions: LoopQuestions, context: ReportContext): Section {
  const { ranks, reliability, external } = questions;
  const tables = ranks
    .filter((other) => sameStudy(one, other))
    .flatMap((found) => [
      ...(found.models.length < 2 ? [] : [changesTable(found)]),
      placesTable(found, context),
      pairsTable(found, context),
      groupsTable(found),
    ]);
  const settings = reliability.filter((other) => sameStudy(one, other)).map((found) => settingsTable(found, context));
  const others = external.filter((other) => sameStudy(one, other)).map((found) => externalTable(found, context));
  return section(studyName(one, context), [...tables, ...settings, ...others]);
}
