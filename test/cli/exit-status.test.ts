import { expect, test } from 'vitest';
import { corrupted } from '../../activities/failures.ts';
import { explain } from '../../cli/exit-status.ts';
import { CorruptionError, InputError } from '../../domain/errors.ts';

test.each([
  ['the system', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })],
  ['SQLite', new Error('database or disk is full')],
  [
    'a worker',
    new Error('Workflow execution failed', {
      cause: new Error('Activity task failed', { cause: new Error('database or disk is full') }),
    }),
  ],
])('a full disk, reported by %s, has no stack trace and can be resumed: exit status 3', (_who, error) => {
  const { text, status } = explain(error);
  expect([status, text]).toEqual([
    3,
    `the disk is full: all stored answers are safe; free some space and run the same command again (${error.message})`,
  ]);
});

test('a template file with invalid JSON is named with the place: exit status 2', () => {
  // As Node 24 says it when such a file is imported.
  const error = new SyntaxError(
    '/app/data/promptse/emotions.json: Expected property name in JSON at position 2 (line 1 column 3)',
  );
  const text =
    '/app/data/promptse/emotions.json  not valid JSON: Expected property name in JSON at position 2 (line 1 column 3)';
  expect(explain(error)).toEqual({ text, status: 2 });
});

const damaged = new CorruptionError('/runs/r/ledger.sqlite', 'file is not a database');
test.each([
  ['this process', damaged],
  [
    'a worker',
    new Error('Workflow execution failed', {
      cause: new Error('Activity task failed', { cause: corrupted(damaged.message) }),
    }),
  ],
])('damage found by %s is reported without a stack trace: exit status 2', (_who, error) => {
  expect(explain(error)).toEqual({ text: damaged.message, status: 2 });
});

// Red before: "unexpected failure (a bug, or a broken machine)" with exit status 1.
test.each([
  new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance'),
  new Error('libduckdb.so: failed to map segment from shared object'),
  new Error('Activity task failed', { cause: new Error('SQL: Out of Memory Error: Allocation failure') }),
])('too little address space is told: %s', (error) => {
  const fault = 'this shell limits address space';
  expect(explain(error, [], () => fault)).toEqual({ text: fault, status: 2 });
  expect(explain(error, [], () => null)).toMatchObject({ status: 1 });
});

test('SQL that needs more than its own limit of memory is the fault of the SQL, also where addresses are few', () => {
  const full = 'SQL: Out of Memory Error: could not allocate block of size 256.0 KiB (1.8 GiB/1.8 GiB used)';
  expect(explain(new InputError(full), [], () => 'this shell limits address space').text).toBe(full);
});

test('an error of the user shows its message, and only a bug shows its stack', () => {
  expect(explain(new InputError('a rule', { file: 'spec.yaml', line: 3 }))).toEqual({
    text: 'spec.yaml:3  a rule',
    status: 2,
  });
  expect(explain(new Error('oops'))).toMatchObject({
    text: expect.stringMatching(/^unexpected failure[\s\S]*oops\n\s+at /),
    status: 1,
  });
});

test('messages have no control characters, and a huge value in one is cut', () => {
  const { text } = explain(
    new InputError(`got "\u001b[31mred\u0007${'x'.repeat(5_000)}"`, { file: 'spec.yaml', line: 3 }),
  );
  expect(text).toMatch(/^spec\.yaml:3 {2}got "redx+ … \(4022 more characters\)$/);
});
