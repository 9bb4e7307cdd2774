import { describe, expect, it } from 'vitest';
import { similarityScore } from '../../../domain/extraction/similarity-score.ts';

describe('similarityScore', () => {
  it.each<readonly [reply: string, score: number | null]>([
    ['0.85', 0.85],
    ['1', 1],
    ['0', 0],
    ['1.0', 1],
    ['.5', 0.5],
    ['0.8.', 0.8],
    ['Score: 0.8', 0.8],
    ['**Score:** 0.8', 0.8],
    ['Score: **0.8**', 0.8],
    ['Similarity score = 0.8', 0.8],
    ['The similarity is 0.8', 0.8],
    ['{"score": 0.7, "reason": "both add 2 numbers"}', 0.7],
    ['0.9/1', 0.9],
    ['Score (0 to 1): 0.6', 0.6],
    ['On a scale between 0 and 1 I give 0.6.', 0.6],
    ['[0, 1] scale: 0.25', 0.25],
    ['Prompt 1 and prompt 2 ask for the same: 0.95', 0.95],
    ['Score: 1\n\nPrompt 1 and prompt 2 are the same.', 1],
    ['<think>maybe 0.2</think>0.9', 0.9],
    ['0,85', 0.85],
    ['1e-1', 0.1],
    ['', null],
    ['They are very similar.', null],
    ['Score: 8', null],
    ['8/10', null],
    ['85%', null],
    ['Score: 85%', null],
    ['1.5', null],
    ['-0.5', null],
    ['Score: -1', null],
    ['Prompt 1 and prompt 2 are the same.', null],
    ['NaN', null],
    // Red before: the lower end.
    ['between 0.2 and 0.4', null],
    ['0.5-0.6', null],
    ['Score: 0.5 – 0.6', null],
    ['0.5 to 0.6, since prompt 1 says more', null],
    ['Prompt 1 - 0.8', 0.8],
    ['Score: 0.8. From 0.5 to 0.7 they would differ.', 0.8],
  ])('of %j is %j', (reply, score) => {
    expect(similarityScore(reply)).toBe(score);
  });

  it.each(['0', '0 ', '1.', 'score ', 'score: '])('of a megabyte of %j takes less than a second', (text) => {
    const start = process.cpuUsage();
    similarityScore(text.repeat(1_000_000 / text.length));
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(1);
  });
});
