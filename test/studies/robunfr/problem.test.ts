import { expect, test } from 'vitest';
import type { Task } from '../../../schemas/task.ts';
import { hasProblem, problemOf } from '../../../studies/robunfr/problem.ts';

const task = (prompt: string, reference: string): Task => ({
  taskId: 'T/1',
  sourceTaskId: '1',
  language: 'python',
  prompt,
  entryPoint: 'f',
  reference,
  suites: [],
  recordSha256: '1',
});

test('a prompt that defines the function is the problem unchanged', () => {
  const prompt = 'def f(x):\n    """Halve x."""\n';
  expect(problemOf(task(prompt, 'def f(y):\n    return y / 2\n'))).toBe(prompt);
});

test("MBPP's problem is the reference's def line with the prompt as its docstring", () => {
  const reference = 'import math\ndef f(x, y=1) :\n  return math.pow(x, y)\n';
  expect(problemOf(task('Write a function to raise x to y.', reference))).toBe(
    'def f(x, y=1) :\n    """\n    Write a function to raise x to y.\n    """\n',
  );
});

test('quotes around a prompt are removed, an assert in it stays, and backslashes stay backslashes', () => {
  const prompt = '"""\nSplit at \\n.\nassert f("a") == ["a"]\n"""\n';
  expect(problemOf(task(prompt, 'def f(s):\n    return s.split("\\n")\n'))).toBe(
    'def f(s):\n    r"""\n    Split at \\n.\n    assert f("a") == ["a"]\n    """\n',
  );
});

test('a signature ends at its own colon: not at one in a default, an annotation or a one-line body', () => {
  const signatureIn = (reference: string): string => problemOf(task('Do.', reference)).split('\n    """')[0] as string;
  expect(signatureIn('def f(a: dict = {1: 2}, b=":") -> int: return {3: 4}[a]\n')).toBe(
    'def f(a: dict = {1: 2}, b=":") -> int:',
  );
  expect(signatureIn('def f(\n    a,\n    b,\n):\n    return a\n')).toBe('def f(\n    a,\n    b,\n):');
});

test('a task without a def of its function has no problem', () => {
  expect(hasProblem(task('Do.', 'f = lambda x: x\n'))).toBe(false);
  expect(() => problemOf(task('Do.', 'f = lambda x: x\n'))).toThrow('T/1: neither prompt nor reference defines f');
});
