/** A summarizer that needs no model, and the limit that every summary is held to. */
import { paragraphsOf, sentencesOf, wordCount } from './units.ts';

/**
 * At most `limit` words: whole sentences as long as they fit, the first one of every paragraph before the second ones, in the description's
 * order. Where not even the first sentence fits, its beginning.
 */
export function summarizedByRules(description: string, limit: number): string {
  const paragraphs = paragraphsOf(description).map((text) => sentencesOf(text).map(({ start, end }) => text.slice(start, end)));
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

/** What says nothing without the lines behind it. */
const announces = (sentence: string): boolean => /:\s*$/.test(sentence);

/** The first `limit` words, up to the last whole sentence among them where that keeps at least half of them. */
export function cutToWords(text: string, limit: number): string {
  const words = text.trim().split(/\s+/).filter(Boolean);
  if (words.length <= limit) return text.trim();
  const cut = words.slice(0, limit).join(' ');
  const whole = sentencesOf(cut).filter(({ end }) => /[.!?]["'`)\]]*$/.test(cut.slice(0, end)));
  const end = whole.at(-1)?.end ?? 0;
  return wordCount(cut.slice(0, end)) * 2 >= limit ? cut.slice(0, end) : cut;
}
