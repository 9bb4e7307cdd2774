import { expect, test } from 'vitest';
import { describeMemory, memoryFault } from '../../cli/memory.ts';

const gib = 2 ** 30;

// Red before: 22.1 GiB of memory free, in a control group of 0.4 GiB in which the kernel ended every run.
test('doctor knows the limit of a container or control group', () => {
  expect(describeMemory(0.4 * gib, 24 * gib)).toBe('0.4 GiB of memory (the limit of its container or control group)');
  expect(describeMemory(Number.POSITIVE_INFINITY, 24 * gib)).toMatch(/^\d+\.\d+ GiB of memory free$/);
});

test.each([
  ['a small control group', 0.4, 24, true],
  ['a small machine', Number.POSITIVE_INFINITY, 0.5, true],
  ['a control group that is large enough', 0.75, 24, false],
  ['a machine without limits', Number.POSITIVE_INFINITY, 24, false],
])('%s', (_, limit, total, isTooLittle) => {
  const fault = memoryFault(limit * gib, total * gib);
  if (isTooLittle) expect(fault).toContain('a run takes up to 0.75 GiB of memory');
  else expect(fault).toBeNull();
});
