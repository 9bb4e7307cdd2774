/**
 * JUnit's XML, for CI: a suite of tests per study, model and benchmark, a test per answer. Only an answer that evenkeel
 * could not judge is skipped: one that was judged passed or failed, whether or not its study's rates count it. The form
 * is that of Jenkins' schema (junit-10.xsd).
 */
import { excludedReplies } from '../../../schemas/states.ts';
import type { WriteText } from './export-format.ts';
import { numberedAnswers, type NumberedAnswer } from './evaluation.ts';
import { judgedAnswers, passedOf } from './judged-answers.ts';

export const junitText: WriteText = (source) => junitOf(numberedAnswers(judgedAnswers(source)));

export async function* junitOf(answers: AsyncIterable<NumberedAnswer>): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="evenkeel">\n';
  let held: NumberedAnswer[] = [];
  for await (const answer of answers) {
    const [first] = held;
    if (first !== undefined && suiteName(first) !== suiteName(answer)) {
      yield suiteXml(held);
      held = [];
    }
    held.push(answer);
  }
  yield held.length === 0 ? '' : suiteXml(held);
  yield '</testsuites>\n';
}

const suiteName = ({ study, model, benchmark }: NumberedAnswer): string => `${study}.${model}.${benchmark}`;

/** The counts come before the tests, so that one evaluation is held in memory. */
function suiteXml(answers: readonly NumberedAnswer[]): string {
  const [first] = answers;
  if (first === undefined) return '';
  const skipped = answers.filter(isSkipped).length;
  const failures = answers.filter((answer) => !isSkipped(answer) && answer.outcome !== 'pass').length;
  const counts = `tests="${answers.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
  return `<testsuite name="${escaped(suiteName(first))}" ${counts}>\n${answers.map(caseXml).join('')}</testsuite>\n`;
}

const isSkipped = ({ outcome }: NumberedAnswer): boolean => passedOf(outcome) === null;

function caseXml(answer: NumberedAnswer): string {
  const { task_id, epoch, variant, setting } = answer;
  const place = [variant, setting].filter((name) => !['original', 'default'].includes(name));
  const name = [task_id, ...place, `#${epoch}`].join(' ');
  const head = `<testcase classname="${escaped(suiteName(answer))}" name="${escaped(name)}"`;
  const result = resultXml(answer);
  return result === '' ? `${head}/>\n` : `${head}>${result}</testcase>\n`;
}

/** Why an answer could not be judged. */
function whySkipped({ outcome, reply_status: reply }: NumberedAnswer): string {
  if (outcome === 'unencodable') return 'not judged, since a value that the program gave cannot be compared';
  if (outcome === 'missing_dependency') return 'not judged, since the sandbox lacks a package that the program imports';
  return reply === 'not_asked' || (excludedReplies as ReadonlySet<string>).has(reply)
    ? `not judged, since there is no program: ${reply}`
    : 'not judged, since the reference gives no output to compare with';
}

function resultXml(answer: NumberedAnswer): string {
  const { outcome, failing_suite: suite, failing_input: input, detail, solution } = answer;
  if (isSkipped(answer)) return `<skipped message="${escaped(`${outcome}: ${whySkipped(answer)}`)}"/>`;
  if (outcome === 'pass') return '';
  const lines = [detail, input === null ? null : `input: ${input}`, solution];
  const message = [outcome, ...(suite === null ? [] : [`suite ${suite}`])].join(', ');
  const text = escaped(lines.filter((line) => line !== null).join('\n'));
  return `<failure type="${escaped(outcome)}" message="${escaped(message)}">${text}</failure>`;
}

/** XML 1.0 (2.2) has no control characters, surrogates or non-characters, not even escaped: they are replaced. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
