/** Percentages as people read them: only what is exactly 0 or 100 reads as 0.0 or 100.0. */
import { expect, test } from 'vitest';
import { rangeText } from '../../../analysis/card/card-text.ts';
import { passMetric } from '../../../analysis/card/first-passes.ts';
import { estimatedShare } from '../../../analysis/report/cells.ts';
import { levelText, shareText } from '../../../analysis/report/format.ts';

// Red before: "0.1" on the board, which is twice the truth, "0.0 %" in a table, and "100.0" of 1,999 of 2,000.
test.each([
  { percent: 0, text: '0.0' },
  { percent: 100, text: '100.0' },
  { percent: (100 * 1) / 2000, text: '0.05' },
  { percent: (100 * 1999) / 2000, text: '99.95' },
  { percent: 0.004, text: '0.004' },
  { percent: 99.996, text: '99.996' },
  { percent: 0.001, text: '0.001' },
  { percent: 99.999_99, text: '99.99999' },
  { percent: 0.1, text: '0.1' },
  { percent: 99.9, text: '99.9' },
  { percent: 62.14, text: '62.1' },
  // Of binary numbers, 0.15 is a little less than that, and 0.25 is exact.
  { percent: 0.15, text: '0.2' },
  { percent: 0.25, text: '0.3' },
  { percent: 99.85, text: '99.9' },
  // Sums of shares miss 100 by such noise.
  { percent: 100 - 1e-12, text: '100.0' },
  { percent: 1e-12, text: '0.0' },
])('$percent % reads $text on the board and in tables', ({ percent, text }) => {
  expect(passMetric.text(percent)).toBe(text);
  expect(shareText(percent / 100)).toBe(`${text} %`);
  expect(estimatedShare({ value: percent / 100, interval: null }).text).toBe(`${text} %`);
});

// Red before: the mean of 400 shares was 0.05 with and without noise, and read "0.1" and "0.0 %".
test('the same value reads the same whatever noise arithmetic has left in it', () => {
  for (const noisy of [0.049_999_999_999_999_996, 0.05, 0.050_000_000_000_000_01]) {
    expect(passMetric.text(noisy)).toBe('0.05');
    expect(shareText(noisy / 100)).toBe('0.05 %');
  }
});

test('ends of intervals keep one decimal', () => {
  const row = { estimate_lo: 0.001, estimate_hi: 99.999, named_lo: null };
  expect(rangeText(row, passMetric)).toBe('0.0 – 100.0');
  expect(estimatedShare({ value: 0.9995, interval: { lo: 0.000_01, hi: 0.999_99 } }).under).toEqual(['0.0 – 100.0']);
});

// Red before: "100 %" of the last.
test.each([
  { level: 0.95, text: '95 %' },
  { level: 0.998_333_33, text: '99.8333 %' },
  { level: 0.999_999_9, text: '99.99999 %' },
])('a confidence of $level is shown as $text', ({ level, text }) => {
  expect(levelText(level)).toBe(text);
});
