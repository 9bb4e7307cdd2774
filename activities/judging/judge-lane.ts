/**
 * The judge lane: verdicts on outputs whose types cannot be encoded directly (fractions, deques, ranges, subclasses,
 * numpy's numbers). The program runs a second time and describes what it returns (sandbox/judge/describe.py); then a
 * separate process, which has the expected values and never the program, compares by Python's rules
 * (sandbox/judge/compare.py). A value whose class defines its own `==` stays undecided: only the program could compare
 * it, and it is not trusted.
 */
import { readFileSync } from 'node:fs';
import type { DrivenRun } from '../../domain/driver-runs.ts';
import { judgeCheck, looksAtItems } from '../../domain/values/judge-check.ts';
import type { Agreement } from '../../domain/values/equality.ts';
import { isList } from '../../domain/values/value.ts';
import { type Verdict, verdictOf, verdictOrUnknown } from '../../domain/verdict.ts';
import type { Limits, Program, ProgramRun } from '../../schemas/program.ts';
import type { Suite, Task, Value } from '../../schemas/task.ts';
import { drivenLimits, judgeDriven } from './driver-program.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { laneOf, programFor } from './suite-cases.ts';

const read = (name: string): string => readFileSync(new URL(`../../sandbox/judge/${name}`, import.meta.url), 'utf8');
const describeText = read('describe.py');
const compareText = read('compare.py');
const judgeLimits: Limits = { caseTimeoutMs: 5000, memoryBytes: 512 * 1024 * 1024, outputBytes: 1_000_000 };
/** Nesting depth of lists in a description; the harness writes no more than 400. */
const deepest = 410;
/** Prefix of the Python names that are appended to a program. */
const describedName = 'evenkeel_described';

export interface Judged {
  readonly run: ProgramRun;
  readonly verdict: Verdict;
  readonly lane: 'isolated' | 'batch' | 'assert' | 'judge';
  /** Driver runs, for a program with a driver. */
  readonly driven?: readonly DrivenRun[];
}

export interface ToJudge {
  readonly box: Sandbox;
  readonly task: Pick<Task, 'entryPoint' | 'reference'> & Partial<Task>;
  readonly suite: Suite;
  readonly source: string;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
  /** It runs before the programs that wait. */
  readonly goesFirst?: boolean;
}

/**
 * Runs a program on a suite and judges it.
 * @param expected JSON texts, or a function that derives them from the run when the run establishes them
 */
export async function runAndJudge(
  toJudge: ToJudge,
  expected: readonly (string | null)[] | ((run: ProgramRun) => Promise<readonly (string | null)[]>),
): Promise<Judged> {
  const { box, task, suite, source, limits, signal, goesFirst = false } = toJudge;
  if (suite.driver !== undefined) {
    const run = await box.run(programFor(task, suite, source), drivenLimits(suite.driver), signal);
    return { run, lane: laneOf(suite), ...judgeDriven(suite, run) };
  }
  const program = programFor(task, suite, source);
  const run = await box.run(goesFirst ? { ...program, goesFirst } : program, limits, signal);
  const wanted = typeof expected === 'function' ? await expected(run) : expected;
  const judged = verdictOrUnknown(run, wanted, suite.oracle);
  if (!isUnknown(judged)) return { run, verdict: judged, lane: laneOf(suite, run) };
  const decided = await decide(toJudge, run, wanted, judged);
  return { run, verdict: verdictOf(run, wanted, suite.oracle, decided), lane: 'judge' };
}

const isUnknown = (judged: Verdict | readonly number[]): judged is readonly number[] => Array.isArray(judged);

