/** A report's data about PromptSE studies: results, counts and distances of variants, and some variants in full. */
import published from '../../../data/published/promptse.json' with { type: 'json' };
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import { checkVariant, originalOf } from '../../variants/invariance.ts';
import { renamingOf, withNames } from '../../variants/renaming.ts';
import { passagesOf } from '../../variants/prompt-parts.ts';
import { type PromptseBoardRow, promptseBoard } from '../results/board.ts';
import { promptseQuestions, type StudyQuestions, trajectoriesOf } from '../results/questions/study-questions.ts';
import { currentPromptseTables, promptseStudies } from '../results/tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';

export interface PromptseReport {
  readonly board: readonly PromptseBoardRow[];
  readonly questions: readonly StudyQuestions[];
  readonly sets: readonly VariantSetSummary[];
  readonly reviews: readonly VariantReview[];
  /** Numbers from the paper's text, for comparison; null if no run has such a study. */
  readonly published: typeof published | null;
}

/** Variants of one study at one distance. */
export interface VariantSetSummary {
  readonly run: string;
  readonly study: string;
  readonly rewriter: string;
  readonly templateVersion: string;
  readonly distance: number;
  readonly accepted: number;
  readonly missing: number;
  /** The most frequent reason for missing variants; null if none is missing. */
  readonly reason: string | null;
  /** Draws per variant. */
  readonly attempts: number;
  /** Measured word edit distance: mean, minimum, maximum. */
  readonly measured: readonly [number, number, number] | null;
}

/** A task's original prompt and its variants, for a person to review. */
export interface VariantReview {
  readonly run: string;
  readonly study: string;
  readonly taskId: string;
  /** The whole prompt. */
  readonly prompt: string;
  /** Its passages in natural language, all that a variant may change. */
  readonly passages: string;
  readonly variants: readonly ReviewedVariant[];
}

export interface ReviewedVariant {
  readonly variant: string;
  readonly distance: number;
  readonly emotion: string | null;
  readonly personality: string;
  readonly editDistance: number | null;
  /** Its passages; null if the variant is missing; `reason` says why. */
  readonly passages: string | null;
  readonly reason: string | null;
}

/** Tasks whose variants are shown in full; all are in table `variants`. */
const reviewedTasks = 6;

export async function collectPromptse(database: RunDatabase): Promise<PromptseReport> {
  if (!database.manifests.some((manifest) => promptseStudies(manifest).length > 0))
    return { board: [], questions: [], sets: [], reviews: [], published: null };
  const sets = await records(database, setSummaries);
  const reviews = await records(database, reviewRows);
  const tables = await currentPromptseTables(database);
  return {
    board: await promptseBoard(database, tables),
    questions: await promptseQuestions(database, tables),
    published,
    sets: sets.map((row) => ({
      run: textOf(row, 'run'),
      study: textOf(row, 'study'),
      rewriter: textOf(row, 'rewriter'),
      templateVersion: textOf(row, 'template_version'),
      distance: numberOf(row, 'distance'),
      accepted: numberOf(row, 'accepted'),
      missing: numberOf(row, 'missing'),
      reason: row['reason'] == null ? null : textOf(row, 'reason'),
      attempts: numberOf(row, 'draws'),
      measured:
        row['mean'] === null ? null : [numberOf(row, 'mean'), numberOf(row, 'least'), numberOf(row, 'greatest')],
    })),
    reviews: [
      ...Map.groupBy(reviews, (row) => JSON.stringify([row['run'], row['study'], row['task_id']])).values(),
    ].map(reviewOf),
  };
}

/** For the JSON form: every model with its confidence by token position. */
export async function promptseDocument(
  database: RunDatabase,
  { questions, ...report }: PromptseReport,
): Promise<object> {
  const documents = [];
  for (const { trajectories, withTokens: _, affect, ...rest } of questions) {
    const others = affect.map(({ model }) => model).filter((model) => !trajectories.some((one) => one.model === model));
    const all = [...trajectories, ...(await trajectoriesOf(database, rest, others))];
    const byModel = new Map(all.map((one) => [one.model, one]));
    documents.push({ ...rest, affect: affect.map((one) => ({ ...one, ...byModel.get(one.model) })) });
  }
  return { ...report, questions: documents };
}

const setSummaries = `
  SELECT run, study, rewriter, template_version, distance,
    count(*) FILTER (WHERE status = 'accepted')::INT AS accepted,
    count(*) FILTER (WHERE status <> 'accepted')::INT AS missing,
    mode(reason) FILTER (WHERE status <> 'accepted') AS reason, avg(attempts) AS draws,
    avg(edit_distance) AS mean, min(edit_distance) AS least, max(edit_distance) AS greatest
  FROM variants WHERE kind = 'style' GROUP BY ALL ORDER BY ALL`;

const reviewRows = `
  WITH chosen AS (
    SELECT run, study, task_id, row_number() OVER (PARTITION BY run, study ORDER BY hash(task_id), task_id) AS place
    FROM (SELECT DISTINCT run, study, task_id FROM variants WHERE kind = 'style'))
  SELECT v.*, t.prompt AS original, t.entry_point FROM variants v
  JOIN chosen c USING (run, study, task_id)
  JOIN tasks t ON t.run = v.run AND t.benchmark = v.benchmark AND t.task_id = v.task_id
  WHERE c.place <= ${reviewedTasks} ORDER BY v.run, v.study, v.task_id, v.variant`;

const joined = (passages: readonly string[]): string => passages.map((text) => text.replace(/\s+/g, ' ')).join(' … ');

type ReviewRow = Awaited<ReturnType<typeof records>>[number];

function reviewOf(rows: readonly ReviewRow[]): VariantReview {
  const first = rows[0] as ReviewRow;
  const original = originalOf(textOf(first, 'original'), textOf(first, 'entry_point'), true);
  const text = (row: ReviewRow, column: string): string | null => (row[column] === null ? null : textOf(row, column));
  return {
    run: textOf(first, 'run'),
    study: textOf(first, 'study'),
    taskId: textOf(first, 'task_id'),
    prompt: textOf(first, 'original'),
    passages: joined(passagesOf(original.parts)),
    variants: rows.map((row) => {
      const renaming =
        row['prompt'] === null
          ? new Map<string, string>()
          : renamingOf(original.prompt, original.entryPoint, textOf(row, 'prompt'));
      return {
        variant: textOf(row, 'variant'),
        distance: numberOf(row, 'distance'),
        emotion: text(row, 'emotion'),
        personality: [
          row['technical'],
          row['experience'],
          row['collaboration'],
          ...[...renaming].map((names) => names.join(' → ')),
        ]
          .filter((part) => part !== null)
          .join(', '),
        editDistance: row['edit_distance'] === null ? null : numberOf(row, 'edit_distance'),
        passages:
          row['prompt'] === null
            ? null
            : withNames(joined(checkVariant(original, textOf(row, 'prompt')).passages ?? []), renaming),
        reason: text(row, 'reason'),
      };
    }),
  };
}
