/** How much work a run has, from its manifest. */
import type { Manifest } from '../../schemas/manifest.ts';
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { counted } from '../../domain/counted.ts';
import { readsKey } from '../../domain/spec/provider-facts.ts';
import { studyOf } from '../../studies/index.ts';
import type { CallRange, Extent } from './share-done.ts';

export const extentOf = (manifest: Manifest): Extent => ({
  references: referenceCount(manifest),
  ...mutatedTasks(manifest),
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

/** Number of suites of all tasks; null where the spec does not select suites, since a format's tasks may have any. */
function referenceCount({ benchmarks, spec }: Manifest): number | null {
  let sum = 0;
  for (const [name, { tasks }] of Object.entries(benchmarks)) {
    const suites = spec.benchmarks[name]?.suites;
    if (suites === undefined) return null;
    sum += tasks * suites.length;
  }
  return sum;
}

function mutatedTasks({ benchmarks, spec }: Manifest): Pick<Extent, 'mutated'> {
  if (!spec.models.some((model) => readsKey(model, 'profile'))) return {};
  const [one, ...others] = Object.values(benchmarks);
  return { mutated: one === undefined || others.length > 0 ? null : one.tasks };
}

/** What runs before any call: `8 of 9 references run, mutations of 3 of 4 tasks`. @param of between the numbers */
export function readyText({ references, mutated = 0 }: ReadyCounts, extent: Extent, of = ' of '): string {
  const text = referencesText(references, extent, of);
  if (extent.mutated === undefined) return text;
  const tasks =
    extent.mutated === null ? counted(mutated, 'task') : `${mutated}${of}${counted(extent.mutated, 'task')}`;
  return `${text}, mutations of ${tasks} tried`;
}
type ReadyCounts = Pick<Progress, 'references' | 'mutated'>;

/** `8 of 9 references run`, or `8 references run`. @param of between the numbers */
export const referencesText = (done: number, { references }: Pick<Extent, 'references'>, of = ' of '): string =>
  references === null ? `${counted(done, 'reference')} run` : `${done}${of}${references} references run`;
