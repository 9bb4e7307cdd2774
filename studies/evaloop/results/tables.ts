/**
 * EVALOOP's derived tables except `asl`, over the sealed pages: stored when a run ends,
 * computed for each report while it is active.
 */
import { judgeRows } from '../../../domain/metrics/judges/judge-rows.ts';
import { adjustedAttackRows, attackRows } from './attack-rows.ts';
import { aslColumns } from './asl-table.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { type Row, tables } from '../../../schemas/tables.ts';
import { attacksByVariant } from '../attacks/variants.ts';
import { attackSettings } from '../cells.ts';
import { judgeNames, judgementsOf, judgePanel } from '../judges.ts';
import type { EvaloopStudy } from '../settings.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { evaloopStudies } from './studies.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { loopRanks } from './ranks/loop-ranks.ts';
import { greedyAndSampled } from './reliability/greedy-and-sampled.ts';
import { loopReliabilities } from './reliability/loop-reliability.ts';
import { loopSurvivals } from './survival/loop-survival.ts';
import { type RankTables, rankTables } from './ranks/rank-rows.ts';
import { type ReliabilityTables, reliabilityTables } from './reliability/reliability-rows.ts';
import { type SurvivalTables, survivalTables } from './survival/survival-rows.ts';
import { modelSlices } from '../../../analysis/slices/model-slices.ts';
import { stepsOf } from '../../../analysis/slices/steps.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';

export interface EvaloopTables extends RankTables, ReliabilityTables, SurvivalTables {
  readonly attacks: readonly Row[];
  readonly loop_judges: readonly Row[];
}

/** @param board may be a promise: tables that do not need it are computed meanwhile */
export async function evaloopTables(
  database: RunDatabase,
  manifest: Manifest,
  board: readonly LeaderboardRow[] | Promise<readonly LeaderboardRow[]>,
): Promise<EvaloopTables> {
  const step = stepsOf(database);
  const [survivals, attacks, judges, sampling, ranks, reliabilities] = await Promise.all([
    step(() => loopSurvivals(database, manifest)),
    step(() => Promise.all(evaloopStudies(manifest).map((study) => attacksOf(database, manifest, study)))),
    step(() => Promise.all(evaloopStudies(manifest).map((study) => judgesOf(database, manifest, study)))),
    step(() => greedyAndSampled(database, manifest)),
    step(async () => loopRanks(database, manifest, await board)),
    step(async () => loopReliabilities(database, manifest, await board)),
  ]);
  const loops = {
    ...rankTables(ranks),
    ...reliabilityTables(reliabilities, sampling),
    ...survivalTables(survivals),
  };
  const simulated = await simulatedModels(database, manifest.runId);
  return {
    attacks: attacks.flat(),
    loop_judges: judges.flat(),
    ...mapTables(loops, (row) => ({ ...row, ...label(row, simulated) })),
  };
}

const simulatedModels = async (database: RunDatabase, run: string): Promise<ReadonlySet<Row[string]>> =>
  new Set(
    (await records(database, `select distinct model from loops where run = ${quoteText(run)} and simulated`)).map(
      ({ model }) => model ?? null,
    ),
  );

/** Marks a row that names one or two models as simulated if any of them is. */
const label = ({ model, other_model }: Row, simulated: ReadonlySet<Row[string]>): Row =>
  model === undefined
    ? {}
    : { simulated: simulated.has(model) || (other_model !== undefined && simulated.has(other_model)) };

function mapTables<Tables extends object>(all: Tables, change: (row: Row) => Row): Tables {
  const changed = Object.entries(all).map(([name, rows]) => [name, (rows as readonly Row[]).map(change)] as const);
  return Object.fromEntries(changed) as Tables;
}

async function attacksOf(
  database: RunDatabase,
  { runId, spec }: Manifest,
  { name, settings }: EvaloopStudy,
): Promise<Row[]> {
  if (settings.attacks.length === 0) return [];
  const own = `run = ${quoteText(runId)} and study = ${quoteText(name)} and setting = 'default'`;
  const variants = attacksByVariant(attackSettings(settings));
  const rows: Row[] = [];
  for (const models of await modelSlices(database, 'loops', own)) {
    const loops = await records(database, `select ${aslColumns} from loops where ${own} and ${models}`);
    rows.push(...attackRows(loops, { maxLoops: settings.maxLoops, seed: spec.seed, variants }));
  }
  return adjustedAttackRows(rows);
}

async function judgesOf(database: RunDatabase, { runId }: Manifest, { name, settings }: EvaloopStudy): Promise<Row[]> {
  const judges = judgePanel(settings);
  if (judgementsOf(judges).length < 2) return [];
  const own = `run = ${quoteText(runId)} and study = ${quoteText(name)} and variant = 'original'`;
  const rows: Row[] = [];
  for (const models of await modelSlices(database, 'loops', own)) {
    const loops = await records(database, `select ${aslColumns} from loops where ${own} and ${models}`);
    const judgements = await records(database, `from judgements where ${own} and ${models}`);
    rows.push(...judgeRows(loops, judgements, { maxLoops: settings.maxLoops, judge: judgeNames(judges), judges }));
  }
  return rows;
}

export const loopTableNames = [
  'attacks',
  'loop_judges',
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

/** The current tables: the stored ones of a complete run, otherwise computed over the pages sealed so far. */
export async function currentEvaloopTables(
  database: RunDatabase,
  board: readonly LeaderboardRow[],
): Promise<EvaloopTables> {
  const parts: EvaloopTables[] = [];
  for (const manifest of database.manifests.filter((one) => evaloopStudies(one).length > 0))
    parts.push(
      isStored(manifest) ? await storedTables(database, manifest) : await evaloopTables(database, manifest, board),
    );
  return eachTable(async (name) => parts.flatMap((part) => part[name]));
}

/** False for runs of an earlier version, which stored only `attacks`. */
const isStored = ({ state, parts }: Manifest): boolean =>
  state === 'complete' && parts.some(({ table }) => table === 'loop_survival');

const storedTables = (database: RunDatabase, { runId }: Manifest): Promise<EvaloopTables> =>
  eachTable((name) =>
    records(database, `select * from ${name} where run = ${quoteText(runId)} order by ${tables[name].key.join(', ')}`),
  );

async function eachTable(rowsOf: (name: keyof EvaloopTables) => Promise<Row[]>): Promise<EvaloopTables> {
  const found = await Promise.all(loopTableNames.map(async (name) => [name, await rowsOf(name)] as const));
  return Object.fromEntries(found) as Record<keyof EvaloopTables, Row[]>;
}
