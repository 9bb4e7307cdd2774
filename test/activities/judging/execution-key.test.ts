import { expect, it } from 'vitest';
import { executionKey, programSha256 } from '../../../activities/judging/execution-key.ts';
import { sha256 } from '../../../domain/ids.ts';
import type { Suite, Task } from '../../../schemas/task.ts';

const sandbox = { tier: 'container', engine: 'an engine', imageDigest: 'a digest' };
const [task, suite] = [{ recordSha256: 'a record' } as Task, { name: 'base' } as Suite];
const keys = [programSha256, (code: string) => executionKey(sandbox, task, suite, code)];

it.each(keys)('a program with half of a surrogate pair has a key of its own', (key) => {
  const programs = ['x = "\ud800"', 'x = "\ud801"', 'x = "\ufffd"', 'x = "\ud83d\ude00"'];
  expect(new Set(programs.map(key)).size).toBe(programs.length);
});

it("a program's hash is that of its text", () => {
  expect(programSha256('x = "\ud83d\ude00"')).toBe(sha256('x = "\ud83d\ude00"'));
});
