import type { Part, Section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';

interface OfStudy {
  readonly run: string;
  readonly study: string;
}

/** A study's name in titles, with its run if the report has several. */
export const studyName = ({ run, study }: OfStudy, { severalRuns }: ReportContext): string =>
  severalRuns ? `Study ${study}, run ${run}` : `Study ${study}`;

/** The sections, without the study's name in each of them if there is only one study: its board has it as heading. */
export function namedOnce(
  sections: readonly Section[],
  studies: readonly OfStudy[],
  context: ReportContext,
): Section[] {
  const [only, ...others] = studiesOf(studies);
  if (only === undefined || others.length > 0) return [...sections];
  const name = studyName(only, context);
  const unnamed = (part: Part): Part => {
    if (part.kind !== 'section' || part.title !== name) return part;
    const { title: _, ...rest } = part;
    return rest;
  };
  return sections.map((one) => (one.title === undefined ? one : { ...one, parts: one.parts.map(unnamed) }));
}

/** Whether two results belong to the same study. */
export const sameStudy = (one: OfStudy, other: OfStudy): boolean => one.run === other.run && one.study === other.study;

/** The distinct studies of some results, in order of appearance. */
export function studiesOf(all: readonly OfStudy[]): OfStudy[] {
  const byName = new Map(all.map(({ run, study }) => [JSON.stringify([run, study]), { run, study }]));
  return [...byName.values()];
}
