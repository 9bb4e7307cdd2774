/** PartialOrderEval in comparisons: pass at each level of detail, and the least sufficient level of each curve. */
import { byDimension, functionOnly, type GateConditions } from '../../../analysis/gate/conditions.ts';
import { changedPrompts, type ChangedPrompts } from '../../../analysis/gate/changed-prompts.ts';
import { haveSameSettings } from '../../../analysis/gate/needed-settings.ts';
import { positions } from '../poset.ts';
import { drawNumbers, isDrawn } from './answer-numbers.ts';
import { alignedShares, sharedPromptMeans } from './by-prompt.ts';
import { commonTasks, knownCurve, leastDetail, openCurves, sufficientDetail, whyNoDetail } from './more-detail.ts';
import type { BoundedValue, WholeValue } from '../../../domain/compare/whole-metrics.ts';
import { curveNames, curveOf, type Level, levelName, type LevelScores, levelScores, originalsOf } from './scores.ts';
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import {
  comparedTasks,
  type Compared,
  type GateSource,
  openTasks,
  plainSubject,
  type SharedTasks,
  sharedTasks,
  type Side,
  type Sides,
  sideRows,
  type ValueByTask,
} from '../../../analysis/gate/compared.ts';

type SpecificityStudy = Extract<SpecStudy, { kind: 'specificity' }>;

/** One level of detail on all sides. */
type SideLevels = readonly LevelScores[];

/** Levels with several prompts are compared only where all sides have as many. */
export const detailSource: GateSource<SpecificityStudy> = async (database, { sides, changed }) => {
  const levels = await levelsOfSides(database, sides, changed);
  const sameDraws = haveSameSettings(sides, drawNumbers);
  const shared = (levels.at(-1) ?? []).flatMap((last): SideLevels[] => {
    if (!sameDraws && isDrawn(last.augmentation)) return [];
    const own = levels.flatMap((side) => side.find((level) => nameOf(level) === nameOf(last)) ?? []);
    return own.length < sides.length ? [] : [own];
  });
  return [...shared.flatMap((own) => passAt(sides, own, changed)), ...sufficient(sides, shared)];
};

/** The levels of each side, without the changed tasks and prompts. */
export async function levelsOfSides(
  database: RunDatabase,
  sides: Sides['sides'],
  changed: ReadonlySet<string>,
): Promise<LevelScores[][]> {
  const prompts = await changedPrompts(database, sides);
  return Promise.all(sides.map((side) => levelsOf(database, side, changed, prompts)));
}

/** Each level, and each curve with levels of its own. */
export function detailConditions({ settings }: SpecificityStudy): GateConditions[] {
  const levels = positions(settings);
  const own = curveNames.filter((curve) => levels.some(({ augmentation }) => augmentation === curve));
  return [
    functionOnly('pass_at_1'),
    byDimension(['pass_at_detail'], [...new Set(levels.map(nameOf))]),
    byDimension(['sufficient_detail'], own),
  ];
}

/** `maximal`, `summary 25`. */
const nameOf = (level: Level): string =>
  level.level === null ? level.augmentation : `${level.augmentation} ${levelName(level)}`;

async function levelsOf(
  database: RunDatabase,
  side: Side,
  changed: ReadonlySet<string>,
  prompts: ChangedPrompts,
): Promise<LevelScores[]> {
  const own = sideRows(database, 'prompt_passes', side);
  const rows = await records(database, `from ${own} order by task_id, variant, repetition`);
  const isSame = (row: Row): boolean => !prompts.get(textOf(row, 'task_id'))?.has(textOf(row, 'variant'));
  return levelScores(rows.filter((row) => !changed.has(textOf(row, 'task_id')) && isSame(row)));
}

const hundredfold = (scores: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...scores].map(([task, score]) => [task, 100 * score]));

function passAt([{ study }]: Sides['sides'], levels: SideLevels, changed: ReadonlySet<string>): Compared[] {
  const [first] = levels;
  if (first === undefined) return [];
  const sideValues = levels.map(({ scores, least, most, nUnjudged }) => ({
    ...{ values: hundredfold(scores), least: hundredfold(least), most: hundredfold(most), unjudged: nUnjudged },
  }));
  const ofSides = (values: readonly ValueByTask[]): SharedTasks => sharedTasks(values, changed);
  const judged = ofSides(sideValues.map(({ values }) => values));
  const open = openTasks(sideValues, changed);
  const subject = plainSubject('pass_at_detail', study.benchmark, nameOf(first));
  const range = { kind: 'bounded', lo: 0, hi: 100 } as const;
  if (open === null) return [comparedTasks(subject, judged, range)];
  const prompts = levels.map(({ byPrompt }) => byPrompt);
  const byPrompt = alignedShares(prompts, open.open.taskIds, 100);
  const tasks = { ...ofSides(sharedPromptMeans(prompts, 100)), own: judged.own, open: { ...open.open, byPrompt } };
  return [comparedTasks(subject, tasks, range, open.inGate)];
}

/** One comparison per curve with a level between its ends and a maximal prompt; a gate's is of the first two sides. */
function sufficient(sides: Sides<SpecificityStudy>['sides'], shared: readonly SideLevels[]): Compared[] {
  const [{ study }] = sides;
  return curveNames.flatMap((curve) => {
    const levels = sides.map((_, side) =>
      curveOf(
        shared.flatMap((own) => own[side] ?? []),
        curve,
      ),
    );
    const [last = []] = levels.slice(-1);
    if (last.at(-1)?.augmentation !== 'maximal') return [];
    if (!last.some(({ augmentation }) => augmentation === curve)) return [];
    const { within } = study.settings;
    // Table `specificity_summary` has the tasks that count with the original prompt too.
    const counted = levels.map((own, side) => [...own, ...originalsOf(shared.flatMap((level) => level[side] ?? []))]);
    const { taskIds, curves } = openCurves(levels, counted);
    const [old = nothing, now = nothing] = curves;
    const own = counted.map((side) => commonTasks(side.map(({ least }) => least)).length);
    const unjudged = levels.map((side) => side.reduce((sum, { nUnjudged }) => sum + nUnjudged, 0));
    const why = curves.map((side, place) => (isJudged(levels[place] ?? []) ? whyNoDetail(side, within) : null));
    const models = curves.map((side): WholeValue | null =>
      whyNoDetail(side, within) === null ? (level) => leastDetail(side, within, level) as BoundedValue : null,
    );
    return [
      {
        subject: plainSubject('sufficient_detail', study.benchmark, curve),
        tasks: null,
        together: { taskIds, models, why, own, unjudged },
        estimate: ({ level }) => sufficientDetail(old, now, within, level),
      },
    ];
  });
}

/** Whether any answer could be judged, also to tasks that not all sides have answered. */
const isJudged = (levels: readonly LevelScores[]): boolean => levels.some(({ scores }) => scores.size > 0);

const nothing = knownCurve([]);
