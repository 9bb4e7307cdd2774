/**
 * Failure analysis (section 5.2 of the paper): counts by kind, and tasks that pass in Function-Only
 * and fail with the requirement.
 */
import { excludedList } from '../../../analysis/excluded-list.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';

/** Solutions of one model under one workflow and requirement. */
export interface FailureCounts {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  readonly workflow: string;
  readonly dimension: string;
  readonly solutions: number;
  /** By kind, as in table `nfr_scores`. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Failures of tasks that pass in Function-Only in the same repetition. */
  readonly broken: number;
  readonly simulated: boolean;
}

/** A task that passes in Function-Only and fails with the requirement, with the first phrasing in which it fails. */
export interface BrokenTask {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  readonly workflow: string;
  readonly dimension: string;
  readonly phrasing: string;
  readonly taskId: string;
  /** Number of phrasings in which it fails. */
  readonly phrasings: number;
  readonly failure: string;
  /** Details of the failure, such as the exception. */
  readonly detail: string | null;
  readonly plain: string | null;
  /** Null if the reply held no code. */
  readonly required: string | null;
  readonly reply: string | null;
}

export const failureKinds = [
  'raises',
  'wrong_output',
  'syntax_error',
  'timeout',
  'no_code',
  'nothing_to_improve',
  'other',
  'excluded',
] as const;

const broken = `
  FROM nfr_scores s JOIN nfr_scores p ON p.run = s.run AND p.study = s.study AND p.model = s.model
    AND p.benchmark = s.benchmark AND p.task_id = s.task_id AND p.repetition = s.repetition
    AND p.dimension = 'function-only' AND p.passed
  WHERE s.dimension <> 'function-only' AND NOT s.passed`;

export async function failureCounts(database: RunDatabase): Promise<FailureCounts[]> {
  const kinds = failureKinds.map((kind) => `count(*) FILTER (WHERE failure = '${kind}')::INT AS ${kind}`).join(', ');
  const rows = await records(
    database,
    `SELECT run, study, model, setting, dimension, count(*)::INT AS solutions, ${kinds}, bool_or(simulated) AS simulated
     FROM nfr_scores GROUP BY ALL ORDER BY run, study, model, setting, dimension`,
  );
  const lost = await records(
    database,
    `SELECT s.run, s.study, s.model, s.setting, s.dimension, count(*)::INT AS broken ${broken} GROUP BY ALL`,
  );
  const brokenOf = new Map(lost.map((row) => [placeName(row), numberOf(row, 'broken')]));
  return rows.map((row) => ({
    ...placeOf(row),
    solutions: numberOf(row, 'solutions'),
    kinds: Object.fromEntries(failureKinds.map((kind) => [kind, numberOf(row, kind)])),
    broken: brokenOf.get(placeName(row)) ?? 0,
    simulated: row['simulated'] === true,
  }));
}

/** The first phrasing in which each task fails, with its program and the plain one of the same repetition. */
const brokenSql = `
  WITH lost AS (
    SELECT s.*, row_number() OVER (task ORDER BY s.variant) AS turn, (count(*) OVER task)::INT AS phrasings
    ${broken}
    WINDOW task AS (PARTITION BY s.run, s.study, s.model, s.setting, s.dimension, s.benchmark, s.task_id)),
  chosen AS (FROM lost WHERE turn = 1),
  details AS (
    SELECT v.run, v.study, v.model, v.benchmark, v.task_id, v.variant, v.setting, v.repetition, v.step,
      coalesce(min(e.detail) FILTER (v.outcome NOT IN (${excludedList})), min(e.detail)) AS detail
    FROM verdicts v JOIN executions e USING (run, execution_id) WHERE v.outcome <> 'pass' GROUP BY ALL)
  SELECT c.run, c.study, c.model, c.setting, c.dimension, c.phrasing, c.task_id, c.phrasings, c.failure, d.detail,
    plain.solution AS plain, own.solution AS required, own.reply AS reply
  FROM chosen c
  LEFT JOIN samples plain ON plain.run = c.run AND plain.study = c.study AND plain.model = c.model
    AND plain.benchmark = c.benchmark AND plain.task_id = c.task_id AND plain.repetition = c.repetition
    AND plain.setting = 'function-only' AND plain.step = 'generate'
  LEFT JOIN samples own ON own.run = c.run AND own.study = c.study AND own.model = c.model
    AND own.benchmark = c.benchmark AND own.task_id = c.task_id AND own.repetition = c.repetition
    AND own.setting = c.setting AND own.variant = c.variant AND own.step = c.step
  LEFT JOIN details d ON d.run = c.run AND d.study = c.study AND d.model = c.model AND d.benchmark = c.benchmark
    AND d.task_id = c.task_id AND d.repetition = c.repetition AND d.setting = c.setting AND d.variant = c.variant
    AND d.step = c.step
  ORDER BY c.run, c.study, c.model, c.setting, c.dimension, c.phrasings DESC, c.task_id`;

export async function brokenTasks(database: RunDatabase): Promise<BrokenTask[]> {
  const rows = await records(database, brokenSql);
  return rows.map((row) => ({
    ...placeOf(row),
    phrasing: textOrNull(row, 'phrasing') ?? '',
    taskId: textOf(row, 'task_id'),
    phrasings: numberOf(row, 'phrasings'),
    failure: textOf(row, 'failure'),
    detail: textOrNull(row, 'detail'),
    plain: textOrNull(row, 'plain'),
    required: textOrNull(row, 'required'),
    reply: textOrNull(row, 'reply'),
  }));
}

const placeOf = (row: Row) => ({
  run: textOf(row, 'run'),
  study: textOf(row, 'study'),
  model: textOf(row, 'model'),
  workflow: textOf(row, 'setting'),
  dimension: textOf(row, 'dimension'),
});

const placeName = (row: Row): string => JSON.stringify(Object.values(placeOf(row)));
const textOrNull = (row: Row, column: string): string | null => (row[column] == null ? null : textOf(row, column));
