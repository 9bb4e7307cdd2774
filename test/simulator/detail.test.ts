import { describe, expect, test } from 'vitest';
import { describedWords, detailChance } from '../../simulator/detail.ts';
import { simulatedProfile } from '../../simulator/profile.ts';
import { createTaskIndex } from '../../simulator/task-index.ts';

const profile = simulatedProfile({ competence: 0.9, detailNeed: { floor: 0.1, words: 40 } });

describe('a known need for detail', () => {
  test('counts the words of the docstring of the function that is to be written', () => {
    const helper = 'def helper(x):\n    """Some words of it."""\n    return x\n\n';
    expect(describedWords(`${helper}def f(x):\n    """Three words here."""\n`, 'f')).toBe(3);
    expect(describedWords(`${helper}def f(x):\n`, 'f')).toBe(0);
    expect(describedWords('no function', 'f')).toBe(0);
  });

  test('rises from floor to competence in a straight line and stays there', () => {
    expect([0, 20, 40, 400].map((words) => detailChance(profile, words))).toEqual([0.1, 0.5, 0.9, 0.9]);
    expect(detailChance(simulatedProfile(), 20)).toBeNull();
  });

  test('is about what the prompt defines last, not about what it mentions', () => {
    const task = (taskId: string, entryPoint: string) => ({
      ...{
        taskId,
        entryPoint,
        description: `Do ${entryPoint} with numbers.`,
        reference: `def ${entryPoint}(x):\n    return x\n`,
        wrong: [],
      },
    });
    const index = createTaskIndex([task('T/1', 'first'), task('T/2', 'second')]);
    const prompt = 'def first(x):\n    pass\n\ndef second(x):\n    """Do first(x) with numbers, as first does."""\n';
    expect(index.recognizeSignature(prompt)?.known.task.taskId).toBe('T/2');
    expect(index.recognizeSignature('first(x)')).toBeNull();
  });
});
