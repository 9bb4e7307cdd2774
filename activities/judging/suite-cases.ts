/** Converts a suite's cases and expected values for a sandbox. */
import type { Program, ProgramRun } from '../../schemas/program.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import { drivenBuild, withNoInline } from './driver-program.ts';
import type { ReferenceRecord } from '../storage/ledger/records.ts';

const inputs = new WeakMap<Suite, readonly string[]>();

/** JSON texts of the cases; created once per suite, since hundreds of programs share them. */
function encodedInputs(suite: Suite): readonly string[] {
  const known =
    inputs.get(suite) ?? suite.inputs.map((args, index) => JSON.stringify(suite.script?.cases[index] ?? args));
  inputs.set(suite, known);
  return known;
}

/** A program with the cases of one suite; Python if the task names no language. */
export function programFor(
  { entryPoint, language }: Pick<Task, 'entryPoint'> & Partial<Task>,
  suite: Suite,
  source: string,
): Program {
  const program = { ...(language === undefined ? {} : { language }), source, entryPoint, inputs: encodedInputs(suite) };
  const driver = drivenBuild(suite);
  if (driver !== undefined) return { ...program, source: withNoInline(source, entryPoint), driver };
  return suite.script === undefined
    ? program
    : { ...program, tests: { prelude: suite.script.prelude, alias: suite.script.alias } };
}

const expected = new WeakMap<Suite, readonly string[]>();

/**
 * JSON texts of the expected values: the suite's own (also created once), or the reference's outputs. Null where the
 * reference has no output.
 */
export function expectedOutputs(suite: Suite, reference: ReferenceRecord): readonly (string | null)[] {
  if (suite.expected === null) return reference.outputs;
  const known = expected.get(suite) ?? suite.expected.map((value) => JSON.stringify(value));
  expected.set(suite, known);
  return known;
}

/** Cases that a verdict rests on: those with an expected value. */
export const judgedCases = (suite: Suite, reference: ReferenceRecord): number =>
  expectedOutputs(suite, reference).filter((output) => output !== null).length;

/** Whether nothing is known to compare outputs with, so that the suite judges nobody. */
export const isWithoutOutput = (suite: Suite, reference: ReferenceRecord): boolean =>
  suite.inputs.length > 0 && judgedCases(suite, reference) === 0;

/**
 * How far a verdict on this suite can be trusted: `assert` if the expected values were in the program's process,
 * `batch` if the program shared a process with other screened ones, else `isolated`.
 */
export const laneOf = (suite: Suite, run?: Pick<ProgramRun, 'lane'>): 'isolated' | 'batch' | 'assert' =>
  suite.script === undefined && suite.driver === undefined ? (run?.lane ?? 'isolated') : 'assert';
