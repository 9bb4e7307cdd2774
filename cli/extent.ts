/** What a run comes to at most, known from its manifest and the cells of its lanes. */
import type { Progress } from '../activities/storage/ledger.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import { studyOf } from '../studies/index.ts';
import type { Extent } from './progress-line.ts';

export const extentOf = (manifest: Manifest, { lanes }: Pick<Progress, 'lanes'>): Extent => ({
  references: referenceCount(manifest),
  calls: callsAtMost(manifest, lanes),
});

/** Every cell's longest course, over all studies and models. */
const callsAtMost = ({ spec }: Manifest, lanes: Progress['lanes']): number =>
  lanes.reduce((sum, { study: name, cells }) => {
    const study = spec.studies.find((one) => one.name === name);
    return sum + (study === undefined ? 0 : cells * longestCourse(study));
  }, 0);

/** Calls of one cell at most, those before any cell left out. */
const longestCourse = (study: SpecStudy): number =>
  studyOf(study)
    .calls(study)
    .reduce((sum, { phase, calls }) => sum + (phase === undefined ? calls.maximum : 0), 0);

/** Suites of all tasks; formats whose suites are not narrowed in the spec have two. */
const referenceCount = ({ benchmarks, spec }: Manifest): number =>
  Object.entries(benchmarks).reduce((sum, [name, { tasks }]) => sum + tasks * (spec.benchmarks[name]?.suites?.length ?? 2), 0);
