import type { ReportContext } from '../../../analysis/report/study-report.ts';

interface OfStudy {
  readonly run: string;
  readonly study: string;
}

/** A study's name in titles, with its run if the report has several. */
export const studyName = ({ run, study }: OfStudy, { severalRuns }: ReportContext): string =>
  severalRuns ? `Study ${study}, run ${run}` : `Study ${study}`;

/** Whether two results belong to the same study. */
export const sameStudy = (one: OfStudy, other: OfStudy): boolean => one.run === other.run && one.study === other.study;

/** The distinct studies of some results, in order of appearance. */
export function studiesOf(all: readonly OfStudy[]): OfStudy[] {
  const byName = new Map(all.map(({ run, study }) => [JSON.stringify([run, study]), { run, study }]));
  return [...byName.values()];
}