async function decide(
  toJudge: ToJudge,
  { results }: ProgramRun,
  expected: readonly (string | null)[],
  unknown: readonly number[],
): Promise<Map<number, Agreement>> {
  const { box, task, suite, signal } = toJudge;
  const values = expected.map((text) => (text === null ? null : (JSON.parse(text) as Value)));
  const checks = unknown.map((index) => judgeCheck(suite.oracle, index, values.slice(0, index + 1)));
  const views = suite.inputs.map(
    (_, index) => unknown.includes(index) && looksAtItems(checks[unknown.indexOf(index)] ?? []),
  );
  const described = await describe(toJudge, toJudge.source, task.entryPoint, views);
  const { source, entryPoint } = suite.reference ?? { source: task.reference, entryPoint: task.entryPoint };
  // For a Counter with a zero count, it matters whether the reference's dict was a Counter.
  const ofReference = (index: number): boolean =>
    holdsOther(expected[index] ?? '') ||
    (suite.expected === null && textOf(results[index]).includes('{"x":"Counter"}'));
  const reference = unknown.some(ofReference) ? await describe(toJudge, source, entryPoint, views) : null;
  const asked = unknown.flatMap((index, at) => {
    const own = described.get(index);
    const wanted = ofReference(index) ? wrapped('described', reference?.get(index)) : wrapped('value', expected[index]);
    const input = `[${JSON.stringify(checks[at])},${own},${wanted}]`;
    return own === undefined || wanted === null ? [] : [{ index, input }];
  });
  if (asked.length === 0) return new Map();
  const program: Program = { source: compareText, entryPoint: 'judge', inputs: asked.map(({ input }) => input) };
  const answers = await (box.runApart ?? box.run)(program, judgeLimits, signal);
  return new Map(asked.map(({ index }, at) => [index, agreementOf(answers.results[at])]));
}

/**
 * Descriptions of what a program returns: JSON texts by case. None for test code,
 * and none if the second run behaved differently.
 */
async function describe(
  { box, suite, limits, signal }: ToJudge,
  source: string,
  entryPoint: string,
  views: readonly boolean[],
): Promise<Map<number, string>> {
  const calls = suite.inputs.map((_, index) => index).filter((index) => (suite.script?.cases[index] ?? null) === null);
  const { caseTimeoutMs } = limits;
  const times = typeof caseTimeoutMs === 'number' ? caseTimeoutMs : calls.map((index) => caseTimeoutMs[index] ?? 0);
  const asked = views.filter((_, index) => calls.includes(index)).map((view) => (view ? 'True' : 'False'));
  const program: Program = {
    source: `${source}\n\n${appendix(entryPoint, asked)}`,
    entryPoint: describedName,
    inputs: calls.map((index) => JSON.stringify(suite.inputs[index])),
  };
  const { results } = await box.run(program, { ...limits, caseTimeoutMs: times }, signal);
  return new Map(
    calls.flatMap((index, at): [number, string][] => usable(textOf(results[at])).map((text) => [index, text])),
  );
}

/**
 * A program may forge its description: it is re-encoded, and dropped unless it is valid and no deeper
 * than the sandbox accepts.
 */
function usable(text: string): string[] {
  if (text === '') return [];
  const value = JSON.parse(text) as Value;
  return !isEncodable(value, deepest) ? [] : [JSON.stringify(value)];
}

/** Appended to the program; works whatever names the program defines. */
const appendix = (entryPoint: string, views: readonly string[]): string =>
  [
    `${describedName}_in = {}`,
    `__import__("builtins").exec(${JSON.stringify(describeText)}, ${describedName}_in)`,
    `${describedName} = ${describedName}_in["make"](${entryPoint}, [${views.join(', ')}])`,
  ].join('\n');

const textOf = (result: ProgramRun['results'][number] | undefined): string =>
  result !== undefined && 'value' in result ? result.value : '';

/** Whether an encoded text contains a value of another type. Within a string these quotes would be escaped. */
const holdsOther = (text: string): boolean => text.includes('{"x":');

/** True if there is no value of another type and lists are nested at most `depth` deep. */
function isEncodable(value: Value, depth: number): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (isList(value)) return depth > 0 && value.every((item) => isEncodable(item, depth - 1));
  return !('x' in value) && Object.values(value).every((content: Value) => isEncodable(content, depth));
}

const wrapped = (kind: 'value' | 'described', text: string | null | undefined): string | null =>
  text === undefined || text === null ? null : `["${kind}",${text}]`;

function agreementOf(result: ProgramRun['results'][number] | undefined): Agreement {
  const answer = textOf(result);
  if (answer === 'true') return 'equal';
  return answer === 'false' ? 'unequal' : 'unknown';
}
