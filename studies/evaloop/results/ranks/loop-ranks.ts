/** EVALOOP's rankings: ASL compared with pass@1 (section 4.2), groups of models (section 3.3). */
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import { seedOf } from '../../../../domain/random.ts';
import { boundedMeanInterval } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { placeIntervals } from '../../../../domain/statistics/intervals/place-intervals.ts';
import { bootstrapRanks } from '../../../../domain/statistics/intervals/rank-bootstrap.ts';
import {
  type RankChangeIntervals,
  rankChangeIntervals,
  type RankChangeShares,
  rankChangeShares,
} from '../../../../domain/statistics/intervals/rank-change-intervals.ts';
import { rankChanges } from '../../../../domain/statistics/ranks/rank-changes.ts';
import { placesOf } from '../../../../domain/statistics/ranks/ranks.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { evaloopStudies } from '../studies.ts';
import type { LeaderboardRow } from '../leaderboard.ts';
import { loopGroups, meanScores, type RankedGroup, type ScoredTask } from './groups.ts';
import { judgedCells, type UnrankedModel, unrankedModels } from './unranked.ts';
import { records } from '../../../../analysis/records.ts';
import { quoteText } from '../../../../analysis/views.ts';

export interface LoopRanks {
  readonly run: string;
  readonly study: string;
  /** Number of tasks that count for every model with a place: ranks are over these. */
  readonly tasks: number;
  /** Ordered by place in ASL with every s_i = 1, then by name. */
  readonly models: readonly RankedModel[];
  /** By name. They are in nothing else here, except that intervals of places leave room for them. */
  readonly unranked: readonly UnrankedModel[];
  /** All pairs of models, the better one by ASL first. */
  readonly pairs: readonly RankedPair[];
  readonly changes: RankChangeShares;
  readonly intervals: RankChangeIntervals;
  /** Most places that a model gains from pass@1 to ASL, and most places that one loses (negative). */
  readonly extremes: readonly [number, number] | null;
  readonly groups: readonly RankedGroup[];
}

export interface RankedModel {
  readonly model: string;
  readonly passAt1: number;
  readonly aslUnweighted: number;
  readonly passPlace: number;
  readonly aslPlace: number;
  /** Over tasks; null in tables of an older program. */
  readonly passAt1Interval: Interval | null;
  readonly aslInterval: Interval | null;
  readonly passPlaceInterval: Interval | null;
  readonly aslPlaceInterval: Interval | null;
  /** Cells that could not be judged to their end; null in tables of an older program. */
  readonly unjudged: number | null;
  /**
   * Share of resampled task sets in which it is ahead of the next model of the list; null for the last.
   */
  readonly aheadOfNext: number | null;
}

export interface RankedPair {
  readonly model: string;
  readonly other: string;
  /** Share of resampled task sets in which `model` is ahead; ties count half. */
  readonly ahead: number;
  /** Whether pass@1 orders them the other way. */
  readonly reversed: boolean;
}

/** Only studies with at least two models. */
export async function loopRanks(
  database: RunDatabase,
  manifest: Manifest,
  board: readonly LeaderboardRow[],
): Promise<LoopRanks[]> {
  const found: LoopRanks[] = [];
  const { runId: run } = manifest;
  const facts = await records(
    database,
    `select model, family, size_b, training from models where run = ${quoteText(run)}`,
  );
  for (const { name: study, settings } of evaloopStudies(manifest)) {
    const own = board.filter((row) => row.run === run && row.study === study && row.setting === 'default');
    const models = own.map(({ model }) => model).toSorted();
    if (models.length < 2) continue;
    const ofStudy = `run = ${quoteText(run)} and study = ${quoteText(study)}`;
    const where = `${ofStudy} and variant = 'original' and setting = 'default'`;
    const cells = await judgedCells(database, where);
    const unranked = unrankedModels(models, cells);
    const judged = models.filter((name) => unranked.every(({ model }) => model !== name));
    const tasks = await scoredTasks(database, where, judged, settings.maxLoops);
    if (tasks.length === 0 && unranked.length === 0) continue;
    const ranked = tasks.length === 0 ? [] : judged;
    const seed = seedOf('ranks', manifest.spec.seed, study);
    const unjudged = ranked.map((model) => cells.get(model)?.unjudged ?? 0);
    found.push({
      ...{ run, study, tasks: tasks.length, unranked },
      ...ranksOf({ models: ranked, unjudged, tasks, maxLoops: settings.maxLoops, unranked: unranked.length }, seed),
      groups: loopGroups({ models: ranked, tasks, facts, maxLoops: settings.maxLoops, seed }),
    });
  }
  return found;
}

