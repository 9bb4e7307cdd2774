/** EVALOOP's RQ3 over a run: whether models keep their ranks under other summary prompts and temperatures. */
import { type Reliability, reliability } from './reliability.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { judgedCells, unrankedModels } from '../ranks/unranked.ts';
import { evaloopStudies } from '../studies.ts';
import type { LeaderboardRow } from '../leaderboard.ts';
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
export async function loopReliabilities(
  database: RunDatabase,
  manifest: Manifest,
  board: readonly LeaderboardRow[],
): Promise<LoopReliability[]> {
  const run = manifest.runId;
  const found: LoopReliability[] = [];
  for (const { name: study, settings } of evaloopStudies(manifest)) {
    const own = board.filter((row) => row.run === run && row.study === study);
    const ranked = (names: readonly string[]) => rankedRows(database, own, ['default', ...names]);
    const summaries = settings.summaryPrompts.map((name) => `summary_${name}`);
    const temperatures = settings.temperatures.map((temperature) => `temperature_${temperature}`);
    for (const [over, names] of [
      ['summary prompts', summaries],
      ['temperatures', temperatures],
    ] as const)
      if (names.length > 0 && own.length > 0)
        found.push({ run, study, over, settings: names, ...scored(await ranked(names), names) });
  }
  return found;
}

/** Without scores of models that have no place under a setting, as in `loop_ranks`. */
async function rankedRows(
  database: RunDatabase,
  board: readonly LeaderboardRow[],
  settings: readonly string[],
): Promise<LeaderboardRow[]> {
  const rows = board.filter(({ setting }) => settings.includes(setting));
  const ranked: LeaderboardRow[] = [];
  for (const own of Map.groupBy(rows, ({ setting }) => setting).values()) {
    const [{ run, study, setting }] = own as [LeaderboardRow];
    const where =
      `run = ${quoteText(run)} and study = ${quoteText(study)} and variant = 'original' and ` +
      `setting = ${quoteText(setting)}`;
    const cells = await judgedCells(database, where);
    const open = new Set(
      unrankedModels(
        own.map(({ model }) => model),
        cells,
      ).map(({ model }) => model),
    );
    ranked.push(...own.map((row) => (open.has(row.model) ? { ...row, asl: null, aslUnweighted: null } : row)));
  }
  return ranked;
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
