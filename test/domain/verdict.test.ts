import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../domain/verdict.ts';
import type { CaseResult, ProgramEnd, ProgramRun } from '../../schemas/program.ts';
import type { Oracle } from '../../schemas/task.ts';

const equal: Oracle = { rule: 'equal' };
const values = (...texts: readonly string[]): CaseResult[] => texts.map((value) => ({ value }));
const run = (end: ProgramEnd, results: readonly CaseResult[], failedAtLoad = false): ProgramRun => ({
  ...{
    end,
    results,
    failedAtLoad,
    caseMs: results.map(() => 1),
    wallMs: 1,
    cpuMs: null,
    memoryBytes: null,
    detail: null,
  },
});

describe('verdictOf', () => {
  it('is pass if all cases agree', () => {
    expect(verdictOf(run('completed', values('1', '[2]')), ['1', '[2]'], equal)).toEqual({
      outcome: 'pass',
      firstFailingCase: null,
      detail: null,
    });
  });

  it('is wrong_output at the first case that differs', () => {
    const verdict = verdictOf(run('completed', values('1', '3', '4')), ['1', '2', '3'], equal);
    expect(verdict).toEqual({ outcome: 'wrong_output', firstFailingCase: 1, detail: 'expected 2, got 3' });
  });

  it('is the exception, with its case and text', () => {
    const results = [...values('1'), { exception: 'ValueError: no' }];
    expect(verdictOf(run('completed', results), ['1', '2'], equal)).toEqual({
      outcome: 'exception',
      firstFailingCase: 1,
      detail: 'ValueError: no',
    });
  });

  it('is an exception without a case when loading failed', () => {
    const verdict = verdictOf(run('completed', [{ exception: 'NameError: x' }], true), ['1'], equal);
    expect(verdict).toMatchObject({ outcome: 'exception', firstFailingCase: null });
  });

  it.each<ProgramEnd>([
    'early_exit',
    'cpu_timeout',
    'wall_timeout',
    'memory',
    'output_limit',
    'killed',
    'missing_dependency',
  ])('is %s at the case that the run did not finish', (end) => {
    expect(verdictOf(run(end, values('1')), ['1', '2'], equal)).toMatchObject({ outcome: end, firstFailingCase: 1 });
  });

  it('is syntax_error without a case', () => {
    expect(verdictOf(run('syntax_error', []), ['1'], equal)).toMatchObject({
      outcome: 'syntax_error',
      firstFailingCase: null,
    });
  });

  it('is wrong_output when a wrong case came before the end of the run', () => {
    expect(verdictOf(run('wall_timeout', values('9')), ['1', '2'], equal)).toMatchObject({
      outcome: 'wrong_output',
      firstFailingCase: 0,
    });
    const raised = run('completed', [...values('9'), { exception: 'E' }]);
    expect(verdictOf(raised, ['1', '2'], equal)).toMatchObject({ outcome: 'wrong_output', firstFailingCase: 0 });
  });

  it('ignores cases for which the reference has no output, even if the program fails there', () => {
    expect(verdictOf(run('completed', values('1', '5')), ['1', null], equal).outcome).toBe('pass');
    expect(verdictOf(run('completed', [...values('1'), { exception: 'E' }]), ['1', null], equal).outcome).toBe('pass');
    expect(verdictOf(run('wall_timeout', values('1')), ['1', null], equal).outcome).toBe('pass');
    expect(verdictOf(run('completed', values('2', '5')), ['1', null], equal).outcome).toBe('wrong_output');
  });

  it('does not pass a module that failed to load, even if cases are ignored', () => {
    expect(verdictOf(run('syntax_error', []), ['1', null], equal).outcome).toBe('syntax_error');
    expect(verdictOf(run('completed', [{ exception: 'E' }], true), ['1', null], equal).outcome).toBe('exception');
  });

  it('passes a suite without cases when the program loads', () => {
    expect(verdictOf(run('completed', []), [], equal).outcome).toBe('pass');
  });

  it('is not_run if no case has an expected value', () => {
    expect(verdictOf(run('completed', values('1')), [null], equal).outcome).toBe('not_run');
  });

  it('is unencodable if an output of an unknown type decides, and nothing else is wrong', () => {
    const verdict = verdictOf(run('completed', values('{"x":"Counter"}', '2')), ['{"d":[]}', '2'], equal);
    expect(verdict).toMatchObject({ outcome: 'unencodable', firstFailingCase: 0 });
    expect(verdictOf(run('completed', values('{"x":"Counter"}', '3')), ['{"d":[]}', '2'], equal)).toMatchObject({
      outcome: 'wrong_output',
      firstFailingCase: 1,
    });
    expect(verdictOf(run('completed', values('{"x":"map"}')), ['[1]'], equal).outcome).toBe('wrong_output');
  });

  it('does not take equal texts of unknown types for equal values', () => {
    expect(verdictOf(run('completed', values('{"x":"Counter"}')), ['{"x":"Counter"}'], equal).outcome).toBe(
      'unencodable',
    );
    expect(verdictOf(run('completed', values('{"f":"nan"}')), ['{"f":"nan"}'], equal).outcome).toBe('wrong_output');
    expect(verdictOf(run('completed', values('{"c":["nan","0.0"]}')), ['{"c":["nan","0.0"]}'], equal).outcome).toBe(
      'wrong_output',
    );
  });

  it.each(['{"q":1}', '[1', 'hello', '{"i":"x"}', '{"f":"1e"}'])(
    'is unencodable for the broken output %s',
    (broken) => {
      expect(verdictOf(run('completed', values(broken)), ['1'], equal).outcome).toBe('unencodable');
    },
  );

  it('throws if a completed run lacks a result', () => {
    expect(() => verdictOf(run('completed', values('1')), ['1', '2'], equal)).toThrow(/1 of 2/);
  });

  it('carries the tolerance of EvalPlus over the cases of one run', () => {
    const oracle: Oracle = { rule: 'evalplus', atol: 0, special: null };
    const expected = ['{"f":"1.0"}', '100000000'];
    expect(verdictOf(run('completed', values('{"f":"1.0"}', '100000001')), expected, oracle).outcome).toBe('pass');
    expect(verdictOf(run('completed', values('100000001', '{"f":"1.0"}')), expected.toReversed(), oracle).outcome).toBe(
      'wrong_output',
    );
  });
});