/** Tasks that count for each of the models; none without models. */
async function scoredTasks(
  database: RunDatabase,
  where: string,
  models: readonly string[],
  maxLoops: number,
): Promise<ScoredTask[]> {
  if (models.length === 0) return [];
  const rows = await records(
    database,
    `select task_id, model, avg((sustained_loops > 0)::int) as passed, avg(sustained_loops * sustained_loops)
      as squares,
       avg((sustained_loops between 1 and ${maxLoops - 1})::int) as lost from loops
     where ${where} and ended_by <> 'excluded'
     group by all order by all`,
  );
  const tasks = [...Map.groupBy(rows, (row) => textOf(row, 'task_id')).values()];
  return tasks.flatMap((own) => {
    const byModel = new Map(own.map((row) => [textOf(row, 'model'), row]));
    const all = models.map((model) => byModel.get(model)).filter((row) => row !== undefined);
    if (all.length < models.length) return [];
    const each = (column: keyof ScoredTask): number[] => all.map((row) => numberOf(row, column));
    return [{ passed: each('passed'), squares: each('squares'), lost: each('lost') }];
  });
}

interface Scored {
  readonly models: readonly string[];
  /** By model: its cells that could not be judged. */
  readonly unjudged: readonly number[];
  readonly tasks: readonly ScoredTask[];
  readonly maxLoops: number;
  /** Models without a place, each of which may have any. */
  readonly unranked: number;
}

function ranksOf(
  { models, unjudged, tasks, maxLoops, unranked }: Scored,
  seed: number,
): Pick<LoopRanks, 'models' | 'pairs' | 'changes' | 'intervals' | 'extremes'> {
  const meanOf = (drawn: readonly ScoredTask[], score: keyof ScoredTask): number[] =>
    meanScores(drawn, score, models.length);
  const scores = { before: meanOf(tasks, 'passed'), after: meanOf(tasks, 'squares') };
  const [passPlaces, aslPlaces] = [placesOf(scores.before), placesOf(scores.after)];
  const spread = bootstrapRanks(tasks, models.length, (drawn) => meanOf(drawn, 'squares'), { seed });
  const amongAll = (score: 'passed' | 'squares'): Interval[] =>
    placeIntervals(tasks.map((task) => task[score])).map(({ lo, hi }) => ({ lo, hi: hi + unranked }));
  const [passIntervals, intervals] = [amongAll('passed'), amongAll('squares')];
  const within = (hi: number, of: (task: ScoredTask) => number): Interval | null =>
    boundedMeanInterval(tasks.map(of), { lo: 0, hi });
  const order = models.map((_, model) => model).toSorted((a, b) => (aslPlaces[a] as number) - (aslPlaces[b] as number));
  const { highestRise, deepestFall } = rankChanges(passPlaces, aslPlaces);
  return {
    models: order.map((model, at) => ({
      model: models[model] as string,
      passAt1: scores.before[model] as number,
      aslUnweighted: (scores.after[model] as number) / maxLoops,
      passPlace: passPlaces[model] as number,
      aslPlace: aslPlaces[model] as number,
      passAt1Interval: within(1, ({ passed }) => passed[model] as number),
      aslInterval: within(maxLoops, ({ squares }) => (squares[model] as number) / maxLoops),
      passPlaceInterval: passIntervals[model] ?? null,
      aslPlaceInterval: intervals[model] ?? null,
      unjudged: unjudged[model] ?? null,
      aheadOfNext: spread.ahead[model]?.[order[at + 1] ?? -1] ?? null,
    })),
    pairs: order.flatMap((model, at) =>
      order.slice(at + 1).flatMap((other): RankedPair[] => {
        const ahead = spread.ahead[model]?.[other] ?? null;
        if (ahead === null) return [];
        const reversed =
          (aslPlaces[model] as number) < (aslPlaces[other] as number) &&
          (passPlaces[model] as number) > (passPlaces[other] as number);
        return [{ model: models[model] as string, other: models[other] as string, ahead, reversed }];
      }),
    ),
    changes: rankChangeShares(scores),
    intervals: rankChangeIntervals(
      tasks,
      (drawn) => ({ before: meanOf(drawn, 'passed'), after: meanOf(drawn, 'squares') }),
      { seed },
    ),
    extremes: highestRise === null || deepestFall === null ? null : [highestRise, deepestFall],
  };
}
