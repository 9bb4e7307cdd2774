/** How much work a run has, from its manifest. */
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { studyOf } from '../../studies/index.ts';
import type { CallRange, Extent } from './share-done.ts';

export const extentOf = (manifest: Manifest): Extent => ({
  references: referenceCount(manifest),
  callsPerCell: Object.fromEntries(manifest.spec.studies.map((study) => [study.name, callRangeOf(study)])),
});

/** Without the calls that are made before any cell. */
function callRangeOf(study: SpecStudy): CallRange {
  const counts = studyOf(study)
    .calls(study)
    .filter(({ phase }) => phase === undefined)
    .map(({ calls }) => calls);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return { least: sum(counts.map(({ minimum }) => minimum)), most: sum(counts.map(({ maximum }) => maximum)) };
}

/** Number of suites of all tasks, two for each task where the spec does not select suites. */
const referenceCount = ({ benchmarks, spec }: Manifest): number =>
  Object.entries(benchmarks).reduce(
    (sum, [name, { tasks }]) => sum + tasks * (spec.benchmarks[name]?.suites?.length ?? 2),
    0,
  );
