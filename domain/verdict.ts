/** What became of one program on one suite, from its outputs and the expected ones. */
import type { CaseResult, ProgramEnd, ProgramRun } from '../schemas/program.ts';
import type { Outcome } from '../schemas/states.ts';
import type { Oracle, Value } from '../schemas/task.ts';
import type { Agreement } from './values/equality.ts';
import { type CaseJudge, createJudge } from './values/oracle.ts';
import { ValueError } from './values/value.ts';

export interface Verdict {
  readonly outcome: Outcome;
  /** From 0; null when all cases passed, or when the program failed before the first case. */
  readonly firstFailingCase: number | null;
  /** One line for a person. */
  readonly detail: string | null;
}

/** What an end that is no completion comes to. */
export const programEnds: Readonly<Record<ProgramEnd, Outcome>> = {
  completed: 'exception',
  syntax_error: 'syntax_error',
  compile_error: 'compile_error',
  build_timeout: 'build_timeout',
  early_exit: 'early_exit',
  cpu_timeout: 'cpu_timeout',
  wall_timeout: 'wall_timeout',
  memory: 'memory',
  output_limit: 'output_limit',
  killed: 'killed',
  missing_dependency: 'missing_dependency',
  not_supported: 'missing_dependency',
};

/** Ends of programs that never ran. */
const unrunnable: ReadonlySet<ProgramEnd> = new Set(['syntax_error', 'compile_error', 'build_timeout']);

/**
 * Judges a run. `expected` holds one JSON text of an encoded value per case; null where the reference has no output:
 * such a case is left out (the reference stops at its first failure, so they are the last ones), and with nothing else
 * the suite is `not_run`. A suite without cases (Mbpp/793's plus) passes when the program loads.
 *
 * The first wrong output decides, also when the program met a limit or raised later: a wrong answer is wrong however
 * the run went on. Then comes how the run ended. `unencodable` is left for a program of which nothing is known to be
 * wrong, but an output that no rule can compare. Throws when a completed run lacks results, which is the sandbox's
 * fault.
 *
 * `decided` holds what the judge lane found about cases that cannot be compared here, by index.
 */
export function verdictOf(
  run: ProgramRun,
  expected: readonly (string | null)[],
  oracle: Oracle,
  decided: ReadonlyMap<number, Agreement> = new Map(),
): Verdict {
  return verdictFrom(run, expected, judgedCases(run.results, expected, createJudge(oracle), decided));
}

/**
 * The same, or the cases that have to be decided first: those up to the first wrong one whose outputs
 * only Python can compare.
 */
export function verdictOrUnknown(
  run: ProgramRun,
  expected: readonly (string | null)[],
  oracle: Oracle,
): Verdict | readonly number[] {
  const judged = judgedCases(run.results, expected, createJudge(oracle), new Map());
  const unknown = judged.filter(({ agreement }) => agreement === 'unknown').map(({ index }) => index);
  return unknown.length === 0 ? verdictFrom(run, expected, judged) : unknown;
}

function verdictFrom(run: ProgramRun, expected: readonly (string | null)[], judged: readonly JudgedCase[]): Verdict {
  if (expected.length > 0 && expected.every((text) => text === null))
    return { outcome: 'not_run', firstFailingCase: null, detail: 'the reference has no output' };
  const wrong = judged.find(({ agreement }) => agreement === 'unequal');
  if (wrong !== undefined) return { outcome: 'wrong_output', firstFailingCase: wrong.index, detail: wrong.detail };
  const ended = endVerdict(run, expected);
  if (ended !== null) return ended;
  const unknown = judged.find(({ agreement }) => agreement === 'unknown');
  if (unknown !== undefined) return { outcome: 'unencodable', firstFailingCase: unknown.index, detail: unknown.detail };
  return { outcome: 'pass', firstFailingCase: null, detail: null };
}

interface JudgedCase {
  readonly index: number;
  readonly agreement: Agreement;
  readonly detail: string;
}

/** Cases that have an output and an expectation, up to the first wrong one. */
function judgedCases(
  results: readonly CaseResult[],
  expected: readonly (string | null)[],
  judge: CaseJudge,
  decided: ReadonlyMap<number, Agreement>,
): JudgedCase[] {
  const judged: JudgedCase[] = [];
  for (const [index, result] of results.entries()) {
    const wanted = expected[index] ?? null;
    if (!('value' in result) || wanted === null) continue;
    const compared = judgeTexts(result.value, wanted, index, judge);
    const agreement = compared === 'unknown' ? (decided.get(index) ?? compared) : compared;
    judged.push({
      index,
      agreement,
      detail: agreement === 'equal' ? '' : `expected ${excerpt(wanted)}, got ${excerpt(result.value)}`,
    });
    if (agreement === 'unequal') break;
  }
  return judged;
}

/**
 * Equal texts are equal values, unless they hold a float (NaN, EvalPlus's tolerance) or a value of another type. What a
 * program forged or broke is no value, so nothing is known about it.
 */
function judgeTexts(output: string, expected: string, index: number, judge: CaseJudge): Agreement {
  if (output === expected && !/"[fcx]"/.test(output)) return 'equal';
  const wanted = JSON.parse(expected) as Value;
  try {
    return judge(JSON.parse(output) as Value, wanted, index);
  } catch (error) {
    if (error instanceof ValueError || error instanceof SyntaxError) return 'unknown';
    throw error;
  }
}

const excerpt = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 200)}...`);

/** How the run ended, when it ended at a case that counts; null when it went through. */
function endVerdict(run: ProgramRun, expected: readonly (string | null)[]): Verdict | null {
  const exception = run.results.findIndex((result) => 'exception' in result);
  if (run.end === 'completed' && exception === -1) {
    if (run.results.length < expected.length)
      throw new Error(`a completed run has a result per case: ${run.results.length} of ${expected.length}`);
    return null;
  }
  const beforeCases = run.failedAtLoad || unrunnable.has(run.end);
  const index = exception === -1 ? run.results.length : exception;
  if (!beforeCases && expected.slice(index).every((text) => text === null)) return null;
  return {
    outcome: programEnds[run.end],
    firstFailingCase: beforeCases ? null : index,
    detail: run.detail ?? exceptionText(run.results[exception]),
  };
}

function exceptionText(result: CaseResult | undefined): string | null {
  return result !== undefined && 'exception' in result ? result.exception : null;
}
