import { expect, test } from 'vitest';
import { attackVariantNames, attackVariants } from '../../../studies/evaloop/attacks/variants.ts';

const task = {
  taskId: 'T/1',
  entryPoint: 'add',
  prompt: '"""\nSay how much these come to.\nassert add(1, 2) == 3\n"""\n',
};
const settings = { attacks: ['case', 'typos', 'synonyms'], draws: 2, seed: 7 };

test('a random attack has as many variants as draws, any other has one', () => {
  expect(attackVariantNames(settings)).toEqual(['case', 'typos-1', 'typos-2', 'synonyms-1', 'synonyms-2']);
  expect(attackVariants(task, settings).map(({ variant }) => variant)).toEqual(attackVariantNames(settings));
});

test('draws differ, and more draws change no earlier one', () => {
  const [, first, second] = attackVariants(task, settings);
  expect(first?.prompt).not.toBe(second?.prompt);
  expect(attackVariants(task, { ...settings, attacks: ['typos'], draws: 5 }).slice(0, 2)).toEqual([first, second]);
});

test('an attack that finds nothing to change leaves a missing variant with its reason', () => {
  expect(attackVariants(task, settings)[3]).toMatchObject({
    variant: 'synonyms-1',
    status: 'missing',
    reason: 'synonyms changes nothing in this prompt',
    prompt: null,
    editDistance: null,
    words: null,
  });
});

test('capitals are no change of words: the distance is 0', () => {
  expect(attackVariants(task, settings)[0]).toMatchObject({ status: 'accepted', editDistance: 0 });
});

test('an unknown attack is refused with the names of the known ones', () => {
  expect(() => attackVariantNames({ ...settings, attacks: ['shout'] })).toThrow(
    'unknown attack shout; known: case, structure,',
  );
});
