/** Sides of a gate without any finished answer: rules find nothing there, and a note says why and what to do. */
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
  const byRun = [...Map.groupBy(lacking, ({ manifest }) => manifest)];
  return {
    notes: byRun.flatMap(([run, own]) => (hasFinishedPage(run) ? sidesTexts(run, own) : [runText(run)])),
    waiting: comparisons.filter(({ old, now }) => !answered.has(old) || !answered.has(now)),
  };
}

/** Parts of the run itself, such as its tasks, are there from the start. */
const hasFinishedPage = ({ parts }: Manifest): boolean => parts.some(({ page }) => page.includes('/'));

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

const remedy = ({ runId }: Manifest): string =>
  `use the gate again when the run is complete (\`status ${runId}\` says how far it is, and \`resume ${runId}\` ` +
  'continues it if it stopped)';
