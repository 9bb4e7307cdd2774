import { describe, expect, test } from 'vitest';
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import { openScreen, type ScreenOutput } from '../../cli/follow/live-screen.ts';
import { budgetUsd, watchLines, type WatchView } from '../../cli/follow/watch-screen.ts';

type Lane = Progress['lanes'][number];
const lane = (model: string, cellsDone: number, answered = 0): Lane => ({
  study: 'loops',
  model,
  cells: 50,
  cellsDone,
  answered,
});

const progress = (lanes: readonly Lane[], more: Partial<Progress> = {}): Progress => ({
  pages: { total: 8, sealed: 2, failed: 0 },
  lanes,
  answered: 300,
  failedCalls: 5,
  lostCalls: 0,
  liveIntents: 7,
  verdicts: 90,
  references: 100,
  preparing: [],
  failing: [],
  cutAnswers: [],
  spend: { reportedUsd: 1.5, estimatedUsd: 0.25, unknownUsdCalls: 0, tokens: 4_000 },
  failuresByReason: {},
  disbelievedCalls: 0,
  unsentByReason: {},
  stopped: [],
  failedPages: [],
  ...more,
});

const view = (lanes: readonly Lane[], more: Partial<WatchView> = {}): WatchView => ({
  runId: 'nightly',
  state: 'running',
  detail: null,
  progress: progress(lanes),
  extent: { references: 100, callsPerCell: { loops: { least: 100, most: 100 } } },
  budget: { usd: 7 },
  points: [
    { atMs: 0, done: 100 },
    { atMs: 20_000, done: 300 },
  ],
  elapsedMs: 20_000,
  pace: { begun: { elapsedMs: 0, share: 0.1 }, slowMs: 0 },
  ...more,
});

const terminal = { columns: 80, rows: 24 };

describe('the screen of status --watch', () => {
  test('has cells, rate, ETA, spend against the budget and a line per model', () => {
    const lines = watchLines(view([lane('alpha', 25, 200), lane('beta', 5, 100)]), terminal);
    expect(lines[0]).toBe('nightly: running');
    expect(lines[2]).toBe(`${'█'.repeat(12)}${'░'.repeat(28)} 30 of 100 cells, 30.0 %`);
    expect(lines[3]).toBe('10 answers/s · ETA 1 min 10 s · 2 of 8 pages sealed'); // 0.2 in 20 s, 0.7 to go
    expect(lines[4]).toBe('300 answers · 90 programs judged · 7 calls in flight');
    expect(lines[5]).toBe('spent $1.75 (including at most $0.25 for calls without usage) of $7.00 (25 %)');
    expect(lines[7]).toBe('alpha, loops  █████░░░░░       25/50      200 answers');
    expect(lines[8]).toBe('beta, loops   █░░░░░░░░░        5/50      100 answers');
  });

  // Red before: "2999 of 3000 cells, 100.0 %".
  test('reads 100.0 % only at the end', () => {
    const third = { study: 'loops', cells: 1000, answered: 0 };
    const shown = (cellsDone: number) =>
      watchLines(
        view([
          { ...third, model: 'alpha', cellsDone: 1000 },
          { ...third, model: 'beta', cellsDone: 1000 },
          { ...third, model: 'gamma', cellsDone },
        ]),
        terminal,
      )[2];
    expect(shown(999)).toMatch(/ 2999 of 3000 cells, 99\.97 %$/);
    expect(shown(1000)).toMatch(/ 3000 of 3000 cells, 100\.0 %$/);
  });

  // Red before: "0.0 answers/s · 8 of 8 pages sealed".
  test('after the last cell says what goes on, and no rate', () => {
    const points = [0, 20_000].map((atMs) => ({ atMs, done: 300 }));
    const lines = watchLines(view([lane('alpha', 50, 300)], { points }), terminal);
    expect(lines[3]).toBe('writing the run’s tables · 2 of 8 pages sealed');
  });

  test('names failures by reason, the most frequent first, stops and failed pages', () => {
    const troubled = progress([lane('alpha', 1)], {
      failuresByReason: { 'HTTP 500': 1, 'HTTP 429': 12 },
      lostCalls: 2,
      stopped: [{ model: 'alpha', reason: 'model_stopped', detail: 'HTTP 401' }],
      failedPages: [{ page: 'p7', reason: 'no sandbox' }],
    });
    const lines = watchLines(view([], { progress: troubled }), terminal);
    expect(lines).toContain('failed calls: 12 HTTP 429 · 1 HTTP 500 · 2 lost');
    expect(lines).toContain('alpha model_stopped: HTTP 401');
    expect(lines).toContain('failed page p7: no sandbox');
  });

  test('tells the latest failure of each model in words: when, who was asked for what, and what came back', () => {
    const failed = { study: 'loops', model: 'alpha', answeringModel: 'alpha', step: 'generate' as const };
    const failures = [
      { ...failed, answeringModel: 'umpire', reason: 'HTTP 503: the model is loading', atMs: 52_000 },
      { ...failed, reason: 'HTTP 500: out of memory', atMs: 40_000 },
    ];
    const textAt = (shown: typeof failures) =>
      watchLines(view([lane('alpha', 1)], { failures: shown, nowMs: 60_000 }), { columns: 120, rows: 24 }).filter(
        (line) => line.startsWith('latest failure'),
      );
    expect(textAt(failures)).toEqual([
      'latest failure: 8 s ago, umpire (loops, generate, for alpha): HTTP 503: the model is loading',
      'latest failure: 20 s ago, alpha (loops, generate): HTTP 500: out of memory',
    ]);
    expect(textAt(failures.slice(1))).toEqual([
      'latest failure: 20 s ago, alpha (loops, generate): HTTP 500: out of memory',
    ]);
    expect(textAt([])).toEqual([]);
  });

  test('never exceeds the terminal: of 96 models it shows those under way and counts the rest', () => {
    const lanes = [
      ...Array.from({ length: 60 }, (_, index) => lane(`done-${index}`, 50, 90)),
      ...Array.from({ length: 30 }, (_, index) => lane(`waiting-${index}`, 0)),
      ...Array.from({ length: 6 }, (_, index) => lane(`busy-${index}-${'x'.repeat(90)}`, 3, 9)),
    ];
    const lines = watchLines(view(lanes), terminal);
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(80);
    expect(lines.filter((line) => line.startsWith('busy-'))).toHaveLength(6);
    const waiting = lines.filter((line) => line.startsWith('waiting-')).length;
    expect(waiting).toBeGreaterThan(0);
    expect(lines).toContain(`and ${90 - waiting} more: ${30 - waiting} waiting, 60 done`);
    expect(lines.at(-1)).toBe('Ctrl-C stops watching; the run continues');
  });

  test('shows what a run does before its first call', () => {
    const early = progress([lane('alpha', 0)], { answered: 0, references: 40 });
    expect(watchLines(view([], { progress: early }), terminal)).toContain('getting ready: 40 of 100 references run');
  });

  test('removes control codes from names', () => {
    const shown = watchLines(view([lane('\u001b[2Jalpha\u0007', 1)]), terminal).join('');
    expect(shown).toContain('alpha, loops');
    expect(shown).not.toMatch(/\p{Cc}/u);
  });

  test('shows no ETA while nothing progresses', () => {
    const still = { begun: { elapsedMs: 0, share: 0.3 }, slowMs: 0 };
    const line = (slowMs: number): string | undefined =>
      watchLines(
        view([lane('alpha', 1)], {
          extent: { references: 100, callsPerCell: { loops: { least: 10, most: 10 } } },
          pace: { ...still, slowMs },
        }),
        terminal,
      )[3];
    expect(line(0)).toContain('ETA …');
    expect(line(600_000)).toContain('ETA at least 10 min 0 s');
  });
});

