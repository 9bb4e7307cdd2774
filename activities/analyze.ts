/** Tables derived from all sealed pages: SQL selects, the domain estimates over rows in key order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainStudies, chainTables } from '../analysis/chain-tables.ts';
import { openRun, type RunDatabase } from '../analysis/database.ts';
import { evaloopStudies } from '../analysis/evaloop-studies.ts';
import { evaloopTables } from '../analysis/evaloop-tables.ts';
import { leaderboard } from '../analysis/leaderboard.ts';
import { aslWithCosts, modelCosts } from '../analysis/model-costs.ts';
import { calibrationOfRun, promptseStudies, promptseTables } from '../analysis/promptse-tables.ts';
import { robunfrStudies, robunfrTables } from '../analysis/robunfr-tables.ts';
import { records } from '../analysis/records.ts';
import { specificityStudies, specificityTables } from '../analysis/specificity-tables.ts';
import { aslRows } from '../domain/metrics/asl-rows.ts';
import { movedRows } from '../domain/metrics/moved-rows.ts';
import type { Row } from '../schemas/tables.ts';
import { type RunTables, writeRunTables } from './record.ts';
import type { Run } from './runs.ts';
import { variantOrderRows, variantRows } from './variant-rows.ts';

export async function analyze(run: Run, epoch: number, revision: number): Promise<void> {
  const database = await openRun(run.folder, isSource);
  try {
    const loops = evaloopStudies(run.manifest).length > 0 ? await loopTables(run, database) : { asl: [] };
    const hasMoods = promptseStudies(run.manifest).length > 0;
    const promptse = hasMoods
      ? { ...(await promptseTables(database, run.manifest)), ...(await calibrationOfRun(database, run.manifest)) }
      : {};
    const hasPosets = specificityStudies(run.manifest).length > 0;
    const posets = hasPosets ? { ...(await specificityTables(database, run.manifest)), variant_order: variantOrderRows(run) } : {};
    const robunfr = robunfrStudies(run.manifest).length > 0 ? await robunfrTables(database, run.manifest) : {};
    const chains = chainStudies(run.manifest).length > 0 ? await chainTables(database, run.manifest) : {};
    await writeRunTables(run, epoch, revision, {
      ...loops,
      ...promptse,
      ...posets,
      ...robunfr,
      ...chains,
      model_costs: await modelCosts(database),
      variants: variantRows(run),
      ...(await movedTable(run, database)),
    });
  } finally {
    database.close();
  }
}

/** What is derived here is no source of it: it may be of an earlier end, or damaged. */
const isSource = ({ page, table }: { readonly page: string; readonly table: string }): boolean =>
  page !== 'run' || ['models', 'settings', 'tasks', 'suites'].includes(table);

/** Of a run that was made from another's replies. */
async function movedTable(run: Run, database: RunDatabase): Promise<RunTables> {
  const before = run.manifest.rescored?.verdicts;
  if (before === undefined) return {};
  const rows = readFileSync(join(run.folder, before.file), 'utf8').trimEnd().split('\n');
  return {
    moved_verdicts: movedRows(
      run.runId,
      rows.filter((line) => line !== '').map((line) => JSON.parse(line) as Row),
      await records(database, 'from verdicts'),
    ),
  };
}

async function loopTables(run: Run, database: RunDatabase): Promise<RunTables> {
  const asl = aslTable(run, database);
  const board = asl.then((rows) => leaderboard(database, rows));
  const tables = await evaloopTables(database, run.manifest, board);
  return { asl: await asl, ...tables };
}

async function aslTable(run: Run, database: RunDatabase): Promise<Row[]> {
  const loops = await records(database, 'from loops');
  const suites = await records(database, 'from suites');
  const rows = run.spec.studies
    .filter((study) => study.kind === 'evaloop')
    .flatMap(({ name, settings }) => {
      const judge = settings.judge === 'none' ? null : settings.judge;
      const own = loops.filter((row) => row['study'] === name);
      return aslRows(own, { maxLoops: settings.maxLoops, judge }, suites);
    });
  return aslWithCosts(database, rows);
}
