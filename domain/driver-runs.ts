/** Outcome of a program built with a driver: of each run, and overall (ParEval's protocol, docs/benchmarks.md). */
import type { DrivenAnswer, ProgramRun } from '../schemas/program.ts';
import type { Outcome } from '../schemas/states.ts';
import { programEnds, type Verdict } from './verdict.ts';

/** One run of a program. */
export interface DrivenRun {
  readonly threads: number;
  /** From 1. */
  readonly repeat: number;
  readonly outcome: Outcome;
  readonly detail: string | null;
  /** The driver's mean time of a call, seconds; null if it printed none, or the program printed one, too. */
  readonly seconds: number | null;
  /** The same for the driver's best sequential code, in the same process. */
  readonly bestSeconds: number | null;
}

const said = {
  valid: /^Validation: (PASS|FAIL)\s*$/,
  time: /^Time: (\d+\.\d+)\s*$/,
  best: /^BestSequential: (\d+\.\d+)\s*$/,
} as const;
const spokeForDriver = 'the program answered instead of the driver that calls it';

/** All runs that were started, in order. @param cases `[threads, repeat]` each */
export function drivenRuns(run: ProgramRun, cases: readonly (readonly [number, number])[]): DrivenRun[] {
  const runs = run.results.flatMap((result, index) => {
    const place = cases[index];
    return place === undefined || !('value' in result)
      ? []
      : [{ ...placed(place), ...readAnswer(JSON.parse(result.value)) }];
  });
  const next = cases[runs.length];
  const isBuilt =
    run.end !== 'completed' && run.end !== 'compile_error' && run.end !== 'build_timeout' && !run.failedAtLoad;
  if (!isBuilt || next === undefined || run.results.length > runs.length) return runs;
  return [
    ...runs,
    { ...placed(next), outcome: programEnds[run.end], detail: run.detail, seconds: null, bestSeconds: null },
  ];
}

const placed = ([threads, repeat]: readonly [number, number]) => ({ threads, repeat });

/**
 * A program can write anything to its pipe: a value that is not an answer of the slot comes from the program itself.
 */
function readAnswer(value: unknown): Omit<DrivenRun, 'threads' | 'repeat'> {
  const none = { seconds: null, bestSeconds: null };
  if (!isAnswer(value)) return { outcome: 'killed', detail: spokeForDriver, ...none };
  const [status, signal, ended, output] = value;
  const lines = output.split('\n');
  const found = (pattern: RegExp): string[] => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
  const words = found(said.valid);
  const outcome = outcomeOf(status, signal, ended, words);
  const only = (pattern: RegExp): number | null => (found(pattern).length === 1 ? Number(found(pattern)[0]) : null);
  return outcome.outcome === 'pass'
    ? { ...outcome, seconds: only(said.time), bestSeconds: only(said.best) }
    : { ...outcome, ...none };
}

function outcomeOf(
  status: number | null,
  signal: number | null,
  ended: boolean,
  words: readonly string[],
): Pick<DrivenRun, 'outcome' | 'detail'> {
  if (words.length > 1) return { outcome: 'killed', detail: spokeForDriver };
  if (signal !== null) return { outcome: 'exception', detail: `ended by signal ${signal}${signalNames[signal] ?? ''}` };
  if (words[0] === 'FAIL') return { outcome: 'wrong_output', detail: 'Validation: FAIL' };
  if (status !== 0) return { outcome: 'exception', detail: `ended with status ${status}` };
  if (!ended) return { outcome: 'early_exit', detail: 'the process ended before its driver did' };
  return words[0] === 'PASS'
    ? { outcome: 'pass', detail: null }
    : { outcome: 'wrong_output', detail: 'the driver did not print Validation on a separate line' };
}

const signalNames: Readonly<Record<number, string>> = {
  4: ' (SIGILL)',
  6: ' (SIGABRT)',
  7: ' (SIGBUS)',
  8: ' (SIGFPE)',
  11: ' (SIGSEGV)',
};

const isAnswer = (value: unknown): value is DrivenAnswer =>
  Array.isArray(value) &&
  value.length === 4 &&
  [value[0], value[1]].every((number) => number === null || Number.isSafeInteger(number)) &&
  typeof value[2] === 'boolean' &&
  typeof value[3] === 'string';

/**
 * `flaky` if runs with one thread count disagree, for example because of a race; else the first failure, else a pass.
 * A program that was not built gets the outcome of its build.
 */
export function drivenVerdict(run: ProgramRun, runs: readonly DrivenRun[]): Verdict {
  if (runs.length === 0) {
    const outcome = run.end === 'completed' ? 'killed' : programEnds[run.end];
    return { outcome, firstFailingCase: null, detail: run.detail };
  }
  const first = runs.findIndex(({ outcome }) => outcome !== 'pass');
  const failed = runs[first];
  if (failed === undefined) {
    if (run.end === 'completed') return { outcome: 'pass', firstFailingCase: null, detail: null };
    return { outcome: programEnds[run.end], firstFailingCase: runs.length, detail: run.detail };
  }
  const torn = [...Map.groupBy(runs, ({ threads }) => threads)].find(
    ([, same]) => same.some(({ outcome }) => outcome === 'pass') && same.some(({ outcome }) => outcome !== 'pass'),
  );
  const at = `at ${failed.threads} thread${failed.threads === 1 ? '' : 's'}, run ${failed.repeat}`;
  if (torn === undefined)
    return { outcome: failed.outcome, firstFailingCase: first, detail: `${at}: ${failed.detail ?? failed.outcome}` };
  const [threads, same] = torn;
  const passes = same.filter(({ outcome }) => outcome === 'pass').length;
  const other = same.find(({ outcome }) => outcome !== 'pass');
  const detail =
    `with ${threads} thread${threads === 1 ? '' : 's'} ${passes} of ${same.length} runs passed; ${other?.outcome}: ` +
    `${other?.detail ?? ''}`;
  return { outcome: 'flaky', firstFailingCase: first, detail };
}
