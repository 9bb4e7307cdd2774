import { expect, test } from 'vitest';
import { draftFrom, rewriteMessages } from '../../../studies/promptse/rewrite-prompt.ts';
import { settleByModel } from '../../../studies/promptse/variant-plan.ts';
import { originalOf } from '../../../studies/variants/invariance.ts';

const prompt =
  'def f(x):\n    """ Return the double of x,\n    whatever it is.\n    >>> f(2)\n    4\n\n' +
  '    Never return None.\n    """\n';
const original = originalOf(prompt, 'f');
const { parts } = original;
const style = {
  emotion: 'tired',
  personality: { technical: 'algorithm_expert', experience: 'junior_explorer', collaboration: 'logic_driven' },
  distance: 0.2,
} as const;

test('the question shows the whole task, its passages on one line each, and the persona', () => {
  const text = rewriteMessages(parts, style)[1]?.content ?? '';
  expect(text).toContain(prompt.trim());
  expect(text).toContain('<passage number="1">\nReturn the double of x, whatever it is.\n</passage>');
  expect(text).toContain('<passage number="2">\nNever return None.\n</passage>');
  for (const word of ['low on energy', 'algorithm expert', 'junior explorer', 'from cause to effect', 'moderately'])
    expect(text).toContain(word);
});

test('passages of an answer go into the prompt, wrapped to its width and indentation', () => {
  const reply =
    'Sure!\n<passage number="1">\nWell, just return the double of x, whatever it is, please.\n' +
    '</passage>\n<passage number="2">Never ever return None.</passage>';
  expect(draftFrom(original, reply)).toEqual({
    prompt: prompt
      .replace(
        'Return the double of x,\n    whatever it is.',
        'Well, just return the\n    double of x, whatever\n    it is, please.',
      )
      .replace('Never return None.', 'Never ever return None.'),
  });
});

test.each([
  'I would rather not.',
  '<passage number="1">Only this</passage>',
  '<passage number="1"></passage><passage number="2">x</passage>',
])('an answer without all passages is a fault: %s', (reply) => {
  expect(draftFrom(original, reply)).toHaveProperty('fault');
});

const settings = {
  variants: 1,
  seed: 0,
  draws: 'balanced',
  maxDraws: 2,
  contexts: false,
  renameParameters: false,
} as const;

test('a rewriter is asked for every variant, and never about a prompt of code alone', () => {
  const task = { taskId: 'T/1', prompt, entryPoint: 'f' };
  expect(settleByModel(task, settings, () => undefined)).toEqual({ open: ['d0.1-01', 'd0.2-01', 'd0.3-01'], round: 0 });
  const bare = settleByModel({ ...task, prompt: 'def f(x):\n    return x\n' }, settings, () => undefined);
  expect(bare).toMatchObject(Array.from({ length: 3 }, () => ({ status: 'missing', prompt: null })));
});
