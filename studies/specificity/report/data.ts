/**
 * A report's data about PartialOrderEval studies: curves, sufficient levels, violations, sizes, prompt sets, and some
 * tasks' prompts in full.
 */
import { numberOf, numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import { leftOutText } from '../../../schemas/archive.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';
import { currentSpecificityTables, specificityStudies } from '../results/tables.ts';

export interface SpecificityReport {
  readonly studies: readonly SpecificityStudyReport[];
}

export interface SpecificityStudyReport {
  readonly run: string;
  readonly study: string;
  readonly benchmark: string;
  /** Rows of tables `specificity_curve`, `specificity_summary`, `specificity_pairs` and `specificity_sizes`. */
  readonly curve: readonly Row[];
  readonly summary: readonly Row[];
  readonly pairs: readonly Row[];
  readonly sizes: readonly Row[];
  /** Rows of the tables of themes. */
  readonly themes: {
    readonly counts: readonly Row[];
    readonly agreement: readonly Row[];
    readonly passing: readonly Row[];
  };
  /**
   * For programs with a driver, by model: answers by outcome, speed-ups, and answers without a pragma.
   * Empty without such programs.
   */
  readonly drivers: {
    readonly outcomes: readonly Row[];
    readonly speedups: readonly Row[];
    readonly pragmas: readonly Row[];
  };
  readonly sets: readonly SetSummary[];
  /** Number of tasks whose maximal prompt the check model solved; null without a check model. */
  readonly check: {
    readonly checker: string;
    readonly solved: number;
    readonly tasks: number;
    readonly threshold: number;
  } | null;
  /** Prompts that a person should review, and missing prompts. */
  readonly flagged: readonly FlaggedPrompt[];
  readonly reviews: readonly PosetReview[];
}

/** Prompts of one level of a set. */
export interface SetSummary {
  readonly augmentation: string;
  readonly level: number | null;
  readonly accepted: number;
  readonly flagged: number;
  readonly missing: number;
  /** Number of distinct texts; null in an archive without them. */
  readonly distinct: number | null;
  /** Mean, minimum and maximum of words. */
  readonly words: readonly [number, number, number] | null;
}

export interface FlaggedPrompt {
  readonly taskId: string;
  readonly variant: string;
  readonly status: string;
  readonly reason: string;
}

export interface PosetReview {
  readonly taskId: string;
  readonly prompts: readonly {
    readonly variant: string;
    readonly words: number | null;
    readonly prompt: string | null;
    readonly reason: string | null;
  }[];
}

/** Tasks whose prompts are shown in full; all are in table `variants`. */
const reviewedTasks = 3;
const mostFlagged = 200;

export async function collectSpecificity(database: RunDatabase): Promise<SpecificityReport> {
  const named = database.manifests.flatMap((manifest) =>
    specificityStudies(manifest).map((study) => ({ run: manifest.runId, study })),
  );
  if (named.length === 0) return { studies: [] };
  const tables = await currentSpecificityTables(database);
  const sets = await records(database, setSummaries);
  const flagged = await records(database, flaggedPrompts);
  const reviews = await records(database, reviewRows);
  const checks = await records(database, checkedTasks);
  const outcomes = await records(database, drivenOutcomes);
  const speedups = await records(database, drivenSpeedups);
  const pragmas = await records(database, missingPragmas);
  return {
    studies: named.map(({ run, study: { name, benchmark, settings } }) => {
      const own = (row: Row): boolean => row['run'] === run && row['study'] === name;
      const checked = checks.find(own);
      return {
        ...{ run, study: name, benchmark },
        curve: tables.specificity_curve.filter(own),
        summary: tables.specificity_summary.filter(own),
        pairs: tables.specificity_pairs.filter(own),
        sizes: tables.specificity_sizes.filter(own),
        themes: {
          counts: tables.theme_counts.filter(own),
          agreement: tables.theme_agreement.filter(own),
          passing: tables.theme_passing.filter(own),
        },
        drivers: { outcomes: outcomes.filter(own), speedups: speedups.filter(own), pragmas: pragmas.filter(own) },
        sets: sets.filter(own).map(setOf),
        check:
          settings.checker === 'none' || settings.variantSet !== undefined || checked === undefined
            ? null
            : {
                ...{ checker: settings.checker, threshold: settings.threshold },
                ...{ solved: numberOf(checked, 'solved'), tasks: numberOf(checked, 'tasks') },
              },
        flagged: flagged.filter(own).map((row) => ({
          ...{ taskId: textOf(row, 'task_id'), variant: textOf(row, 'variant'), status: textOf(row, 'status') },
          reason: String(row['reason'] ?? ''),
        })),
        reviews: [...Map.groupBy(reviews.filter(own), (row) => textOf(row, 'task_id'))].map(([taskId, rows]) =>
          reviewOf(taskId, rows),
        ),
      };
    }),
  };
}

const setSummaries = `
  SELECT run, study, augmentation, level, count(*) FILTER (WHERE status = 'accepted')::INT AS accepted,
    count(*) FILTER (WHERE status = 'flagged')::INT AS flagged,
      count(*) FILTER (WHERE status = 'missing')::INT AS missing,
    CASE WHEN bool_or(prompt = ${quoteText(leftOutText)}) THEN NULL ELSE count(DISTINCT prompt)::INT END AS texts,
    avg(words) AS mean, min(words)::INT AS least, max(words)::INT AS most
  FROM variants WHERE kind = 'detail' GROUP BY run, study, augmentation, level
  ORDER BY run, study, list_position(['minimal', 'summary', 'paragraphs', 'mask', 'maximal', 'original'], augmentation),
    level`;

const checkedTasks = `
  SELECT run, study, count(*) FILTER (WHERE status = 'accepted')::INT AS solved, count(*)::INT AS tasks
  FROM variants WHERE kind = 'detail' AND augmentation = 'maximal' GROUP BY ALL`;

/** Answers to the poset's prompts; in this format the suite of a driver is named `driver`. */
const drivenOutcomes = `
  SELECT run, study, model, outcome, count(*)::INT AS n FROM verdicts
  WHERE suite = 'driver' AND language = 'cpp' AND setting = 'default' GROUP BY ALL ORDER BY ALL`;

const drivenSpeedups = `
  WITH runs AS (SELECT DISTINCT ON (run, execution_id, threads, repeat) * FROM parallel_runs WHERE outcome = 'pass'),
    programs AS (SELECT run, execution_id, parallelism, threads, avg(speedup) AS speedup,
      bool_and(alone) AS alone FROM runs GROUP BY ALL),
    answers AS (SELECT DISTINCT run, study, model, execution_id FROM verdicts WHERE suite = 'driver' AND setting =
      'default')
  SELECT run, study, model, parallelism, threads, count(*)::INT AS programs, median(speedup) AS median,
    quantile_cont(speedup, 0.25) AS low,
    quantile_cont(speedup, 0.75) AS high, bool_and(alone) AS alone
  FROM answers JOIN programs USING (run, execution_id) GROUP BY ALL ORDER BY run, study, model, parallelism, threads`;

const missingPragmas = `
  SELECT run, study, model, count_if(pragma_missing)::INT AS without,
    count(pragma_missing)::INT AS asked FROM prompt_passes GROUP BY ALL ORDER BY ALL`;

const flaggedPrompts = `
  SELECT * FROM variants WHERE kind = 'detail' AND status <> 'accepted' ORDER BY run, study, task_id,
    variant LIMIT ${mostFlagged}`;

const reviewRows = `
  WITH chosen AS (
    SELECT run, study, task_id, row_number() OVER (PARTITION BY run, study ORDER BY hash(task_id), task_id) AS place
    FROM (SELECT DISTINCT run, study, task_id FROM variants WHERE kind = 'detail'))
  SELECT v.* FROM variants v JOIN chosen c USING (run, study, task_id) WHERE c.place <= ${reviewedTasks}
  ORDER BY v.run, v.study, v.task_id, list_position(['minimal', 'summary', 'paragraphs', 'mask', 'maximal', 'original'],
    v.augmentation), v.level, v.draw`;

const setOf = (row: Row): SetSummary => ({
  augmentation: textOf(row, 'augmentation'),
  level: row['level'] === null ? null : numberOf(row, 'level'),
  ...{ accepted: numberOf(row, 'accepted'), flagged: numberOf(row, 'flagged'), missing: numberOf(row, 'missing') },
  distinct: numberOrNull(row, 'texts'),
  words: row['mean'] === null ? null : [numberOf(row, 'mean'), numberOf(row, 'least'), numberOf(row, 'most')],
});

const reviewOf = (taskId: string, rows: readonly Row[]): PosetReview => ({
  taskId,
  prompts: rows.map((row) => ({
    variant: textOf(row, 'variant'),
    words: row['words'] === null ? null : numberOf(row, 'words'),
    prompt: row['prompt'] === null ? null : textOf(row, 'prompt'),
    reason: row['reason'] === null ? null : textOf(row, 'reason'),
  })),
});
