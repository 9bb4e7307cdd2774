/** What the served page says of a run: who is slow, what is waited for, what failed. */
import { expect, test } from 'vitest';
import type { Progress } from '../../../activities/storage/ledger/ledger-counts.ts';
import { factsHtml } from '../../../analysis/report/live/facts-html.ts';
import type { Movement } from '../../../cli/follow/movement.ts';
import { clockText } from '../../../cli/follow/progress-line.ts';
import type { RunSnapshot } from '../../../cli/follow/run-snapshot.ts';
import { liveFacts, type ModelMovement } from '../../../cli/serve/live-facts.ts';

const lane = (study: string, model: string, cellsDone: number, answered: number) => ({
  ...{ study, model, cells: 100, cellsDone, answered },
});

const progress: Progress = {
  pages: { total: 8, sealed: 2, failed: 0 },
  lanes: [
    lane('loops', 'quick', 80, 800),
    lane('pass', 'quick', 100, 100),
    lane('loops', 'slow', 20, 200),
    lane('loops', 'silent', 0, 0),
    lane('loops', 'ready', 100, 700),
    lane('loops', 'third', 60, 600),
  ],
  ...{ answered: 2_400, failedCalls: 3, lostCalls: 0, liveIntents: 7, verdicts: 90, references: 100, preparing: [] },
  failing: [],
  spend: { reportedUsd: 1.5, estimatedUsd: 0, unknownUsdCalls: 0, tokens: 4_000 },
  ...{ failuresByReason: { 'HTTP 503': 3 }, cutAnswers: [], disbelievedCalls: 0, unsentByReason: {} },
  ...{ stopped: [{ model: 'third', reason: 'model_stopped', detail: 'HTTP 401' }], failedPages: [] },
};

const seen = (more: Partial<RunSnapshot> = {}): RunSnapshot => ({
  manifest: {
    runId: 'r',
    state: 'running',
    stateDetail: null,
    spec: { budget: { usd: 6 }, models: [{ id: 'slow', provider: 'p' }], providers: { p: { timeoutMs: 300_000 } } },
  } as unknown as RunSnapshot['manifest'],
  ...{ progress, mixed: [], single: [], others: [], closed: [], slowed: [], calls: [], failures: [], owned: true },
  silentWorkers: [],
  ...more,
});

const movement: Movement = {
  extent: { references: 100, callsPerCell: { loops: { least: 10, most: 10 }, pass: { least: 1, most: 1 } } },
  points: [
    { atMs: 0, done: 2_300 },
    { atMs: 10_000, done: 2_400 },
  ],
  elapsedMs: 10_000,
  pace: { begun: { elapsedMs: 0, share: 0.4 }, slowMs: 0 },
};

const nowMs = 1_800_000_000_000;
const points = (from: number, to: number) => [
  { atMs: 0, done: from },
  { atMs: 10_000, done: to },
];
const models: ModelMovement = {
  calls: [
    { answeringModel: 'slow', inFlight: 4, oldestSentMs: nowMs - 65_000, medianLatencyMs: 21_500, inFlightUsd: 0.04 },
    { answeringModel: 'quick', inFlight: 3, oldestSentMs: nowMs - 900, medianLatencyMs: 350, inFlightUsd: 0.03 },
    { answeringModel: 'judge', inFlight: 0, oldestSentMs: null, medianLatencyMs: 80, inFlightUsd: 0 },
  ],
  points: new Map([
    ['quick', points(850, 900)],
    ['slow', points(190, 200)],
    ['silent', points(0, 0)],
    ['third', points(560, 600)],
    ['ready', points(700, 700)],
  ]),
  failures: new Map([
    [
      'slow',
      {
        ...{ study: 'loops', model: 'slow', answeringModel: 'slow', step: 'generate' },
        ...{ reason: 'HTTP 503: <loading>', atMs: nowMs - 60_000 },
      },
    ],
    [
      'judge',
      {
        ...{ study: 'loops', model: 'quick', answeringModel: 'judge', step: 'judge' },
        ...{ reason: 'timeout', atMs: nowMs - 5_000 },
      },
    ],
  ]),
};

test('models stand in the order in which they will end, the last first, and the one far behind is marked', () => {
  const { models: rows } = liveFacts(seen(), movement, models, nowMs);
  // By hand, cells left x answers per cell / rate: slow 80 x 10 / 1 = 800 s, third 40 x 10 / 4 = 100 s, quick
  // 20 x 5 / 5 = 20 s; nothing is known of silent; ready and judge have nothing left.
  expect(rows.map(({ model, isSlow }) => [model, isSlow])).toEqual([
    ['silent', false],
    ['slow', true],
    ['third', false],
    ['quick', false],
    ['judge', false],
    ['ready', false],
  ]);
  expect(rows.find(({ model }) => model === 'ready')?.perSecond).toBeNull();
  expect(rows.find(({ model }) => model === 'quick')).toEqual({
    ...{
      model: 'quick',
      done: 180,
      cells: 200,
      answers: 900,
      perSecond: 5,
      latencyMs: 350,
      inFlight: 3,
      isSlow: false,
    },
    waitingSince: clockText(nowMs - 900),
  });
});

