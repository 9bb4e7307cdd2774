import { expect, test } from 'vitest';
import { askedPrograms } from '../../domain/asked-programs.ts';
import type { GenerateInput } from '../../schemas/steps.ts';

const page = { run: { runId: 'r', uuid: 'u', epoch: 1 }, page: 's/m/r1p0000' };
const asked = (input: Pick<GenerateInput, 'step' | 'next' | 'samples' | 'items'>): GenerateInput => ({
  ...page,
  ask: 0,
  ...input,
});

test('the program of a step with one question is in its answer, in the same loop', () => {
  expect(
    askedPrograms(
      asked({
        step: 'translate',
        items: [
          [4, 2],
          [7, 2],
        ],
      }),
      [7],
    ),
  ).toEqual({ ...page, step: 'translate', items: [[7, 2]] });
});

test('a summary ends its loop: the program made from it belongs to the next', () => {
  const loop = asked({ step: 'summarize', next: ['draft', 'generate'], items: [[0, 3]] });
  expect(askedPrograms(loop, [0])).toEqual({ ...page, step: 'generate', items: [[0, 4]] });
  const first = asked({ step: 'draft', next: ['generate'], items: [[0, 1]] });
  expect(askedPrograms(first, [0])).toEqual({ ...page, step: 'generate', items: [[0, 1]] });
});

test('every draw is a program', () => {
  const { samples } = askedPrograms(asked({ step: 'generate', samples: 16, items: [[0, 1]] }), [0]);
  expect(samples).toBe(16);
});
