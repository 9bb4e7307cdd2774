/** Small programs and limits that the sandbox's tests share. */
import type { Limits, Program, ProgramRun } from '../../schemas/program.ts';

export const limits: Limits = { caseTimeoutMs: 2000, memoryBytes: 128 * 1024 * 1024, outputBytes: 1_000_000 };

/** A program for the task `add(a, b)`, with three cases. */
export function addProgram(source: string): Program {
  return { source, entryPoint: 'add', inputs: ['[1,2]', '[0,0]', '[-3,1]'] };
}

export const goodAdd = addProgram('def add(a, b):\n    return a + b\n');

export function passesAdd(run: ProgramRun): boolean {
  const values = run.results.map((result) => ('value' in result ? result.value : null));
  return run.end === 'completed' && JSON.stringify(values) === JSON.stringify(['3', '0', '-2']);
}

/** One expression as a program of one case without arguments. */
export function expression(code: string, before = ''): Program {
  return { source: `${before}\ndef f():\n    return ${code}\n`, entryPoint: 'f', inputs: ['[]'] };
}

/** The text of the only result: its value, or its exception. */
export function onlyResult(run: ProgramRun): string {
  const [first] = run.results;
  if (first === undefined || run.results.length !== 1) return `${run.end}: ${run.detail}`;
  return 'value' in first ? first.value : first.exception;
}
