/** MXEVAL's format, on handmade records. */
import { describe, expect, it } from 'vitest';
import { mxeval } from '../../../domain/benchmarks/mxeval.ts';
import { parseExactJson } from '../../../domain/values/exact-json.ts';
import type { Task } from '../../../schemas/task.ts';

const at = { file: 'mbphp.jsonl', line: 3, index: null };
const php = {
  task_id: 'MBPHP/7',
  prompt: '<?php\n\n/**\n * Write a function to add one.\n */\nfunction addOne($x){\n',
  entry_point: 'addOne',
  canonical_solution: '    return $x + 1;\n}',
  test: "\n\nif (addOne(1) != 2) {\n    throw new Exception('Error at 1th assert statement.');\n}\n",
  description: 'Write a function to add one.',
  language: 'php',
};
const python = {
  ...php,
  ...{
    task_id: 'MBPP/7',
    language: 'python',
    prompt: '\n\ndef add_one(x):\n  """\n  Add one.\n  """\n',
    entry_point: 'add_one',
  },
  ...{
    canonical_solution: '  return x + 1',
    test: '\n\nMETADATA = {}\n\n\ndef check(candidate):\n    assert candidate(1) == 2\n\n',
  },
};
const parsed = (record: object): Task => mxeval.parseRecord(parseExactJson(JSON.stringify(record)), at);

describe('mxeval', () => {
  it('gives a task in its language, whose test is one case of code with the value true', () => {
    expect(parsed(php)).toMatchObject({
      ...{ taskId: 'MBPP/7', sourceTaskId: 'MBPHP/7', language: 'php', entryPoint: 'addOne', prompt: php.prompt },
      reference: `${php.prompt}    return $x + 1;\n}`,
      suites: [
        { name: 'base', inputs: [[]], expected: [true], script: { prelude: '', alias: 'addOne', cases: [php.test] } },
      ],
    });
  });

  it('keeps the expected values of Python asserts outside the sandbox, as for HumanEval', () => {
    const task = parsed(python);
    expect(task).toMatchObject({ taskId: 'MBPP/7', language: 'python', suites: [{ inputs: [[1]], expected: [2] }] });
    expect(task.suites[0]?.script).toBeUndefined();
  });

  it('refuses a keyword of Python as a name in Python only', () => {
    expect(() => parsed({ ...python, entry_point: 'in' })).toThrow(
      expect.objectContaining({
        line: 3,
        field: 'entry_point',
        message: expect.stringContaining('is a Python keyword'),
      }),
    );
    expect(parsed({ ...php, entry_point: 'in' }).entryPoint).toBe('in');
  });

  it('has no reference if the file has none', () => {
    expect(parsed({ ...php, canonical_solution: null }).reference).toBe('');
  });

  it.each<readonly [string, object]>([
    ['task_id', { task_id: '7' }],
    ['language', { language: 'kotlin' }],
    ['entry_point', { entry_point: 'add one' }],
    ['test', { test: '' }],
    ['canonical_solution', { canonical_solution: 1 }],
  ])('refuses a record with a wrong %s', (field, wrong) => {
    expect(() => parsed({ ...php, ...wrong })).toThrow(
      expect.objectContaining({ file: 'mbphp.jsonl', line: 3, field }),
    );
  });
});
