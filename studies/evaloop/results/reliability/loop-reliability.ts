/**
 * EVALOOP's RQ3 over a run: whether models keep their ranks under other summary prompts and temperatures; and greedy
 * compared with sampled runs (section 3.5).
 */
import { type Reliability, reliability } from './reliability.ts';
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import { seedOf } from '../../../../domain/random.ts';
import { boundedMeanInterval } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { signFlipTest } from '../../../../domain/statistics/tests/sign-flip.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { sampledSetting } from '../../loop-settings.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { evaloopStudies } from '../studies.ts';
import type { LeaderboardRow } from '../leaderboard.ts';
import { modelSlices } from '../../../../analysis/slices/model-slices.ts';
import { records } from '../../../../analysis/records.ts';
import { quoteText } from '../../../../analysis/views.ts';

export interface LoopReliability {
  readonly run: string;
  readonly study: string;
  /** Whether scores are ASL by a judge; if not, ASL with every s_i = 1. */
  readonly judged: boolean;
  readonly over: 'summary prompts' | 'temperatures';
  /** In the order of `places`, without the baseline. */
  readonly settings: readonly string[];
  readonly reliability: Reliability;
  /** Number of cells behind each score, by JSON of `[model, setting]`. */
  readonly cells: ReadonlyMap<string, number>;
}

/** One entry per study and kind of setting, if the study has such settings. */
export function loopReliabilities(manifest: Manifest, board: readonly LeaderboardRow[]): LoopReliability[] {
  const run = manifest.runId;
  return evaloopStudies(manifest).flatMap(({ name: study, settings }) => {
    const own = board.filter((row) => row.run === run && row.study === study);
    const of = (over: LoopReliability['over'], names: readonly string[]): LoopReliability[] =>
      names.length === 0 || own.length === 0 ? [] : [{ run, study, over, settings: names, ...scored(own, names) }];
    const summaries = settings.summaryPrompts.map((name) => `summary_${name}`);
    const temperatures = settings.temperatures.map((temperature) => `temperature_${temperature}`);
    return [...of('summary prompts', summaries), ...of('temperatures', temperatures)];
  });
}

function scored(
  board: readonly LeaderboardRow[],
  settings: readonly string[],
): Pick<LoopReliability, 'judged' | 'reliability' | 'cells'> {
  const judged = board.some(({ asl }) => asl !== null);
  const models = [...new Set(board.map(({ model }) => model))];
  const scoresOf = (setting: string) => ({
    setting,
    scores: models.map((model) => {
      const row = board.find((one) => one.model === model && one.setting === setting);
      return (judged ? row?.asl : row?.aslUnweighted)?.value ?? null;
    }),
  });
  const cells = new Map(board.map(({ model, setting, n }) => [JSON.stringify([model, setting]), n]));
  return { judged, cells, reliability: reliability(models, scoresOf('default'), settings.map(scoresOf)) };
}

/** One model's greedy run and its sampled runs. */
export interface GreedyAndSampled {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  /** Mean of sustained loops over tasks and runs. */
  readonly greedy: number | null;
  readonly greedyInterval: Interval | null;
  readonly sampled: number | null;
  readonly sampledInterval: Interval | null;
  readonly difference: number | null;
  readonly differenceInterval: Interval | null;
  readonly p: number | null;
  /** Number of cells that sustained exactly 0, 1, ... M loops. */
  readonly greedySustained: readonly number[];
  readonly sampledSustained: readonly number[];
  readonly tasks: number;
}

export async function greedyAndSampled(database: RunDatabase, manifest: Manifest): Promise<GreedyAndSampled[]> {
  const found: GreedyAndSampled[] = [];
  const { runId: run, spec } = manifest;
  for (const { name: study, settings } of evaloopStudies(manifest)) {
    if (settings.sampledRuns === 0) continue;
    const where =
      `run = ${quoteText(run)} and study = ${quoteText(study)} and variant = 'original' and ` +
      `setting in ('default', ${quoteText(sampledSetting)}) and ended_by <> 'excluded'`;
    for (const models of await modelSlices(database, 'loops', where)) {
      const rows = await records(
        database,
        `select model, task_id, setting, sustained_loops from loops where ${where} and ${models} order by all`,
      );
      for (const [model, own] of Map.groupBy(rows, (row) => textOf(row, 'model')))
        found.push({
          ...{ run, study, model },
          ...comparison(own, settings.maxLoops, seedOf('sampled', spec.seed, study, model)),
        });
    }
  }
  return found;
}

interface TwiceRun {
  readonly greedy: readonly number[];
  readonly sampled: readonly number[];
}

function comparison(
  rows: readonly Row[],
  maxLoops: number,
  seed: number,
): Omit<GreedyAndSampled, 'run' | 'study' | 'model'> {
  const tasks = [...Map.groupBy(rows, (row) => textOf(row, 'task_id')).values()].map(
    (own): TwiceRun => ({
      greedy: own.filter((row) => row['setting'] !== sampledSetting).map((row) => numberOf(row, 'sustained_loops')),
      sampled: own.filter((row) => row['setting'] === sampledSetting).map((row) => numberOf(row, 'sustained_loops')),
    }),
  );
  const both = tasks.filter(({ greedy, sampled }) => greedy.length > 0 && sampled.length > 0);
  const [greedy, sampled] = [
    both.map((task) => mean(task.greedy) as number),
    both.map((task) => mean(task.sampled) as number),
  ];
  const differences = sampled.map((value, task) => value - (greedy[task] as number));
  const loops = { lo: 0, hi: maxLoops };
  const countsOf = (side: keyof TwiceRun): number[] => {
    const all = both.flatMap((task) => task[side]);
    return Array.from({ length: maxLoops + 1 }, (_, sustained) => all.filter((one) => one === sustained).length);
  };
  return {
    greedy: mean(greedy),
    greedyInterval: boundedMeanInterval(greedy, loops),
    sampled: mean(sampled),
    sampledInterval: boundedMeanInterval(sampled, loops),
    difference: mean(differences),
    differenceInterval: boundedMeanInterval(differences, { lo: -maxLoops, hi: maxLoops }),
    p: signFlipTest(differences, { seed }).p,
    greedySustained: countsOf('greedy'),
    sampledSustained: countsOf('sampled'),
    tasks: both.length,
  };
}
