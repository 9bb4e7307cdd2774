import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { makeMutants } from '../../bench/mutants/make.ts';

const withoutPython = spawnSync('python3', ['-c', 'import ast; ast.unparse']).status !== 0;
const reference = 'def f(a, b):\n    """Adds."""\n    if a < b:\n        return a + 2 * b\n    return a - 1\n';
const task = (taskId: string) => ({ taskId, entryPoint: 'f', reference });

describe.skipIf(withoutPython)(
  `mutants${withoutPython ? ' (skipped: no python3 that can write its syntax trees)' : ''}`,
  () => {
    const mutants = makeMutants([task('A'), task('B')], 120, 7);

    it('are as many as asked for, distinct, and none is the reference', () => {
      const sources = mutants.map(({ task, source }) => `${task}\n${source}`);
      expect(new Set(sources).size).toBe(120);
      expect(sources.some((source) => source.trimEnd() === `A\n${reference}`.trimEnd())).toBe(false);
      expect(mutants.filter((mutant) => mutant.task === 'A').length).toBeGreaterThan(50);
    });

    it('are edits of its operators, constants, statements and returns', () => {
      const sources = new Set(mutants.map(({ source }) => source.replace(/ +""".*\n/, '')));
      expect(sources).toContain('def f(a, b):\n    if a <= b:\n        return a + 2 * b\n    return a - 1');
      expect(sources).toContain('def f(a, b):\n    if a < b:\n        return a + 3 * b\n    return a - 1');
      expect(sources).toContain('def f(a, b):\n    if a < b:\n        pass\n    return a - 1');
      expect(sources).toContain('def f(a, b):\n    if a < b:\n        return a + 2 * b\n    return None');
    });

    it('are the same for the same seed, others for another', () => {
      expect(makeMutants([task('A'), task('B')], 120, 7)).toEqual(mutants);
      expect(makeMutants([task('A'), task('B')], 120, 8)).not.toEqual(mutants);
    });
  },
);
