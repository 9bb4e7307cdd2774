/** A summarizer without a model, and the word limit for every summary. */
import { paragraphsOf, sentencesOf, wordCount } from './units.ts';

/**
 * At most `limit` words: selects whole sentences that fit, the first of every paragraph before the second ones, and
 * keeps the description's order. If not even one sentence fits, returns the beginning of the description.
 */
export function summarizedByRules(description: string, limit: number): string {
  const paragraphs = paragraphsOf(description).map((text) =>
    sentencesOf(text).map(({ start, end }) => text.slice(start, end)),
  );
  const rounds = Math.max(0, ...paragraphs.map((sentences) => sentences.length));
  const kept = paragraphs.map(() => new Set<number>());
  let left = limit;
  for (let round = 0; round < rounds; round += 1)
    for (const [place, sentences] of paragraphs.entries()) {
      const words = wordCount(sentences[round] ?? '');
      if (words === 0 || words > left || announces(sentences[round] ?? '')) continue;
      kept[place]?.add(round);
      left -= words;
    }
  if (left === limit) return cutToWords(description, limit);
  const texts = paragraphs.map((sentences, place) => sentences.filter((_, index) => kept[place]?.has(index)).join(' '));
  return texts.filter((text) => text !== '').join('\n');
}

/** Whether a sentence has no meaning without the lines after it. */
const announces = (sentence: string): boolean => /:\s*$/.test(sentence);

/** The first `limit` words, cut after the last whole sentence if that keeps at least half of `limit`. */
export function cutToWords(text: string, limit: number): string {
  const words = text.trim().split(/\s+/).filter(Boolean);
  if (words.length <= limit) return text.trim();
  const cut = words.slice(0, limit).join(' ');
  const whole = sentencesOf(cut).filter(({ end }) => /[.!?]["'`)\]]*$/.test(cut.slice(0, end)));
  const end = whole.at(-1)?.end ?? 0;
  return wordCount(cut.slice(0, end)) * 2 >= limit ? cut.slice(0, end) : cut;
}