describe('the live screen', () => {
  const recorder = (columns: number, rows: number) => {
    const written: string[] = [];
    const output = { columns, rows, write: (text: string) => written.push(text) > 0 };
    return { written, output: output as unknown as ScreenOutput & { columns: number } };
  };

  test('writes only the lines that changed, and nothing when none did', () => {
    const { written, output } = recorder(80, 24);
    const screen = openScreen(output);
    screen.show(['one', 'two', 'three']);
    written.length = 0;
    screen.show(['one', 'two', 'three']);
    expect(written).toEqual([]);
    screen.show(['one', '2']);
    expect(written).toEqual(['\x1b[?2026h\x1b[2;1H2\x1b[K\x1b[3;1H\x1b[K\x1b[?2026l']);
  });

  test('is redrawn when the terminal changes its size', () => {
    const { written, output } = recorder(80, 24);
    const screen = openScreen(output);
    screen.show(['one']);
    written.length = 0;
    output.columns = 60;
    screen.show(['one']);
    expect(written).toEqual(['\x1b[?2026h\x1b[2J\x1b[1;1Hone\x1b[K\x1b[?2026l']);
  });

  test('restores the cursor and the earlier text once, and only after it replaced them', () => {
    const { written, output } = recorder(80, 24);
    const screen = openScreen(output);
    screen.close();
    expect(written).toEqual([]);
    screen.show(['one']);
    expect(written[0]).toBe('\x1b[?1049h\x1b[?25l');
    screen.close();
    screen.close();
    expect(written.filter((text) => text === '\x1b[?25h\x1b[?1049l')).toHaveLength(1);
  });
});

// Red before: a budget of half a thousandth of a dollar was shown as $0.00.
test.each([
  [40, '$40.00'],
  [0.29, '$0.29'],
  [0.0005, '$0.0005'],
])('a budget of %d is shown as %s', (usd, text) => expect(budgetUsd(usd)).toBe(text));
