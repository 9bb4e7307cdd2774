/** EVALOOP's RQ3 over a run: do models keep their ranks under other summary prompts and temperatures; and greedy beside sampled runs (3.5). */
import { type Reliability, reliability } from '../domain/metrics/reliability.ts';
import { numberOf, textOf } from '../domain/metrics/row-order.ts';
import { seedOf } from '../domain/random.ts';
import { clusterBootstrap } from '../domain/statistics/bootstrap.ts';
import type { Interval } from '../domain/statistics/interval.ts';
import { pairedBootstrap } from '../domain/statistics/paired-bootstrap.ts';
import { mean } from '../domain/statistics/spread.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { Row } from '../schemas/tables.ts';
import { sampledSetting } from '../studies/evaloop/loop-settings.ts';
import type { RunDatabase } from './database.ts';
import { evaloopStudies } from './evaloop-studies.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

export interface LoopReliability {
  readonly run: string;
  readonly study: string;
  /** ASL by a judge, or with every s_i = 1. */
  readonly judged: boolean;
  readonly over: 'summary prompts' | 'temperatures';
  /** In the order of the places; the baseline is not among them. */
  readonly settings: readonly string[];
  readonly reliability: Reliability;
}

/** Of studies that have such settings. */
export function loopReliabilities({ runId: run, spec, ...manifest }: Manifest, board: readonly LeaderboardRow[]): LoopReliability[] {
  return evaloopStudies({ runId: run, spec, ...manifest }).flatMap(({ name: study, settings }) => {
    const own = board.filter((row) => row.run === run && row.study === study);
    const of = (over: LoopReliability['over'], names: readonly string[]): LoopReliability[] =>
      names.length === 0 || own.length === 0
        ? []
        : [{ run, study, over, settings: names, ...scored(own, names, seedOf('reliability', spec.seed, study, over)) }];
    const summaries = settings.summaryPrompts.map((name) => `summary_${name}`);
    const temperatures = settings.temperatures.map((temperature) => `temperature_${temperature}`);
    return [...of('summary prompts', summaries), ...of('temperatures', temperatures)];
  });
}

function scored(
  board: readonly LeaderboardRow[],
  settings: readonly string[],
  seed: number,
): Pick<LoopReliability, 'judged' | 'reliability'> {
  const judged = board.some(({ asl }) => asl !== null);
  const models = [...new Set(board.map(({ model }) => model))];
  const scoresOf = (setting: string) => ({
    setting,
    scores: models.map((model) => {
      const row = board.find((one) => one.model === model && one.setting === setting);
      return (judged ? row?.asl : row?.aslUnweighted)?.value ?? null;
    }),
  });
  return { judged, reliability: reliability(models, scoresOf('default'), settings.map(scoresOf), { seed }) };
}

/** One model's greedy run and its sampled ones. */
export interface GreedyAndSampled {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  /** Mean of sustained loops over tasks, and over runs. */
  readonly greedy: number | null;
  readonly sampled: number | null;
  readonly sampledInterval: Interval | null;
  readonly difference: number | null;
  readonly differenceInterval: Interval | null;
  readonly p: number | null;
  /** Cells that sustained exactly 0..M loops. */
  readonly greedySustained: readonly number[];
  readonly sampledSustained: readonly number[];
  readonly tasks: number;
}

export async function greedyAndSampled(database: RunDatabase, manifest: Manifest): Promise<GreedyAndSampled[]> {
  const found: GreedyAndSampled[] = [];
  const { runId: run, spec } = manifest;
  for (const { name: study, settings } of evaloopStudies(manifest)) {
    if (settings.sampledRuns === 0) continue;
    const rows = await records(
      database,
      `select model, task_id, setting, sustained_loops from loops where run = ${quoteText(run)} and study = ${quoteText(study)}
       and variant = 'original' and setting in ('default', ${quoteText(sampledSetting)}) and ended_by <> 'excluded' order by all`,
    );
    for (const [model, own] of Map.groupBy(rows, (row) => textOf(row, 'model')))
      found.push({ run, study, model, ...comparison(own, settings.maxLoops, seedOf('sampled', spec.seed, study, model)) });
  }
  return found;
}

interface TwiceRun {
  readonly greedy: readonly number[];
  readonly sampled: readonly number[];
}

function comparison(rows: readonly Row[], maxLoops: number, seed: number): Omit<GreedyAndSampled, 'run' | 'study' | 'model'> {
  const tasks = [...Map.groupBy(rows, (row) => textOf(row, 'task_id')).values()].map(
    (own): TwiceRun => ({
      greedy: own.filter((row) => row['setting'] !== sampledSetting).map((row) => numberOf(row, 'sustained_loops')),
      sampled: own.filter((row) => row['setting'] === sampledSetting).map((row) => numberOf(row, 'sustained_loops')),
    }),
  );
  const both = tasks.filter(({ greedy, sampled }) => greedy.length > 0 && sampled.length > 0);
  const meanOf = (drawn: readonly TwiceRun[], side: keyof TwiceRun): number | null => mean(drawn.map((task) => mean(task[side]) as number));
  const paired = pairedBootstrap(
    both,
    (drawn) => mean(drawn.map(({ greedy, sampled }) => (mean(sampled) as number) - (mean(greedy) as number))),
    { seed },
  );
  const countsOf = (side: keyof TwiceRun): number[] => {
    const loops = both.flatMap((task) => task[side]);
    return Array.from({ length: maxLoops + 1 }, (_, sustained) => loops.filter((one) => one === sustained).length);
  };
  return {
    greedy: meanOf(both, 'greedy'),
    sampled: meanOf(both, 'sampled'),
    sampledInterval: clusterBootstrap(both, (drawn) => meanOf(drawn, 'sampled'), { seed }).interval,
    difference: paired.difference,
    differenceInterval: paired.interval,
    p: paired.p,
    greedySustained: countsOf('greedy'),
    sampledSustained: countsOf('sampled'),
    tasks: both.length,
  };
}
