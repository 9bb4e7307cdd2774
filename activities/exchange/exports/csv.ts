/**
 * Answers as CSV, in the columns that `import --format csv` reads: a row per answer, with its verdict on each suite.
 */
import type { Json } from '@duckdb/node-api';
import { records } from '../../../analysis/records.ts';
import { csvRows } from '../../../analysis/rows/csv-rows.ts';
import type { ExportSource, WriteText } from './export-format.ts';
import { numberedAnswers, type NumberedAnswer } from './evaluation.ts';
import { judgedAnswers, passedOf } from './judged-answers.ts';

export const csvText: WriteText = (source) => csvOf(numberedAnswers(judgedAnswers(source)), suitesOf(source));

async function suitesOf({ database }: ExportSource): Promise<string[]> {
  const rows = await records(database, 'SELECT DISTINCT suite FROM verdicts ORDER BY suite');
  return (rows as unknown as readonly { suite: string }[]).map(({ suite }) => suite);
}

const plain = [
  ...(['study', 'benchmark', 'language', 'variant', 'setting', 'repetition', 'loop', 'outcome', 'counted'] as const),
];

export async function* csvOf(
  answers: AsyncIterable<NumberedAnswer>,
  named: Promise<readonly string[]> | readonly string[],
): AsyncGenerator<string> {
  const suites = await named;
  const columns = ['task_id', 'sample', 'model', 'solution', 'reply', 'finish_reason', 'passed'];
  const names = [...columns, ...suites.map((suite) => `passed_${suite}`), ...plain];
  const batches = (async function* () {
    for await (const answer of answers) yield [rowOf(answer, suites)];
  })();
  for await (const block of csvRows({ columns: names.map((name) => ({ name, type: 'VARCHAR' })), batches }, same))
    yield `${block}\n`;
}

const same = (text: string): string => text;

function rowOf(answer: NumberedAnswer, suites: readonly string[]): Json[] {
  const on = (suite: string): boolean | null => {
    const found = answer.suites.find((one) => one.suite === suite);
    return found === undefined ? null : passedOf(found.outcome);
  };
  return [
    ...[answer.source_task_id, answer.epoch - 1, answer.model, answer.solution, answer.reply],
    answer.reply_status === 'truncated' ? 'length' : null,
    passedOf(answer.outcome),
    ...suites.map(on),
    ...plain.map((name) => answer[name]),
  ];
}
