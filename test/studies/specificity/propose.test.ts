import { describe, expect, it } from 'vitest';
import { proposalIn, proposeMessages } from '../../../studies/specificity/propose.ts';

const theme = (name: string, meaning = 'Says so.') => ({ name, meaning });
const good = {
  categories: [
    { name: 'Goals', themes: [theme('Aim'), theme('Bound')] },
    { name: 'Ways', themes: [theme('Steps')] },
  ],
};
const tagged = (json: unknown): string => `<taxonomy>\n${JSON.stringify(json)}\n</taxonomy>`;

describe('a proposed taxonomy', () => {
  it.each([
    ['in tags', tagged(good)],
    ['behind thoughts', `<think>{"categories": []}</think>\n${tagged(good)}`],
    ['in a fence within tags', `<taxonomy>\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\`\n</taxonomy>`],
    ['in a fence', `Here:\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\``],
    ['bare', JSON.stringify(good)],
    ['with numbers of its own', tagged({ categories: good.categories.map((one) => ({ ...one, id: 'Z' })) })],
  ])('is read %s, and numbered', (_how, reply) => {
    const { categories } = proposalIn(reply);
    expect(categories?.map(({ id, themes }) => [id, themes.map((one) => `${one.id} ${one.name}`)])).toEqual([
      ['1', ['1.1 Aim', '1.2 Bound']],
      ['2', ['2.1 Steps']],
    ]);
  });

  it.each([
    ['prose', 'I see goals and constraints.', /no JSON/],
    ['no categories', tagged({ themes: [] }), /no list "categories"/],
    ['a category without themes', tagged({ categories: [{ name: 'a' }] }), /without a list "themes"/],
    ['an empty category', tagged({ categories: [{ name: 'a', themes: [] }] }), /categories\.0\.themes/],
    [
      'a theme without meaning',
      tagged({ categories: [{ name: 'a', themes: [{ name: 'b' }, theme('c')] }] }),
      /meaning/,
    ],
    ['one theme', tagged({ categories: [{ name: 'a', themes: [theme('b')] }] }), /fewer than two/],
    ['a theme twice', tagged({ categories: [{ name: 'a', themes: [theme('b'), theme('B')] }] }), /"b" is there twice/],
    ['a null', tagged({ categories: [null] }), /no list "categories"/],
  ])('is refused: %s', (_what, reply, fault) => {
    expect(proposalIn(reply).fault).toMatch(fault);
  });

  it('is asked for with the summaries, and with what was wrong before', () => {
    const [, first] = proposeMessages(['Sum  it\nup.', 'Sort.'], null);
    expect(first?.content).toContain('<summaries>\n1. Sum it up.\n2. Sort.\n</summaries>');
    expect(first?.content).not.toMatch(/could not be used/);
    expect(proposeMessages(['a'], 'it is no JSON')[1]?.content).toMatch(/could not be used: it is no JSON/);
  });
});
