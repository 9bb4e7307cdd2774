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
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Outcome } from '../../../schemas/states.ts';
import type { Row } from '../../../schemas/tables.ts';
import { isFailure } from './known-steps.ts';
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
  const rows = await Promise.all(sides.map((side) => chainsOf(database, side)));
  const { scoring } = sides[0].study.settings;
  return {
    values: rows.map((own) => openValues(own, scoring)),
    steps: Math.max(1, ...rows.flatMap((own) => own.map((row) => numberOf(row, 'steps')))),
  };
}

const chainsOf = (database: RunDatabase, side: Side): Promise<Row[]> =>
  records(
    database,
    `from ${sideRows(database, 'chains', side)} where ended_by <> 'start_failed' order by task_id, setting, repetition`,
  );

/** @param rows of `chains` */
export function openValues(rows: readonly Row[], scoring: ChainScoring): OpenValues {
  // With `squares` nothing counts after a failure.
  const isUnjudged = (row: Row): boolean =>
    row['ended_by'] === 'excluded' && !(scoring === 'squares' && hasFailed(row));
  return {
    values: chainValues(
      rows.filter((row) => !isUnjudged(row)),
      scoring,
    ),
    least: chainValues(rows, scoring),
    most: chainValues(
      rows.map((row) => (isUnjudged(row) ? atBest(row) : row)),
      scoring,
    ),
    unjudged: rows.filter(isUnjudged).length,
  };
}

/** Whether the first step that did not pass was judged. */
const hasFailed = (row: Row): boolean => isFailure(row['ended_outcome'] as Outcome | null);

/** A row does not say how many steps could not be judged: all that may have passed. */
function atBest(row: Row): Row {
  const steps = numberOf(row, 'steps');
  return hasFailed(row) ? { ...row, passed_steps: steps - 1 } : { ...row, sustained_steps: steps, passed_steps: steps };
}

function chainValues(rows: readonly Row[], scoring: ChainScoring): ValueByTask {
  const value = (row: Row): number => {
    const cell = {
      taskId: textOf(row, 'task_id'),
      sustainedSteps: numberOf(row, 'sustained_steps'),
      passedSteps: numberOf(row, 'passed_steps'),
    };
    return chainPoints(cell, numberOf(row, 'steps'), scoring);
  };
  const byTask = Map.groupBy(rows, (row) => textOf(row, 'task_id'));
  return new Map([...byTask].map(([task, own]) => [task, mean(own.map(value)) as number]));
}
