/** Table `asl` as it stands now: the stored rows, or, while the run goes on, the estimates over what is sealed so far. */
import { aslRows } from '../domain/metrics/asl-rows.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import { type Row, tables } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { aslWithCosts } from './model-costs.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

type EvaloopStudy = Extract<SpecStudy, { kind: 'evaloop' }>;

/** All rows, in the order of runs and of the specs' studies. */
export async function currentAsl(database: RunDatabase): Promise<Row[]> {
  const studies = database.manifests.flatMap((manifest) =>
    manifest.spec.studies.filter((study) => study.kind === 'evaloop').map((study) => aslOfStudy(database, manifest, study)),
  );
  return (await Promise.all(studies)).flat();
}

async function aslOfStudy(database: RunDatabase, manifest: Manifest, study: EvaloopStudy): Promise<Row[]> {
  const own = `run = ${quoteText(manifest.runId)} AND study = ${quoteText(study.name)}`;
  const order = tables.asl.key.join(', ');
  const stored = await records(database, `SELECT * FROM asl WHERE ${own} ORDER BY ${order}`);
  const sealed = await records(
    database,
    `SELECT ${order}, count(*) AS cells FROM loops WHERE ${own} AND variant = 'original' GROUP BY ALL ORDER BY ${order}`,
  );
  if (isCurrent(stored, sealed)) return stored;
  const loops = await records(database, `SELECT * FROM loops WHERE ${own}`);
  const suites = await records(
    database,
    `SELECT * FROM suites WHERE run = ${quoteText(manifest.runId)} AND benchmark = ${quoteText(study.benchmark)}`,
  );
  const { maxLoops, judge } = study.settings;
  return aslWithCosts(database, aslRows(loops, { maxLoops, judge: judge === 'none' ? null : judge }, suites));
}

/** Both in key order: the stored rows cover exactly the sealed cells. */
const isCurrent = (stored: readonly Row[], sealed: readonly Row[]): boolean =>
  stored.length === sealed.length &&
  stored.every((row, index) => Number(row['n']) + Number(row['n_excluded']) === sealed[index]?.['cells']);
