/** EVALOOP's greedy runs compared with sampled ones (section 3.5), in sustained loops. */
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import { seedOf } from '../../../../domain/random.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import {
  isOpen,
  type OpenEnds,
  openMeanInterval,
  possibleMean,
} from '../../../../domain/statistics/intervals/open-mean.ts';
import { heldP } from '../../../../domain/statistics/tests/held-p.ts';
import { signFlipTest } from '../../../../domain/statistics/tests/sign-flip.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { sampledSetting } from '../../loop-settings.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { evaloopStudies } from '../studies.ts';
import { modelSlices } from '../../../../analysis/slices/model-slices.ts';
import { records } from '../../../../analysis/records.ts';
import { quoteText } from '../../../../analysis/views.ts';

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
  /** Tasks of which a run of each kind was judged to its end: those of the estimates. */
  readonly tasks: number;
  /** Whether other runs are known in part: intervals and p have all that these allow. */
  readonly isOpen: boolean;
}

export async function greedyAndSampled(database: RunDatabase, manifest: Manifest): Promise<GreedyAndSampled[]> {
  const found: GreedyAndSampled[] = [];
  const { runId: run, spec } = manifest;
  for (const { name: study, settings } of evaloopStudies(manifest)) {
    if (settings.sampledRuns === 0) continue;
    const where =
      `run = ${quoteText(run)} and study = ${quoteText(study)} and variant = 'original' and ` +
      `setting in ('default', ${quoteText(sampledSetting)}) and (ended_by <> 'excluded' or sustained_loops > 0)`;
    for (const models of await modelSlices(database, 'loops', where)) {
      const rows = await records(
        database,
        'select model, task_id, setting, sustained_loops, ended_by from loops ' +
          `where ${where} and ${models} order by all`,
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

/** The runs of one kind on a task, in sustained loops. */
interface SideRuns {
  /** Of those judged to their end; null without any. */
  readonly mean: number | null;
  /** With the others broken where they stand, and with all their loops sustained. */
  readonly least: number;
  readonly most: number;
  readonly ended: readonly number[];
}

interface TwiceRun {
  readonly greedy: SideRuns;
  readonly sampled: SideRuns;
}

function sideOf(rows: readonly Row[], maxLoops: number): SideRuns | null {
  if (rows.length === 0) return null;
  const loopsOf = (row: Row): number => numberOf(row, 'sustained_loops');
  const isEnded = (row: Row): boolean => row['ended_by'] !== 'excluded';
  const mayGoOn = (row: Row): boolean => !isEnded(row) || row['ended_by'] === 'not_asked';
  const ended = rows.filter(isEnded).map(loopsOf);
  return {
    ...{ mean: mean(ended), ended, least: mean(rows.map(loopsOf)) as number },
    most: mean(rows.map((row) => (mayGoOn(row) ? maxLoops : loopsOf(row)))) as number,
  };
}

interface Held {
  readonly value: number | null;
  readonly interval: Interval | null;
}

/** The mean over tasks judged to their end, within what all runs may be. */
function held(judged: readonly number[], ends: OpenEnds, bounds: Interval): Held {
  const value = possibleMean(judged, ends);
  return { value, interval: openMeanInterval(value, ends, bounds) };
}

function comparison(
  rows: readonly Row[],
  maxLoops: number,
  seed: number,
): Omit<GreedyAndSampled, 'run' | 'study' | 'model'> {
  const both = [...Map.groupBy(rows, (row) => textOf(row, 'task_id')).values()].flatMap((own): TwiceRun[] => {
    const [greedy, sampled] = [false, true].map((isSampled) =>
      sideOf(
        own.filter((row) => (row['setting'] === sampledSetting) === isSampled),
        maxLoops,
      ),
    );
    return greedy && sampled ? [{ greedy, sampled }] : [];
  });
  const whole = both.filter(({ greedy, sampled }) => greedy.mean !== null && sampled.mean !== null);
  const meansOf = (side: keyof TwiceRun): number[] => whole.map((task) => task[side].mean as number);
  const [greedy, sampled] = [meansOf('greedy'), meansOf('sampled')];
  const differences = sampled.map((value, task) => value - (greedy[task] as number));
  const change: OpenEnds = {
    least: both.map((task) => task.sampled.least - task.greedy.most),
    most: both.map((task) => task.sampled.most - task.greedy.least),
  };
  const ofSide = (side: keyof TwiceRun, judged: readonly number[]): Held => {
    const ends = { least: both.map((task) => task[side].least), most: both.map((task) => task[side].most) };
    return held(judged, ends, { lo: 0, hi: maxLoops });
  };
  const [ofGreedy, ofSampled] = [ofSide('greedy', greedy), ofSide('sampled', sampled)];
  const ofChange = held(differences, change, { lo: -maxLoops, hi: maxLoops });
  const countsOf = (side: keyof TwiceRun): number[] => {
    const all = whole.flatMap((task) => task[side].ended);
    return Array.from({ length: maxLoops + 1 }, (_, sustained) => all.filter((one) => one === sustained).length);
  };
  return {
    greedy: ofGreedy.value,
    greedyInterval: ofGreedy.interval,
    sampled: ofSampled.value,
    sampledInterval: ofSampled.interval,
    difference: ofChange.value,
    differenceInterval: ofChange.interval,
    p: heldP(differences, change, (values) => signFlipTest(values, { seed }).p),
    greedySustained: countsOf('greedy'),
    sampledSustained: countsOf('sampled'),
    tasks: whole.length,
    isOpen: isOpen(change),
  };
}
