import { expect, test } from 'vitest';
import type { Progress } from '../../activities/storage/ledger-counts.ts';
import { durationText, progressLine, ratePerSecond } from '../../cli/progress-line.ts';
import { plain } from '../../cli/terminal.ts';

const progress = (cellsDone: number, answered: number): Progress => ({
  pages: { total: 4, sealed: 1, failed: 0 },
  lanes: [{ study: 's', model: 'm', cells: 100, cellsDone, answered }],
  answered,
  failedCalls: 0,
  lostCalls: 0,
  liveIntents: 0,
  verdicts: 7,
  references: 8,
  spend: { reportedUsd: 1.5, estimatedUsd: 0.25, unknownUsdCalls: 0, tokens: 0 },
  failuresByReason: {},
  disbelievedCalls: 0,
  unsentByReason: {},
  stopped: [],
  failedPages: [],
});

test('the line gives cells, rate, ETA and spend with its estimated part', () => {
  const sights = [
    { atMs: 0, done: 0 },
    { atMs: 10_000, done: 50 },
  ];
  const line = progressLine(progress(25, 50), { references: 8, courses: { s: { least: 10, most: 10 } } }, sights, 60_000);
  expect(line).toContain('25/100 cells');
  expect(line).toContain('50 answers at 5.0/s');
  expect(line).toContain('ETA 3 min 0 s');
  expect(line).toContain('$1.75 (of it $0.25 estimated for lost calls)');
});

test('where tasks last long the ETA follows the calls', () => {
  expect(progressLine(progress(1, 500), { references: 8, courses: { s: { least: 10, most: 10 } } }, [], 60_000)).toContain('ETA 1 min 0 s');
});

test('before anything is asked the line counts references', () => {
  expect(progressLine(progress(0, 0), { references: 90, courses: { s: { least: 10, most: 10 } } }, [], 4_000)).toBe(
    'getting ready: 8/90 references run · 4 s',
  );
});

test('the rate is taken over the last minute', () => {
  expect(
    ratePerSecond([
      { atMs: 0, done: 0 },
      { atMs: 100_000, done: 1_000 },
      { atMs: 130_000, done: 1_300 },
    ]),
  ).toBe(10);
  expect(ratePerSecond([{ atMs: 0, done: 0 }])).toBeNull();
});

test.each([
  [59_400, '59 s'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h 0 min'],
])('%i ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test('control codes of a name never reach the terminal', () => {
  expect(plain('\u001b[31mred\u001b[0m\u0007\u009b2Jend\n')).toBe('redend\n');
});

test('the ETA counts what was gained of late: neither getting ready nor what an earlier sitting did', () => {
  const pace = { begun: { elapsedMs: 60_000, share: 0.2 }, slowMs: 0 };
  // 20 % in a minute since, and 60 % to go.
  expect(progressLine(progress(40, 50), { references: 8, courses: { s: { least: 10, most: 10 } } }, [], 120_000, [], pace)).toContain(
    'ETA 3 min 0 s',
  );
});

test('programs of slow references take their time, however fast answers come', () => {
  const begun = { elapsedMs: 0, share: 0 };
  const line = progressLine(progress(90, 500), { references: 8, courses: { s: { least: 10, most: 10 } } }, [], 60_000, [], {
    begun,
    slowMs: 600_000,
  });
  expect(line).toContain('ETA 10 min 0 s');
  expect(
    progressLine(progress(1, 5), { references: 8, courses: { s: { least: 10, most: 10 } } }, [], 60_000, [], {
      begun,
      slowMs: 600_000,
    }),
  ).toContain('ETA at least 10 min 0 s');
});
