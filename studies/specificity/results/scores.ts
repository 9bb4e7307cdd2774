/** PartialOrderEval: a model's scores by task and level, from rows of table `prompt_passes`. */
import { excludedOutcomes, type Outcome } from '../../../schemas/states.ts';
import type { Row } from '../../../schemas/tables.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import { type PromptShares, promptShares } from './by-prompt.ts';

/** The augmentations whose levels form a curve; 1 if a higher level means more detail, -1 if less. */
export const curves = { summary: 1, paragraphs: 1, mask: -1 } as const;
export type Curve = keyof typeof curves;
export const curveNames = Object.keys(curves) as Curve[];

export interface Level {
  readonly augmentation: string;
  /** Null for minimal, maximal and original. */
  readonly level: number | null;
}

/** Score of each task, by id: the share of the level's counted prompts that passed. */
export type TaskScores = ReadonlyMap<string, number>;

export interface LevelScores extends Level {
  readonly scores: TaskScores;
  readonly byPrompt: PromptShares;
  /** Of each task with an answer, judged or not: with answers that could not be judged failed, and passed. */
  readonly least: TaskScores;
  readonly most: TaskScores;
  /** Number of these answers. */
  readonly nUnjudged: number;
  /** Number of counted prompts, and of excluded ones. */
  readonly nPrompts: number;
  readonly nExcluded: number;
  /** Number of answers without an OpenMP pragma; null if no task requires one. */
  readonly nWithoutPragma: number | null;
  /** Mean words of the description; null if no prompt exists. */
  readonly words: number | null;
  /** Number of prompts per task; if more than one, scores are means over draws. */
  readonly draws: number;
}

/** All levels of one model and setting, unordered. @param draw only prompts of this draw; null for all */
export function levelScores(rows: readonly Row[], draw: number | null = null): LevelScores[] {
  const wanted = draw === null ? rows : rows.filter((row) => row['draw'] === draw);
  const levels = Map.groupBy(wanted, (row) => JSON.stringify([row['augmentation'], row['level']]));
  return [...levels.values()].map(scoresOf);
}

function scoresOf(rows: readonly Row[]): LevelScores {
  const counted = rows.filter((row) => row['passed'] !== null);
  const open = rows.filter(isUnjudged);
  const passes = (row: Row): boolean => row['passed'] === true;
  const worded = rows.filter((row) => row['words'] !== null);
  const first = rows[0] as Row;
  return {
    augmentation: textOf(first, 'augmentation'),
    level: first['level'] === null ? null : numberOf(first, 'level'),
    scores: sharesOf(counted, passes),
    byPrompt: promptShares(counted),
    least: sharesOf([...counted, ...open], passes),
    most: sharesOf([...counted, ...open], (row) => passes(row) || isUnjudged(row)),
    nUnjudged: open.length,
    nPrompts: counted.length,
    nExcluded: rows.length - counted.length,
    nWithoutPragma: rows.some((row) => typeof row['pragma_missing'] === 'boolean')
      ? rows.filter((row) => row['pragma_missing'] === true).length
      : null,
    words: worded.length === 0 ? null : worded.reduce((sum, row) => sum + numberOf(row, 'words'), 0) / worded.length,
    draws: new Set(rows.map((row) => row['draw'])).size,
  };
}

/** There is an answer, of which a limit of evenkeel left unknown whether it passes. */
const isUnjudged = (row: Row): boolean =>
  row['passed'] === null && excludedOutcomes.has((row['reason'] ?? null) as Outcome);

/** By task, the share of its rows that pass. */
function sharesOf(rows: readonly Row[], passes: (row: Row) => boolean): TaskScores {
  const byTask = Map.groupBy(rows, (row) => textOf(row, 'task_id'));
  return new Map([...byTask].map(([task, own]) => [task, own.filter(passes).length / own.length]));
}

/** The existing levels of a curve: minimal, its own levels from less to more detail, maximal. */
export function curveOf(levels: readonly LevelScores[], curve: Curve): LevelScores[] {
  const named = (augmentation: string): LevelScores[] => levels.filter((level) => level.augmentation === augmentation);
  const inner = named(curve).toSorted((a, b) => curves[curve] * ((a.level ?? 0) - (b.level ?? 0)));
  return [...named('minimal'), ...inner, ...named('maximal')];
}

export const originalsOf = (levels: readonly LevelScores[]): LevelScores[] =>
  levels.filter(({ augmentation }) => augmentation === 'original');

/** `minimal`, `25`, `0.4`. */
export const levelName = ({ augmentation, level }: Level): string => (level === null ? augmentation : String(level));

export function mean(values: readonly number[]): number | null {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? null : sum / values.length;
}

/** Pairs of scores of the tasks that have a score on both sides. */
export function paired(first: TaskScores, second: TaskScores): [number, number][] {
  return [...first].flatMap(([task, score]): [number, number][] => {
    const other = second.get(task);
    return other === undefined ? [] : [[score, other]];
  });
}
