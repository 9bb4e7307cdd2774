/** Reads the score in a judge's reply. */
import { answerText } from './reply-text.ts';

const number = String.raw`[-+]?(?:\d+(?:[.,]\d+)?|\.\d+)(?:e[-+]?\d+)?%?`;
const decimal = String.raw`(?<![\w.])\d*[.,]\d+`;
/** Mentions of the scale itself: "0 to 1", "[0, 1]", "between 0.0 and 1.0", "(0-1)". */
const scale = /[[(]?\b0(?:\.0)?\s{0,3}(?:to|and|-|–|through|,)\s{0,3}1(?:\.0)?\b(?!\s{0,3}[.,]\d)[\])]?/gi;
/** Ranges of scores: "between 0.2 and 0.4", "0.5-0.6". */
const range = new RegExp(
  String.raw`\bbetween\s{1,3}${decimal}\s{1,3}and\s{1,3}${decimal}|${decimal}\s{0,3}(?:to|-|–|—)\s{0,3}${decimal}`,
  'gi',
);
/** In the place of a range: a number, so that no other one counts as the only one, and no score. */
const noScore = '99.9';
const labelled = new RegExp(
  String.raw`\b(?:score|similarity|rating)"?[\s*_]{0,4}(?:is|of|:|=|->)?[\s*_:"=$]{0,6}(${number})`,
  'i',
);
const anyNumber = new RegExp(String.raw`(?<![\w.])${number}`, 'gi');

/**
 * The answer to "a score between 0 and 1": the number directly after the word score, similarity or rating;
 * else the first with a decimal point; else the only number. Null if there is none,
 * if it lies outside [0, 1] (the judge used another scale), or if it is a range.
 */
export function similarityScore(reply: string): number | null {
  const text = answerText(reply).replace(scale, ' ').replace(range, noScore);
  const found = labelled.exec(text)?.[1] ?? unlabelled(text.match(anyNumber) ?? []);
  if (found === undefined || found.endsWith('%')) return null;
  const score = Number(found.replace(',', '.'));
  return score >= 0 && score <= 1 ? score : null;
}

function unlabelled(numbers: readonly string[]): string | undefined {
  return numbers.find((text) => /[.,]\d/.test(text)) ?? (numbers.length === 1 ? numbers[0] : undefined);
}
