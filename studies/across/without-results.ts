/**
 * Sides of a gate without any finished answer, or whose tasks another run cannot be compared on yet: rules find nothing
 * there, and a note says why and what to do.
 */
import type { RunDatabase } from '../../analysis/database.ts';
import type { Side } from '../../analysis/gate/compared.ts';
import { nameList } from '../../domain/name-list.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { withAnswers } from '../compared-models.ts';
import type { GateSides } from './gate-notes.ts';

export interface WithoutResults {
  readonly notes: readonly string[];
  /** Comparisons that wait for results of a side. */
  readonly waiting: readonly GateSides[];
}

export async function withoutResults(
  database: RunDatabase,
  comparisons: readonly GateSides[],
): Promise<WithoutResults> {
  const sides = comparisons.flatMap(({ old, now }) => [old, now]);
  const answered = new Set(await withAnswers(database, sides));
  const lacking = sides.filter((side) => !answered.has(side));
  const unlisted = comparisons.flatMap(({ old, now }) => withoutTasks([old.manifest, now.manifest]));
  const byRun = [...Map.groupBy(lacking, ({ manifest }) => manifest)];
  return {
    notes: [
      ...byRun.flatMap(([run, own]) => (hasFinishedPage(run) ? sidesTexts(run, own) : [runText(run)])),
      ...unlistedNotes(unlisted, 'the gate'),
    ],
    waiting: comparisons.filter(
      ({ old, now }) =>
        !answered.has(old) || !answered.has(now) || withoutTasks([old.manifest, now.manifest]).length > 0,
    ),
  };
}

const runText = (run: Manifest): string =>
  `run ${run.runId} has no finished results yet, so nothing of it can be compared: ${remedy(run)}`;

const sidesTexts = (run: Manifest, sides: readonly Side[]): string[] =>
  [...Map.groupBy(sides, ({ study }) => study.name)].map(([study, own]) => {
    const models = [...new Set(own.map(({ model }) => model))];
    return (
      `study ${study}: ${nameList(models)} ${models.length === 1 ? 'has' : 'have'} no finished answer in run ` +
      `${run.runId} yet, so nothing of ${models.length === 1 ? 'it' : 'them'} can be compared: ${remedy(run)}`
    );
  });

/** Of several runs that are compared; within one run the tasks are the same anyway. */
export function withoutTasks(manifests: readonly Manifest[]): Manifest[] {
  const runs = [...new Set(manifests)];
  return runs.length < 2 ? [] : runs.filter((run) => hasFinishedPage(run) && !hasTasks(run));
}

const hasTasks = ({ state, parts }: Manifest): boolean =>
  state === 'complete' || parts.some(({ table }) => table === 'tasks');

/** Parts of the run itself belong to no page. */
const hasFinishedPage = ({ parts }: Manifest): boolean => parts.some(({ page }) => page.includes('/'));

/** @param verb the command that is used again, for example "the gate" */
export const unlistedNotes = (runs: readonly Manifest[], verb: string): string[] =>
  [...new Set(runs)].map(
    (run) =>
      `run ${run.runId} has not ended yet, and the tables of its tasks and suites are written at its end: until then ` +
      `it is not known which tasks another run shares with it: ${whenComplete(run, verb)}`,
  );

const whenComplete = ({ runId }: Manifest, verb: string): string =>
  `use ${verb} again when the run is complete (\`status ${runId}\` says how far it is, and \`resume ${runId}\` ` +
  'continues it if it stopped)';

const remedy = (run: Manifest): string => whenComplete(run, 'the gate');