test('says what is waited for and since when, the latest failure of each model, stops, and spend', () => {
  const facts = liveFacts(seen(), movement, models, nowMs);
  expect(facts.waiting).toEqual([
    `waiting for slow: 4 calls in flight, the oldest since ${clockText(nowMs - 65_000)} (usually 22 s, at most until ` +
      `${clockText(nowMs + 235_000)})`,
  ]);
  expect(facts.failures).toEqual([
    { model: 'judge', asked: 'loops, judge, for quick', reason: 'timeout', at: clockText(nowMs - 5_000) },
    { model: 'slow', asked: 'loops, generate', reason: 'HTTP 503: <loading>', at: clockText(nowMs - 60_000) },
  ]);
  expect(facts.troubles).toEqual(['failed calls: 3 HTTP 503', 'third model_stopped: HTTP 401']);
  expect(Object.fromEntries(facts.figures.map(({ name, text }) => [name, text]))).toMatchObject({
    ...{ Answers: '2,400', Rate: '10 answers/s', Spent: '$1.50 of $6.00 (25 %)', Stored: '2 of 8 pages' },
  });
  expect([facts.done, facts.cells]).toEqual([360, 600]);
  const left = liveFacts(seen({ owned: false, calls: models.calls }), movement, models, nowMs);
  expect(left.troubles[0]).toMatch(/^7 calls were in flight when its process ended: up to \$0\.070 more; charged at /);
});

test('before the first answer, says how far the references are, and which one takes long', () => {
  const preparing = [{ benchmark: 'mbpp', taskId: 'MBPP/7', suite: 'base', sinceMs: nowMs }];
  const lanes = [lane('loops', 'quick', 0, 0)];
  const early = seen({ progress: { ...progress, lanes, answered: 0, references: 40, preparing } });
  expect(liveFacts(early, movement, { ...models, calls: [] }, nowMs).waiting).toEqual([
    'getting ready: 40 of 100 references run',
    expect.stringMatching(
      /^waiting for the reference of MBPP\/7 \(mbpp, suite base; .* since (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d$/,
    ),
  ]);
});

// Red before: nothing was waited for, and "Rate: 0.0 answers/s".
test('after the last cell, says what goes on, and no rate', () => {
  const ended = seen({ progress: { ...progress, lanes: [lane('loops', 'quick', 100, 800)] } });
  const { waiting, figures } = liveFacts(ended, movement, { ...models, calls: [] }, nowMs);
  expect(waiting).toEqual(['writing the run’s tables']);
  expect(figures.map(({ name }) => name)).toEqual(['Answers', 'Spent', 'Calls in flight', 'Stored']);
});

test('of a run that nobody works on, nothing is said to be waited for or under way', () => {
  const facts = liveFacts(seen({ owned: false }), movement, models, nowMs);
  expect([facts.state, facts.waiting]).toEqual(['interrupted', []]);
  expect(facts.models.every(({ inFlight, perSecond }) => inFlight === 0 && perSecond === null)).toBe(true);
  expect(facts.figures.map(({ name }) => name)).not.toContain('Left');
});

test('what models and endpoints say stays text, and many models are folded', () => {
  const page = { revision: 0, madeAt: null, fault: null };
  const facts = liveFacts(seen(), movement, models, nowMs);
  expect(factsHtml(facts, page).markup).toContain('HTTP 503: &lt;loading&gt;');
  const many = { ...facts, models: Array.from({ length: 91 }, () => facts.models[0] as (typeof facts.models)[0]) };
  expect(factsHtml(many, page).markup).toContain('<summary>83 more models</summary>');
  expect(factsHtml(many, page).markup).toContain('class="live-models" open');
  expect(factsHtml({ ...many, isUnderWay: false }, page).markup).not.toContain('class="live-models" open');
  expect(factsHtml(facts, { ...page, fault: 'loops is damaged' }).markup).toContain(
    'No newer results: loops is damaged',
  );
});

test('answers cut at a length are told while the run goes on, from 2 % of a model on', () => {
  const cutOf = (cut: number) => {
    const cutAnswers = [{ model: 'slow', cut, answered: 200 }];
    return liveFacts(seen({ progress: { ...progress, cutAnswers } }), movement, models, nowMs).troubles;
  };
  expect(cutOf(5)).toContain('5 of 200 answers of slow (3 %) cut at a length');
  expect(cutOf(4).join()).not.toContain('cut');
});
