/**
 * Answers that one side has from another: taken over by `reuse`, judged again by `rescore`, or those of a model of the
 * run that sends equal requests. Between such answers no model can differ.
 */
import type { RunDatabase } from '../../analysis/database.ts';
import { type Side, sideRows } from '../../analysis/gate/compared.ts';
import { records } from '../../analysis/records.ts';
import { quoteText } from '../../analysis/views.ts';
import { askedAs } from '../../domain/spec/equal-requests.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Manifest } from '../../schemas/manifest.ts';

/** Two sides of a comparison. */
export interface SidePair {
  readonly old: Side;
  readonly now: Side;
  /** Tasks that are not compared. */
  readonly changed: ReadonlySet<string>;
}

export interface SameAnswers {
  /** Answers of the new side that are compared: the old side has one at the same place. */
  readonly all: number;
  /** Of these, answers that the old side has too. */
  readonly same: number;
}

/** Not one new answer is compared. */
export const isAllSame = ({ all, same }: SameAnswers): boolean => all > 0 && same === all;

/** All 0 for sides that ask for their own answers. */
export async function sameAnswers(database: RunDatabase, { old, now, changed }: SidePair): Promise<SameAnswers> {
  if (!mayBeSame(database, old, now)) return { all: 0, same: 0 };
  const rows = await records(database, sameSql(database, old, now));
  const compared = rows.filter((row) => !changed.has(textOf(row, 'task_id')));
  const sumOf = (column: string): number => compared.reduce((sum, row) => sum + numberOf(row, column), 0);
  return { all: sumOf('compared'), same: sumOf('same') };
}

/** @param pairs of sides that may have the same answers */
export async function sameAnswersNotes(database: RunDatabase, pairs: readonly SidePair[]): Promise<string[]> {
  const counted: [string, SameAnswers][] = [];
  for (const pair of pairs) counted.push([whoseText(pair), await sameAnswers(database, pair)]);
  return [...Map.groupBy(counted, ([whose]) => whose)].flatMap(([whose, own]) => {
    const sumOf = (of: keyof SameAnswers): number => own.reduce((sum, [, count]) => sum + count[of], 0);
    return sumOf('same') === 0 ? [] : [`${sumOf('same')} of ${sumOf('all')} compared answers of ${whose}`];
  });
}

const whoseText = ({ old, now }: SidePair): string =>
  old.manifest === now.manifest
    ? `${now.model} are those of ${old.model}: they send equal requests, each of which is asked once, so that on ` +
      'these they cannot differ; ask them in runs of their own'
    : `run ${now.manifest.runId} are those of run ${old.manifest.runId}, taken over and not asked again: on these ` +
      'the runs can differ only in how they judge';

/**
 * Every two sides that are the same model of a study in two runs, whatever their ids, or ask alike in one, if they may
 * have the same answers; the side that is named first as the old one.
 */
export const pairsOfAnswers = (database: RunDatabase, sides: readonly Side[]): Pick<SidePair, 'old' | 'now'>[] =>
  sides.flatMap((now, place) =>
    sides
      .slice(0, place)
      .filter((old) => old.manifest === now.manifest || isSameModel(old, now))
      .filter((old) => mayBeSame(database, old, now))
      .map((old) => ({ old, now })),
  );

/** A model may have another id in each run, and in a rescored one its id alone. */
const isSameModel = (old: Side, now: Side): boolean => old.model === now.model || askedName(old) === askedName(now);
const askedName = ({ manifest, model }: Side): string =>
  manifest.spec.models.find(({ id }) => id === model)?.model ?? model;

/** Of two runs, whether one has answers that it did not ask for. */
const mayBeSame = ({ manifests }: Pick<RunDatabase, 'manifests'>, old: Side, now: Side): boolean =>
  old.manifest === now.manifest
    ? askedAs(now.manifest.spec, now.model).includes(old.model)
    : manifests.some(({ spec, rescored }) => spec.reuse.length > 0 || rescored !== undefined);

const place = 'benchmark, task_id, language, variant, setting, repetition, loop, step, ask, sample';

/**
 * By task. Two answers are the same if their requests are, and the same run asked; a rescored run has its answers at
 * the places at which the run has them that asked, and an answer that was taken over from there is recognized by its
 * place too.
 */
const sameSql = (database: RunDatabase, old: Side, now: Side): string => `
  WITH sources(run, source, asker) AS (
    SELECT DISTINCT * FROM (
      VALUES ${[old, now].map(({ manifest }) => sourceSql(manifest, database.manifests)).join(', ')})),
  old_answers AS (${answersSql(database, old)}), new_answers AS (${answersSql(database, now)}),
  known AS (SELECT DISTINCT unnest(ids) AS id FROM old_answers),
  taken AS (SELECT DISTINCT spot FROM (SELECT spot, unnest(ids) AS id FROM new_answers) SEMI JOIN known USING (id))
  SELECT task_id, count(*)::INT AS compared, count(t.spot)::INT AS same
  FROM new_answers n SEMI JOIN old_answers o ON n.spot = o.spot LEFT JOIN taken t ON n.spot = t.spot
  GROUP BY ALL`;

/** A reply may have been asked for by another study of the run. */
const answersSql = (database: RunDatabase, side: Side): string => `
  SELECT task_id, hash(${place}) AS spot,
    [hash(call_key, coalesce(origin, run)), hash(source, study, model, ${place})]
      || CASE WHEN coalesce(origin, asker) IS NULL THEN []
         ELSE [hash(coalesce(origin, asker), study, model, ${place})] END AS ids
  FROM ${sideRows(database, 'samples', side)} LEFT JOIN (
    SELECT run, call_key, any_value(origin) AS origin FROM calls
    WHERE run = ${quoteText(side.manifest.runId)} AND status = 'answered' GROUP BY ALL) USING (run, call_key)
  LEFT JOIN sources USING (run)
  WHERE reply_status IS DISTINCT FROM 'not_asked'`;

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
