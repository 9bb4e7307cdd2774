/** How many first answers each study of open runs has. */
import type { StudyAnswers } from '../../analysis/card/study-answers.ts';
import type { RunDatabase } from '../../analysis/database.ts';
import { records } from '../../analysis/records.ts';
import { quoteText } from '../../analysis/views.ts';
import { numberOf } from '../../domain/metrics/row-order.ts';
import { resultsOfKind } from '../results.ts';

/** In the order of the specs. */
export async function answersOfStudies(database: RunDatabase): Promise<StudyAnswers[]> {
  const all = database.manifests.flatMap(({ spec }) => spec.studies);
  const studies = new Map(all.toReversed().map(({ name, kind }) => [name, kind] as const));
  const found: StudyAnswers[] = [];
  for (const [study, kind] of [...studies].toReversed()) {
    const [passes] = resultsOfKind(kind).card.flatMap((source) => source.passes ?? []);
    if (passes === undefined) continue;
    const [row] = studies.size > 1 ? await records(database, countSql(study, passes.where)) : [];
    found.push({ study, prompts: passes.prompts, perModel: row === undefined ? 0 : numberOf(row, 'per_model') });
  }
  return found;
}

/** An answer has one verdict of each suite. */
const countSql = (study: string, where: string): string => `
  SELECT coalesce(avg(answers), 0)::DOUBLE AS per_model FROM (
    SELECT max(answers) AS answers FROM (
      SELECT run, model, suite, count(*) AS answers FROM verdicts
      WHERE study = ${quoteText(study)} AND ${where} GROUP BY ALL)
    GROUP BY run, model)`;
