/** The first answers of a study to its unchanged prompts, from a run's tables. */
import type { Place, Solution } from '../domain/metrics/nfr-solutions.ts';
import { numberOf, textOf } from '../domain/metrics/row-order.ts';
import { excludedOutcomes, type Outcome, outcomes } from '../schemas/states.ts';
import type { Row } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { type ModelOfStudy, modelRows } from './model-rows.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

/**
 * Judged by pass only, without quality or time. Repetitions and draws count as variants.
 * @param setting the only one that counts; null: all do
 */
export async function firstAnswers(
  database: RunDatabase,
  of: ModelOfStudy,
  setting: string | null = null,
): Promise<Solution[]> {
  const rows = await records(
    database,
    `from ${modelRows(database, 'verdicts', of)} where ${isFirstAnswer(setting)} ` +
      'order by task_id, setting, repetition, sample',
  );
  const cells = Map.groupBy(rows, (row) =>
    JSON.stringify(['task_id', 'setting', 'repetition', 'sample'].map((column) => row[column] ?? null)),
  );
  return [...cells.values()].flatMap((verdicts) => {
    const [first] = verdicts;
    if (first === undefined) return [];
    return [
      {
        taskId: textOf(first, 'task_id'),
        setting: 'function-only',
        dimension: 'function-only',
        variant: variantOf({ setting: textOf(first, 'setting'), sample: numberOf(first, 'sample') }),
        repetition: numberOf(first, 'repetition'),
        phrasing: null,
        prompt: textOf(first, 'setting'),
        outcomes: new Map(verdicts.map((verdict) => [textOf(verdict, 'suite'), outcomeOf(verdict)])),
        ...executionsOf(verdicts),
        quality: null,
        timing: null,
        simulated: first['simulated'] === true,
      },
    ];
  });
}

const variantOf = ({ setting, sample }: { readonly setting: string; readonly sample: number }): string =>
  `${setting} ${sample}`;

/** `t0.8, repetition 2, sample 1`: counted from 1, as reports do. The setting of a study with only one is not said. */
export function answerName({ variant, repetition }: Place): string {
  const at = variant.lastIndexOf(' ');
  const setting = variant.slice(0, at);
  const place = `repetition ${repetition + 1}, sample ${Number(variant.slice(at + 1)) + 1}`;
  return setting === 'default' ? place : `${setting}, ${place}`;
}

/** SQL condition for the verdicts on first answers. @param setting the only one that counts; null: all do */
export const isFirstAnswer = (setting: string | null): string =>
  `variant = 'original' AND step = 'generate' AND loop = 1` +
  (setting === null ? '' : ` AND setting = ${quoteText(setting)}`);

/** By suite that could not judge it, what was run: a hash of program, task, suite, limits and sandbox. */
export function executionsOf(verdicts: readonly Row[]): Pick<Solution, 'executions'> {
  const unjudged = verdicts.filter(
    (verdict) => excludedOutcomes.has(outcomeOf(verdict)) && typeof verdict['execution_id'] === 'string',
  );
  if (unjudged.length === 0) return {};
  return { executions: new Map(unjudged.map((row) => [textOf(row, 'suite'), textOf(row, 'execution_id')])) };
}

/** The outcome in a row of `verdicts`. Throws for a value that is not in the closed list. */
export function outcomeOf(verdict: Row): Outcome {
  const outcome = outcomes.find((one) => one === verdict['outcome']);
  if (outcome === undefined)
    throw new Error(`table verdicts holds an unknown outcome: ${JSON.stringify(verdict['outcome'])}`);
  return outcome;
}
