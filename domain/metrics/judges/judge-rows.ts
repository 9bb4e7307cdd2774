/** Rows of table `loop_judges`, from rows of tables `loops` and `judgements`. */
import type { LoopEnding } from '../../../schemas/states.ts';
import { type Row, tables } from '../../../schemas/tables.ts';
import { alphaInterval, alphaMethod } from '../../statistics/intervals/alpha-interval.ts';
import { clusteredInterval } from '../../statistics/intervals/clustered-interval.ts';
import { boundedMeanMethod, openMethod } from '../../statistics/intervals/bounded-mean.ts';
import { defaultLevel, type Interval } from '../../statistics/intervals/interval.ts';
import { krippendorffIntervalAlpha } from '../../statistics/krippendorff-interval-alpha.ts';
import { mean } from '../../statistics/spread.ts';
import { type AslSettings, judgesMethod, openCells, possibleAsl } from '../asl-rows.ts';
import type { TaskCell } from './asl-interval.ts';
import { compareByColumns, groupByColumns } from '../row-order.ts';
import { type JudgedCell, judgedCells, type Judges } from './judged-cells.ts';
import { judgeMean } from './panel-mean.ts';

interface JudgeSettings extends AslSettings {
  readonly judges: Judges;
}

/** Over the counted cells of the original prompt. Empty if each break is judged once. */
export function judgeRows(loops: readonly Row[], judgements: readonly Row[], settings: JudgeSettings): Row[] {
  const { models, repeats } = settings.judges;
  if (models.length * repeats < 2) return [];
  const original = loops.filter((row) => row['variant'] === 'original');
  const simulated = new Set(judgements.filter((row) => row['simulated'] === true).map(judgedBy));
  const sorted = original.toSorted(compareByColumns(tables.loops.key));
  return groupByColumns(sorted, tables.asl.key).flatMap((group) => {
    const counted = group.filter((row) => (row['ended_by'] as LoopEnding) !== 'excluded');
    if (counted.length === 0) return [];
    const cells = judgedCells(counted, judgements, settings.judges);
    const open = openCells(group);
    const key = Object.fromEntries(tables.asl.key.map((column) => [column, (group[0] as Row)[column] ?? null]));
    const each = models.map((model, judge): Compared => ({ kind: 'repeats', judges: [model], ...alone(cells, judge) }));
    return [...(models.length < 2 ? [] : [together(cells, models)]), ...each].map((one) => ({
      ...key,
      ...{ compared: one.kind, judge: one.judges.join(', ') },
      ...comparedColumns(one, open, settings),
      confidence: settings.level ?? defaultLevel,
      simulated:
        counted.some((row) => row['simulated'] === true) ||
        one.judges.some((judge) => simulated.has(judgedBy({ ...key, judge }))),
    }));
  });
}

const judgedBy = ({ model, judge }: Row): string => JSON.stringify([model, judge]);

/** Scores that are compared with each other. */
interface Compared {
  readonly kind: 'judges' | 'repeats';
  readonly judges: readonly string[];
  /** Each cell with the similarity that these scores give. */
  readonly cells: readonly JudgedCell[];
  /** By cell. */
  readonly scores: readonly (readonly (number | null)[])[];
}

const together = (cells: readonly JudgedCell[], judges: readonly string[]): Compared => ({
  ...{ kind: 'judges', judges, cells },
  scores: cells.map((cell) => cell.scores.map(judgeMean)),
});

function alone(cells: readonly JudgedCell[], judge: number): Pick<Compared, 'cells' | 'scores'> {
  const scores = cells.map((cell) => cell.scores[judge] ?? []);
  return { scores, cells: cells.map((cell, at) => ({ ...cell, similarity: judgeMean(scores[at] ?? []) })) };
}

interface Break {
  readonly taskId: string;
  readonly scores: readonly number[];
  readonly similarity: number | null;
}

/** @param open cells that a limit of evenkeel ended */
function comparedColumns(
  { kind, judges, cells, scores }: Compared,
  open: readonly TaskCell[],
  settings: JudgeSettings,
): Row {
  const breaks = cells.flatMap(({ asked, taskId, similarity }, at): Break[] =>
    asked ? [{ taskId, similarity, scores: (scores[at] ?? []).flatMap((score) => score ?? []) }] : [],
  );
  const paired = breaks.filter((one) => one.scores.length >= 2);
  const scored = breaks.filter(({ similarity }) => similarity !== null);
  const alpha = krippendorffIntervalAlpha(paired.map((one) => one.scores));
  const asl = possibleAsl(cells, open, kind === 'judges' ? cells : undefined, settings);
  const method = open.length === 0 ? plainMethod : `${plainMethod}; asl: ${openMethod}`;
  const perBreak = kind === 'judges' ? judges.length : settings.judges.repeats;
  return {
    ...columns('alpha', alpha, alphaInterval(tasksOf(paired), scoreRange, settings.level)),
    ...meanColumns('disagreement', paired, (one) => meanDifference(one.scores), settings.level),
    ...meanColumns('score', scored, ({ similarity }) => similarity as number, settings.level),
    ...columns('asl', asl.asl, asl.interval),
    n: paired.length,
    n_tasks: new Set(paired.map(({ taskId }) => taskId)).size,
    n_scored: scored.length,
    n_missing: breaks.reduce((sum, one) => sum + perBreak - one.scores.length, 0),
    method: asl.judgeError === null ? method : `${method}, ${judgesMethod}`,
    reason: reasonOf(alpha === null ? noAlpha(paired, perBreak) : null, asl.reason),
  };
}

const reasonOf = (ofAlpha: string | null, ofAsl: string | null): string | null =>
  ofAlpha !== null && ofAsl !== null ? `alpha: ${ofAlpha}; asl: ${ofAsl}` : (ofAlpha ?? ofAsl);

const plainMethod = `alpha: ${alphaMethod}; others: ${boundedMeanMethod}`;
const scoreRange: Interval = { lo: 0, hi: 1 };

const tasksOf = (breaks: readonly Break[]): (readonly number[])[][] =>
  [...Map.groupBy(breaks, ({ taskId }) => taskId).values()].map((own) => own.map(({ scores }) => scores));

function noAlpha(paired: readonly Break[], perBreak: number): string {
  if (perBreak < 2) return 'the judge scores each break once';
  return paired.length === 0 ? 'no break has two scores' : 'all scores are equal';
}

/** Over all pairs of a break's scores. */
function meanDifference(scores: readonly number[]): number {
  const pairs = scores.flatMap((score, at) => scores.slice(at + 1).map((other) => Math.abs(score - other)));
  return mean(pairs) as number;
}

function meanColumns(
  name: string,
  breaks: readonly Break[],
  value: (one: Break) => number,
  level: number | undefined,
): Row {
  const tasks = [...Map.groupBy(breaks, ({ taskId }) => taskId).values()];
  return columns(name, mean(breaks.map(value)), clusteredInterval(tasks, value, scoreRange, level));
}

const columns = (name: string, value: number | null, interval: Interval | null): Row => ({
  [name]: value,
  [`${name}_lo`]: interval?.lo ?? null,
  [`${name}_hi`]: interval?.hi ?? null,
});
