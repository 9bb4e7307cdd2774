import { describe, expect, it } from 'vitest';
import { maskedSentences, sampledParagraphs } from '../../../studies/specificity/reductions.ts';
import { paragraphsOf, sentencesOf, withoutSentences } from '../../../studies/specificity/units.ts';

const description = 'A one. A two.\n\nB one.\n\nC one. C two, e.g. This.\n\n- D item. With more.\n- D second\n\nE one.';

describe('units', () => {
  it('are paragraphs between blank lines, a heading with the text below it', () => {
    expect(paragraphsOf('One.\nstill\n\nInputs:\n\n- a\n- b\n\n\nLast.')).toEqual([
      'One.\nstill',
      'Inputs:\n- a\n- b',
      'Last.',
    ]);
    expect(paragraphsOf('```\na\n\nb\n```\n\nc')).toEqual(['```\na\n\nb\n```', 'c']);
  });

  it('are sentences, with list items and examples whole', () => {
    const texts = (text: string) => sentencesOf(text).map(({ start, end }) => text.slice(start, end));
    expect(texts(description)).toEqual([
      'A one.',
      'A two.',
      'B one.',
      'C one.',
      'C two, e.g. This.',
      '- D item. With more.',
      '- D second',
      'E one.',
    ]);
    expect(texts('Say it. Then:\nUse 1.5 of it! Done\n>>> f(1)\n2\n>>> f(2)\n3\n\nRest.')).toEqual([
      'Say it.',
      'Then:\nUse 1.5 of it!',
      'Done',
      '>>> f(1)\n2',
      '>>> f(2)\n3',
      'Rest.',
    ]);
  });
});

describe('paragraph sampling', () => {
  it('keeps max(1, round(ratio n)) paragraphs in order, in distinct draws', () => {
    for (const [ratio, kept] of [
      [0.05, 1],
      [0.2, 1],
      [0.4, 2],
      [0.6, 3],
      [0.8, 4],
    ] as const) {
      const draws = sampledParagraphs(description, ratio, 4, 7).map(({ text }) => text ?? '');
      expect(new Set(draws).size).toBe(4);
      for (const text of draws) {
        const own = paragraphsOf(text);
        expect(own).toHaveLength(kept);
        const places = own.map((paragraph) => paragraphsOf(description).indexOf(paragraph));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places).not.toContain(-1);
      }
    }
  });

  it('repeats subsets only when there are no others, and gives the same draws for the same seed', () => {
    const draws = sampledParagraphs('One.\n\nTwo.', 0.5, 4, 1).map(({ text }) => text);
    expect(draws.filter((text) => text === 'One.')).toHaveLength(2);
    expect(sampledParagraphs(description, 0.4, 4, 9)).toEqual(sampledParagraphs(description, 0.4, 4, 9));
  });
});

describe('sentence-block masking', () => {
  it('removes round(ratio n) sentences at round(k (n - block) / 3): counted by hand for n = 8', () => {
    // ratio 0.4: block 3, starts round(k 5/3) = 0, 2, 3, 5.
    const texts = maskedSentences(description, 0.4, 4).map(({ text }) => text);
    expect(texts).toEqual([
      'C one. C two, e.g. This.\n\n- D item. With more.\n- D second\n\nE one.',
      'A one. A two.\n\n- D item. With more.\n- D second\n\nE one.',
      'A one. A two.\n\nB one.\n\n- D second\n\nE one.',
      'A one. A two.\n\nB one.\n\nC one. C two, e.g. This.',
    ]);
  });

  it('always leaves a sentence and always removes one', () => {
    expect(maskedSentences('One. Two.', 0.8, 4).map(({ text }) => text)).toEqual(['Two.', 'Two.', 'One.', 'One.']);
    expect(maskedSentences('One. Two. Three.', 0.05, 2).map(({ text }) => text)).toEqual(['Two. Three.', 'One. Two.']);
    expect(maskedSentences('Only one.', 0.2, 4).map(({ text, fault }) => [text, fault])).toEqual(
      Array.from({ length: 4 }, () => [null, 'the maximal description has one sentence only']),
    );
  });

  it('removes sentences within one paragraph without joining paragraphs', () => {
    const sentences = sentencesOf(description);
    expect(withoutSentences(description, sentences, 3, 4)).toContain('B one.\n\nC two');
  });
});
