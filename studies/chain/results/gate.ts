/** Translation chains in comparisons: each task's contribution to the score. */
import {
  comparedTasks,
  type GateSource,
  isSame,
  type OpenValues,
  openTasks,
  plainSubject,
  sharedTasks,
  type Side,
  sideRows,
  type Sides,
  type ValueByTask,
} from '../../../analysis/gate/compared.ts';
import { type NeededSettings, settingTexts } from '../../../analysis/gate/needed-settings.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { keyOf, numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import { type Row, tables } from '../../../schemas/tables.ts';
import { type Ends, isKnown, knownChain } from './known-steps.ts';
import { chainPoints, type ChainScoring } from './score.ts';

export type ChainStudy = Extract<SpecStudy, { kind: 'evaloop-translation' }>;

/** The score depends on each setting. */
export const chainNeeds: NeededSettings<ChainStudy> = {
  metrics: ['chain_score'],
  settingsOf: ({ settings }) => settingTexts(settings),
};

/** Chains with different settings, such as languages or scoring, are not compared. */
export const chainSource: GateSource<ChainStudy> = async (database, { sides, changed }) => {
  const [{ study }] = sides;
  if (!isSame(sides, ({ settings }) => settings)) return [];
  const { values, steps } = await chainScores(database, sides);
  const tasks = sharedTasks(
    values.map((side) => side.values),
    changed,
  );
  const subject = plainSubject('chain_score', study.benchmark);
  const range = { kind: 'bounded', lo: 0, hi: steps } as const;
  const open = openTasks(values, changed);
  return [
    open === null
      ? comparedTasks(subject, tasks, range)
      : comparedTasks(subject, { ...tasks, open: open.open }, range, open.inGate),
  ];
};

/**
 * Each task's contribution to the score on every side, and the most steps of a chain. What could not be judged breaks a
 * chain where it stands at worst, and at best all of its steps pass but those that failed.
 */
export async function chainScores(
  database: RunDatabase,
  sides: Sides<ChainStudy>['sides'],
): Promise<{ readonly values: readonly OpenValues[]; readonly steps: number }> {
  const found = await Promise.all(sides.map((side) => chainsOf(database, side)));
  const { scoring } = sides[0].study.settings;
  return {
    values: found.map(({ chains, translations }) => openValues(chains, translations, scoring)),
    steps: Math.max(1, ...found.flatMap(({ chains }) => chains.map((row) => numberOf(row, 'steps')))),
  };
}

async function chainsOf(
  database: RunDatabase,
  side: Side,
): Promise<{ readonly chains: readonly Row[]; readonly translations: readonly Row[] }> {
  const started = `from ${sideRows(database, 'chains', side)} where ended_by <> 'start_failed'`;
  const chains = await records(database, `${started} order by task_id, setting, repetition`);
  if (chains.every((row) => row['ended_by'] !== 'excluded')) return { chains, translations: [] };
  const cell = 'task_id, language, variant, setting, repetition';
  const translations = await records(
    database,
    `from ${sideRows(database, 'translations', side)} as one semi join
       (${started} and ended_by = 'excluded') as open using (${cell}) order by ${cell}, loop`,
  );
  return { chains, translations };
}

/** @param chains that started @param translations of those with a step that could not be judged */
export function openValues(chains: readonly Row[], translations: readonly Row[], scoring: ChainScoring): OpenValues {
  const steps = Map.groupBy(translations, (row) => keyOf(row, tables.chains.key));
  const points = chains.map((row): ChainEnds => {
    const { least, most } = knownChain(row, steps.get(keyOf(row, tables.chains.key)) ?? []);
    const pointsOf = (chain: typeof least): number => chainPoints(chain, numberOf(row, 'steps'), scoring);
    return { taskId: textOf(row, 'task_id'), ends: [pointsOf(least), pointsOf(most)] };
  });
  const [least, most] = [meanByTask(points, ([low]) => low), meanByTask(points, ([, high]) => high)];
  const known = meanByTask(
    points.filter(({ ends }) => isKnown(ends)),
    ([low]) => low,
  );
  // With a chain that is known and one that is not: no value that both cannot have.
  const within = (task: string, value: number): number =>
    Math.min(most.get(task) ?? value, Math.max(least.get(task) ?? value, value));
  return {
    values: new Map([...known].map(([task, value]) => [task, within(task, value)])),
    ...{ least, most },
    unjudged: points.filter(({ ends }) => !isKnown(ends)).length,
  };
}

interface ChainEnds {
  readonly taskId: string;
  /** Of its contribution to the score. */
  readonly ends: Ends;
}

function meanByTask(points: readonly ChainEnds[], of: (ends: Ends) => number): ValueByTask {
  const byTask = Map.groupBy(points, ({ taskId }) => taskId);
  return new Map([...byTask].map(([task, own]) => [task, mean(own.map(({ ends }) => of(ends))) as number]));
}
