/**
 * The current table `asl`: the stored rows or, while the run is active, estimates over the pages sealed so far.
 */
import { aslRows } from '../../../domain/metrics/asl-rows.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { type Row, tables } from '../../../schemas/tables.ts';
import { judgeNames, judgePanel } from '../judges.ts';
import type { EvaloopStudy } from '../settings.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { evaloopStudies } from './studies.ts';
import { aslWithCosts } from '../../../analysis/model-costs.ts';
import { modelSlices } from '../../../analysis/slices/model-slices.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';

/** All rows, in the order of runs and of the specs' studies. */
export async function currentAsl(database: RunDatabase): Promise<Row[]> {
  const studies = database.manifests.flatMap((manifest) =>
    evaloopStudies(manifest).map((study) => aslOfStudy(database, manifest, study)),
  );
  return (await Promise.all(studies)).flat();
}

async function aslOfStudy(database: RunDatabase, manifest: Manifest, study: EvaloopStudy): Promise<Row[]> {
  const own = `run = ${quoteText(manifest.runId)} AND study = ${quoteText(study.name)}`;
  const order = tables.asl.key.join(', ');
  const stored = await records(database, `SELECT * FROM asl WHERE ${own} ORDER BY ${order}`);
  const sealed = await records(
    database,
    `SELECT ${order}, count(*) AS cells FROM loops WHERE ${own} AND variant = 'original' ` +
      `GROUP BY ALL ORDER BY ${order}`,
  );
  if (isCurrent(stored, sealed)) return stored;
  return aslWithCosts(database, await estimatesOf(database, manifest, study));
}

/** The estimates of one run over its sealed pages, in the order of the spec's studies. @param atATime cells, about */
export async function estimatedAsl(database: RunDatabase, manifest: Manifest, atATime?: number): Promise<Row[]> {
  const estimates = evaloopStudies(manifest).map((study) => estimatesOf(database, manifest, study, atATime));
  return aslWithCosts(database, (await Promise.all(estimates)).flat());
}

async function estimatesOf(
  database: RunDatabase,
  { runId }: Manifest,
  { name, benchmark, settings }: EvaloopStudy,
  atATime?: number,
): Promise<Row[]> {
  const ofRun = `run = ${quoteText(runId)}`;
  const own = `${ofRun} AND study = ${quoteText(name)} AND variant = 'original'`;
  const suites = await records(database, `SELECT * FROM suites WHERE ${ofRun} AND benchmark = ${quoteText(benchmark)}`);
  const judges = judgePanel(settings);
  const rows: Row[] = [];
  for (const models of await modelSlices(database, 'loops', own, atATime)) {
    const where = `${own} AND ${models}`;
    const loops = await records(database, `SELECT ${aslColumns} FROM loops WHERE ${where}`);
    const judgements = judges.models.length > 1 ? await records(database, `FROM judgements WHERE ${where}`) : [];
    rows.push(
      ...aslRows(loops, { maxLoops: settings.maxLoops, judge: judgeNames(judges), judges }, suites, judgements),
    );
  }
  return rows;
}

/** What the estimates need of table `loops`. */
export const aslColumns = [
  ...tables.loops.key,
  'ended_by',
  'ended_outcome',
  'sustained_loops',
  'similarity',
  'simulated',
].join(', ');

/** Whether the stored rows cover exactly the sealed cells. Both must be in key order. */
const isCurrent = (stored: readonly Row[], sealed: readonly Row[]): boolean =>
  stored.length === sealed.length &&
  stored.every((row, index) => Number(row['n']) + Number(row['n_excluded']) === sealed[index]?.['cells']);
