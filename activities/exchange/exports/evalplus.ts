/**
 * EvalPlus: samples (`task_id`, `solution`), and results as its evaluation writes them. Its ids are those of the
 * benchmark's file. An answer without code is an empty program, as EvalPlus has it.
 */
import type { WriteText } from './export-format.ts';
import { type Evaluation, evaluated } from './evaluation.ts';
import { type JudgedAnswer, passedOf } from './judged-answers.ts';

export const evalplusSamples: WriteText = async function* (source) {
  const { answers } = await evaluated(source);
  for await (const answer of answers) yield sampleLine(answer);
};

export const sampleLine = ({ source_task_id: task_id, solution }: JudgedAnswer): string =>
  `${JSON.stringify({ task_id, solution: solution ?? '' })}\n`;

export const evalplusResults: WriteText = async function* (source) {
  const { evaluation, answers } = await evaluated(source);
  yield* resultsText(evaluation, answers);
};

export async function* resultsText(
  { startedAt, benchmarkSha256, programVersion }: Evaluation,
  answers: AsyncIterable<JudgedAnswer>,
): AsyncGenerator<string> {
  const date = startedAt.slice(0, 16).replace('T', ' ');
  const head = JSON.stringify({ date, hash: benchmarkSha256, evenkeel: programVersion }).slice(0, -1);
  yield `${head},"eval":{`;
  let task: string | null = null;
  for await (const answer of answers) {
    const next = answer.source_task_id;
    const separator = task === next ? ',' : `${task === null ? '' : '],'}${JSON.stringify(next)}:[`;
    yield `${separator}\n${JSON.stringify(resultOf(answer))}`;
    task = next;
  }
  yield `${task === null ? '' : ']'}}}\n`;
}

/** Which inputs failed is left out: EvalPlus takes them from its own data set. */
const resultOf = (answer: JudgedAnswer) => ({
  task_id: answer.source_task_id,
  solution: answer.solution ?? '',
  base_status: statusOf(answer, 'base'),
  plus_status: statusOf(answer, 'plus'),
  base_fail_tests: [],
  plus_fail_tests: [],
});

const timeouts: ReadonlySet<string> = new Set(['cpu_timeout', 'wall_timeout', 'build_timeout']);

/** Null for a suite that the run does not have or evenkeel could not judge. */
function statusOf({ suites }: JudgedAnswer, suite: string): 'pass' | 'fail' | 'timeout' | null {
  const outcome = suites.find((one) => one.suite === suite)?.outcome;
  const passed = outcome === undefined ? null : passedOf(outcome);
  if (passed === null) return null;
  if (passed) return 'pass';
  return timeouts.has(outcome ?? '') ? 'timeout' : 'fail';
}
