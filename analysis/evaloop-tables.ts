/** EVALOOP's derived tables beside `asl`, over what is sealed: written at a run's end, and made anew for a report while it goes on. */
import { attackRows } from '../domain/metrics/attack-rows.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { type Row, tables } from '../schemas/tables.ts';
import { attacksByVariant } from '../studies/evaloop/attacks/variants.ts';
import { attackSettings } from '../studies/evaloop/cells.ts';
import type { EvaloopStudy } from '../studies/evaloop/study.ts';
import type { RunDatabase } from './database.ts';
import { evaloopStudies } from './evaloop-studies.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { loopRanks } from './loop-ranks.ts';
import { greedyAndSampled, loopReliabilities } from './loop-reliability.ts';
import { loopSurvivals } from './loop-survival.ts';
import { type RankTables, rankTables } from './loops/rank-rows.ts';
import { type ReliabilityTables, reliabilityTables } from './loops/reliability-rows.ts';
import { type SurvivalTables, survivalTables } from './loops/survival-rows.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

export interface EvaloopTables extends RankTables, ReliabilityTables, SurvivalTables {
  readonly attacks: readonly Row[];
}

/** @param board while it is waited for, what does not need it is made */
export async function evaloopTables(
  database: RunDatabase,
  manifest: Manifest,
  board: readonly LeaderboardRow[] | Promise<readonly LeaderboardRow[]>,
): Promise<EvaloopTables> {
  // The queries of one are answered beside the resampling of another.
  const [survivals, attacks, sampling, ranks, rows] = await Promise.all([
    loopSurvivals(database, manifest),
    Promise.all(evaloopStudies(manifest).map((study) => attacksOf(database, manifest, study))),
    greedyAndSampled(database, manifest),
    Promise.resolve(board).then((rows) => loopRanks(database, manifest, rows)),
    board,
  ]);
  const loops = {
    ...rankTables(ranks),
    ...reliabilityTables(loopReliabilities(manifest, rows), sampling),
    ...survivalTables(survivals),
  };
  const simulated = await simulatedModels(database, manifest.runId);
  return { attacks: attacks.flat(), ...mapTables(loops, (row) => ({ ...row, ...label(row, simulated) })) };
}

const simulatedModels = async (database: RunDatabase, run: string): Promise<ReadonlySet<Row[string]>> =>
  new Set(
    (await records(database, `select distinct model from loops where run = ${quoteText(run)} and simulated`)).map(
      ({ model }) => model ?? null,
    ),
  );

/** Says of a row that names a model, or two, whether it is about a simulated one. */
const label = ({ model, other_model }: Row, simulated: ReadonlySet<Row[string]>): Row =>
  model === undefined ? {} : { simulated: simulated.has(model) || (other_model !== undefined && simulated.has(other_model)) };

function mapTables<Tables extends object>(all: Tables, change: (row: Row) => Row): Tables {
  const changed = Object.entries(all).map(([name, rows]) => [name, (rows as readonly Row[]).map(change)] as const);
  return Object.fromEntries(changed) as Tables;
}

async function attacksOf(database: RunDatabase, { runId, spec }: Manifest, { name, settings }: EvaloopStudy): Promise<Row[]> {
  if (settings.attacks.length === 0) return [];
  const loops = await records(database, `from loops where run = ${quoteText(runId)} and study = ${quoteText(name)}`);
  const variants = attacksByVariant(attackSettings(settings));
  return attackRows(loops, { maxLoops: settings.maxLoops, seed: spec.seed, variants });
}

const tableNames = [
  'attacks',
  'loop_ranks',
  'loop_pairs',
  'loop_rank_changes',
  'loop_groups',
  'loop_places',
  'loop_reliability',
  'loop_sampling',
  'loop_survival',
  'loop_tests',
  'loop_breaks',
  'loop_lengths',
  'loop_fixpoints',
] as const satisfies readonly (keyof EvaloopTables)[];

/** The tables as they stand now: stored ones of a run that has ended whole, otherwise over the pages sealed so far. */
export async function currentEvaloopTables(database: RunDatabase, board: readonly LeaderboardRow[]): Promise<EvaloopTables> {
  const parts: EvaloopTables[] = [];
  for (const manifest of database.manifests.filter((one) => evaloopStudies(one).length > 0))
    parts.push(isStored(manifest) ? await storedTables(database, manifest) : await evaloopTables(database, manifest, board));
  return eachTable(async (name) => parts.flatMap((part) => part[name]));
}

/** Not those of a run that an earlier version made, which had attacks alone. */
const isStored = ({ state, parts }: Manifest): boolean => state === 'complete' && parts.some(({ table }) => table === 'loop_survival');

const storedTables = (database: RunDatabase, { runId }: Manifest): Promise<EvaloopTables> =>
  eachTable((name) => records(database, `select * from ${name} where run = ${quoteText(runId)} order by ${tables[name].key.join(', ')}`));

async function eachTable(rowsOf: (name: keyof EvaloopTables) => Promise<Row[]>): Promise<EvaloopTables> {
  const found = await Promise.all(tableNames.map(async (name) => [name, await rowsOf(name)] as const));
  return Object.fromEntries(found) as Record<keyof EvaloopTables, Row[]>;
}
