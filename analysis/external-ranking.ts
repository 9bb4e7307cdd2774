/** Somebody else's ranking of models, from a file, beside ours (EVALOOP, section 4.2 has SWE-bench's). */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { InputError } from '../domain/errors.ts';
import { parseJsonDocument } from '../domain/json-document.ts';
import { compareRankings, type RankComparison } from '../domain/statistics/rank-comparison.ts';
import type { LeaderboardRow } from './leaderboard.ts';

const rankedModel = z.union([
  z.strictObject({ model: z.string().min(1), place: z.number().min(1) }),
  z.strictObject({ model: z.string().min(1), score: z.number() }),
]);
const rankingFile = z.strictObject({
  name: z.string().min(1),
  source: z.string().optional(),
  /** All with places (1 is best) or all with scores (more is better); models by their ids in the spec. */
  models: z.array(rankedModel).min(2),
});
export type ExternalRanking = Omit<z.infer<typeof rankingFile>, 'models'> & { readonly scores: ReadonlyMap<string, number> };

/** Throws InputError for a file that cannot be read, is no such JSON, mixes places with scores, or names a model twice. */
export async function readRanking(file: string): Promise<ExternalRanking> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InputError(`cannot be read: ${error.message}`, { file });
  });
  const { success, data, error } = rankingFile.safeParse(parseJsonDocument(text, file));
  if (!success) throw new InputError(`is no ranking: ${z.prettifyError(error)}`, { file });
  const { models, ...about } = data;
  const placed = models.filter((model) => 'place' in model).length;
  if (placed !== 0 && placed !== models.length) throw new InputError('mixes places and scores; give one of them for every model', { file });
  const scores = new Map(models.map((model) => [model.model, 'place' in model ? -model.place : model.score]));
  if (scores.size < models.length) throw new InputError('names a model twice', { file });
  return { ...about, scores };
}

export interface ExternalComparison {
  readonly run: string;
  readonly study: string;
  readonly name: string;
  readonly source: string | null;
  readonly comparison: RankComparison;
}

/** One per study, by ASL, or with every s_i = 1 where there is no judge. */
export function externalComparisons(board: readonly LeaderboardRow[], ranking: ExternalRanking | null): ExternalComparison[] {
  if (ranking === null) return [];
  const studies = Map.groupBy(
    board.filter(({ setting }) => setting === 'default'),
    ({ run, study, benchmark }) => JSON.stringify([run, study, benchmark]),
  );
  return [...studies.values()].map((rows) => {
    const [{ run, study }] = rows as [LeaderboardRow];
    const judged = rows.some(({ asl }) => asl !== null);
    const ours = new Map(
      rows.flatMap((row) => ((judged ? row.asl : row.aslUnweighted) === null ? [] : [[row.model, scoreOf(row, judged)] as const])),
    );
    return {
      run,
      study,
      name: ranking.name,
      source: ranking.source ?? null,
      comparison: compareRankings(ours, ranking.scores),
    };
  });
}

const scoreOf = (row: LeaderboardRow, judged: boolean): number => ((judged ? row.asl : row.aslUnweighted) as { value: number }).value;
