/**
 * Answers that one run has from another: taken over by `reuse`, or judged again by `rescore`. Between such answers no
 * model can differ.
 */
import type { RunDatabase } from '../../analysis/database.ts';
import type { Side } from '../../analysis/gate/compared.ts';
import { records } from '../../analysis/records.ts';
import { quoteText } from '../../analysis/views.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Row } from '../../schemas/tables.ts';

/** Two sides of a comparison. */
export interface SidePair {
  readonly old: Side;
  readonly now: Side;
  /** Tasks that are not compared. */
  readonly changed: ReadonlySet<string>;
}

export interface SameAnswers {
  /** Answers of the new side. */
  readonly all: number;
  /** Of these, answers that the old side has too. */
  readonly same: number;
}

/** Not one new answer is compared. */
export const isAllSame = ({ all, same }: SameAnswers): boolean => all > 0 && same === all;

/** Counts for any two sides; all 0 if no run took over answers. */
export async function sameAnswers(database: RunDatabase): Promise<(pair: SidePair) => SameAnswers> {
  const { manifests } = database;
  if (!isAnyTakenOver(database)) return () => ({ all: 0, same: 0 });
  const [all, same] = [
    await records(database, `${ownSql(manifests)} SELECT ${place}, count(*) AS n FROM own GROUP BY ALL`),
    await records(database, `${ownSql(manifests)} ${sameSql}`),
  ];
  const [allOf, sameOf] = [counter(all, ['run', 'study', 'model']), counter(same, [...sidesOfPair])];
  return ({ old, now, changed }) => {
    if (old.manifest === now.manifest) return { all: 0, same: 0 };
    const side = [now.manifest.runId, now.study.name, now.model];
    const others = [old.manifest.runId, old.study.name, old.model];
    return { all: allOf(side, changed), same: sameOf([...side, ...others], changed) };
  };
}

/** @param pairs of sides with the same model */
export async function sameAnswersNotes(database: RunDatabase, pairs: readonly SidePair[]): Promise<string[]> {
  const count = await sameAnswers(database);
  const byRuns = Map.groupBy(pairs, ({ old, now }) => JSON.stringify([old.manifest.runId, now.manifest.runId]));
  return [...byRuns].flatMap(([runs, own]) => {
    const counts = own.map(count);
    const [all, same] = [counts.reduce((sum, one) => sum + one.all, 0), counts.reduce((sum, one) => sum + one.same, 0)];
    const [old, now] = JSON.parse(runs) as [string, string];
    return same === 0
      ? []
      : [
          `${same} of ${all} compared answers of run ${now} are those of run ${old}, taken over and not asked again: ` +
            'on these the runs can differ only in how they judge',
        ];
  });
}

/** Whether a run has answers that it did not ask for. */
export const isAnyTakenOver = ({ manifests }: Pick<RunDatabase, 'manifests'>): boolean =>
  manifests.some(({ spec, rescored }) => spec.reuse.length > 0 || rescored !== undefined);

const place = 'run, study, model, benchmark, task_id';
const sidesOfPair = ['run', 'study', 'model', 'other_run', 'other_study', 'other_model'] as const;
const answer = 'study, model, benchmark, task_id, language, variant, setting, repetition, loop, step, ask, sample';

/**
 * The answers of all runs. Two are the same if their requests are, and the same run asked; a rescored run has its
 * answers at the places at which the run has them that asked, and an answer that was taken over from there is
 * recognized by its place too.
 */
const ownSql = (manifests: readonly Manifest[]): string => `
  WITH asked AS (
    SELECT run, call_key, any_value(origin) AS origin FROM calls WHERE status = 'answered' GROUP BY ALL),
  sources(run, source, asker) AS (VALUES ${manifests.map((one) => sourceSql(one, manifests)).join(', ')}),
  own AS (
    SELECT ${place}, hash(${answer}) AS answer,
      [hash(call_key, coalesce(origin, run)), hash(source, ${answer})]
        || CASE WHEN coalesce(origin, asker) IS NULL THEN [] ELSE [hash(coalesce(origin, asker), ${answer})] END AS ids
    FROM samples LEFT JOIN asked USING (run, call_key) LEFT JOIN sources USING (run)
    WHERE reply_status IS DISTINCT FROM 'not_asked')`;

/** Its id, the identity of the run that asked for its answers, and the id of that run where it is another one. */
function sourceSql(manifest: Manifest, manifests: readonly Manifest[]): string {
  const asker = askerOf(manifest, manifests);
  const name = asker.uuid === manifest.uuid ? 'NULL' : quoteText(asker.run);
  return `(${quoteText(manifest.runId)}, ${quoteText(asker.uuid)}, ${name})`;
}

/** Earlier programs did not note it where a rescored run was rescored: then as far as the given runs tell. */
function askerOf({ runId, uuid, rescored }: Manifest, manifests: readonly Manifest[]): Asker {
  if (rescored === undefined) return { run: runId, uuid };
  const source = manifests.find((other) => other.uuid === rescored.uuid);
  return rescored.asked ?? (source ? askerOf(source, manifests) : { run: rescored.run, uuid: rescored.uuid });
}

type Asker = Pick<NonNullable<Manifest['rescored']>, 'run' | 'uuid'>;

const sameSql = `,
  named AS (SELECT * EXCLUDE (ids), unnest(ids) AS id FROM own)
  SELECT ${sidesOfPair.join(', ')}, task_id, count(DISTINCT answer) AS n
  FROM named JOIN (
    SELECT DISTINCT run AS other_run, study AS other_study, model AS other_model, id FROM named) USING (id)
  WHERE run <> other_run GROUP BY ALL`;

/** Sums the column n of the rows of a place, without some tasks. */
function counter(
  rows: readonly Row[],
  columns: readonly string[],
): (values: readonly string[], without: ReadonlySet<string>) => number {
  const byPlace = Map.groupBy(rows, (row) => JSON.stringify(columns.map((column) => row[column])));
  return (values, without) =>
    (byPlace.get(JSON.stringify(values)) ?? [])
      .filter((row) => !without.has(textOf(row, 'task_id')))
      .reduce((sum, row) => sum + numberOf(row, 'n'), 0);
}
