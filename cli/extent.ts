/** What a run comes to, known from its manifest. */
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import { studyOf } from '../studies/index.ts';
import type { Course, Extent } from './share-done.ts';

export const extentOf = (manifest: Manifest): Extent => ({
  references: referenceCount(manifest),
  courses: Object.fromEntries(manifest.spec.studies.map((study) => [study.name, courseOf(study)])),
});

/** Calls before any cell are left out. */
function courseOf(study: SpecStudy): Course {
  const counts = studyOf(study)
    .calls(study)
    .filter(({ phase }) => phase === undefined)
    .map(({ calls }) => calls);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return { least: sum(counts.map(({ minimum }) => minimum)), most: sum(counts.map(({ maximum }) => maximum)) };
}

/** Suites of all tasks; formats whose suites are not narrowed in the spec have two. */
const referenceCount = ({ benchmarks, spec }: Manifest): number =>
  Object.entries(benchmarks).reduce((sum, [name, { tasks }]) => sum + tasks * (spec.benchmarks[name]?.suites?.length ?? 2), 0);
