import { expect, test } from 'vitest';
import type { Progress } from '../../../activities/storage/ledger/ledger-counts.ts';
import {
  cutTexts,
  durationText,
  endLine,
  progressLine,
  ratePerSecond,
  spendText,
} from '../../../cli/follow/progress-line.ts';
import { plain } from '../../../cli/output/terminal.ts';

const progress = (cellsDone: number, answered: number): Progress => ({
  pages: { total: 4, sealed: 1, failed: 0 },
  lanes: [{ study: 's', model: 'm', cells: 100, cellsDone, answered }],
  answered,
  failedCalls: 0,
  lostCalls: 0,
  liveIntents: 0,
  verdicts: 7,
  references: 8,
  preparing: [],
  failing: [],
  cutAnswers: [],
  spend: { reportedUsd: 1.5, estimatedUsd: 0.25, unknownUsdCalls: 0, tokens: 0 },
  failuresByReason: {},
  disbelievedCalls: 0,
  unsentByReason: {},
  stopped: [],
  failedPages: [],
});

test('the line gives cells, rate, ETA and spend with its estimated part', () => {
  const points = [
    { atMs: 0, done: 0 },
    { atMs: 10_000, done: 50 },
  ];
  const line = progressLine(
    progress(25, 50),
    { references: 8, callsPerCell: { s: { least: 10, most: 10 } } },
    points,
    60_000,
  );
  expect(line).toContain('25/100 cells');
  expect(line).toContain('50 answers at 5.0/s');
  expect(line).toContain('ETA 3 min 0 s');
  expect(line).toContain('$1.75 (including at most $0.25 for calls without usage)');
});

test('a run that has asked nothing for ten seconds says that programs run, unless it waits for something else', () => {
  const extent = { references: 8, callsPerCell: { s: { least: 10, most: 10 } } };
  const points = [0, 5_000, 17_000, 28_000].map((atMs, look) => ({ atMs, done: look === 0 ? 40 : 50 }));
  const line = (more: Partial<Progress> = {}, seen = points, waits: string[] = []): string =>
    progressLine({ ...progress(25, 50), ...more }, extent, seen, 60_000, [], undefined, waits);
  expect(line()).toContain(' · nothing to ask for 23 s: programs run and are measured · ');
  // Red before: of a longer wait the time of the looks that are kept was said, as if it were all.
  expect(line({}, points.slice(1))).toContain(' · nothing to ask for at least 23 s: programs run and are measured · ');
  expect(line({ liveIntents: 1 })).not.toContain('nothing to ask');
  expect(line({}, points.slice(0, 2))).not.toContain('nothing to ask');
  expect(line({}, points, ['worker 4711 does not answer'])).not.toContain('nothing to ask');
  expect(line(progress(100, 50))).not.toContain('nothing to ask');
});

test.each([
  [0, '$0.00'],
  [0.00000042, '$0.00000042'],
  [0.0004, '$0.00040'],
  [0.0099, '$0.0099'],
  [0.05, '$0.050'],
  [0.0999, '$0.10'],
  [12.345, '$12.35'],
])('a spend of %d dollars is shown as %s', (reportedUsd, text) => {
  const spend = { reportedUsd, estimatedUsd: 0, unknownUsdCalls: 0, tokens: 0 };
  expect(spendText({ ...progress(25, 50), spend })).toBe(text);
  expect(spendText({ ...progress(25, 50), spend: { ...spend, unknownUsdCalls: 1 } })).toBe(
    `${text} + 1 call of unknown price`,
  );
});

test('calls with an impossible usage are named with the spend, since they are charged at less', () => {
  const spend = { reportedUsd: 1.5, estimatedUsd: 0, unknownUsdCalls: 0, tokens: 0 };
  expect(spendText({ spend, disbelievedCalls: 2 })).toBe('$1.50 (2 calls with impossible usage)');
  expect(spendText({ spend: { ...spend, estimatedUsd: 0.25 }, disbelievedCalls: 1 })).toBe(
    '$1.75 (including at most $0.25 for calls without usage; 1 call with impossible usage)',
  );
});

test('a wait for a reference names the task, the suite and since when', () => {
  const since = (time: string): number => new Date(`2026-11-24T${time}`).getTime();
  const one = { benchmark: 'mbpp', taskId: 'MBPP/3', suite: 'plus', sinceMs: since('10:20:30') };
  const line = (preparing: Progress['preparing'], answered = 0): string =>
    progressLine({ ...progress(answered, answered), preparing }, { references: 9, callsPerCell: {} }, [], 90_000);
  const wait =
    'waiting for the reference of MBPP/3 (mbpp, suite plus; each case may take 1 min 0 s of processor time), which ' +
    'runs since 2026-11-24 10:20:30';
  expect(line([one])).toBe(`getting ready: 8/9 references run · ${wait} · 1 min 30 s`);
  expect(line([one, { ...one, suite: null }])).toContain(`${wait}, and 1 more · 1 min 30 s`);
  expect(line([{ ...one, suite: null }])).toContain(
    'waiting for mutations of MBPP/3 (mbpp), which run since 2026-11-24 10:20:30',
  );
  // Other tasks may be asked meanwhile.
  expect(line([one], 1)).toContain(` programs judged · ${wait} · `);
  expect(line([])).toBe('getting ready: 8/9 references run · 1 min 30 s');
});

test('with long tasks the ETA follows the calls', () => {
  expect(
    progressLine(progress(1, 500), { references: 8, callsPerCell: { s: { least: 10, most: 10 } } }, [], 60_000),
  ).toContain('ETA 1 min 0 s');
});

// Red before: a task without selected suites counted as two references, so that the count ended at its half.
test('where the number of references is not known, none is said', () => {
  const extent = { references: null, callsPerCell: {} };
  expect(progressLine(progress(0, 0), extent, [], 4_000)).toBe('getting ready: 8 references run · 4 s');
});

test('before anything is asked the line counts references', () => {
  expect(
    progressLine(progress(0, 0), { references: 90, callsPerCell: { s: { least: 10, most: 10 } } }, [], 4_000),
  ).toBe('getting ready: 8/90 references run · 4 s');
});

test('an endpoint that only fails is not "getting ready": calls, faults and spend are shown', () => {
  const failing = {
    ...progress(0, 0),
    liveIntents: 3,
    failedCalls: 12,
    failuresByReason: { 'HTTP 500': 2, 'socket closed by the endpoint': 10 },
    spend: { reportedUsd: 0, estimatedUsd: 0.5, unknownUsdCalls: 0, tokens: 0 },
  };
  const line = progressLine(failing, { references: 8, callsPerCell: { s: { least: 10, most: 10 } } }, [], 60_000);
  expect(line).toContain('0 answers · 3 calls in flight ·');
  expect(line).toContain(
    '$0.50 (including at most $0.50 for calls without usage) · 12 calls repeated, most often for: socket closed ' +
      'by the endpoint',
  );
  expect(
    progressLine(
      { ...failing, failuresByReason: { ['x'.repeat(500)]: 12 } },
      { references: 8, callsPerCell: {} },
      [],
      1,
    ),
  ).toMatch(/most often for: x{80}…$/);
});

test('more than 2 % of a model’s answers cut at a length is said, less is not', () => {
  const line = (cut: number): string =>
    progressLine(
      { ...progress(1, 100), cutAnswers: [{ model: 'm', cut, answered: 100 }] },
      { references: 8, callsPerCell: {} },
      [],
      1,
    );
  expect(line(3)).toContain(' · 3 of 100 answers of m (3 %) cut at a length');
  expect(line(2)).not.toContain('cut at');
  expect(cutTexts({ cutAnswers: [{ model: 'judge', cut: 1, answered: null }] })).toEqual([
    '1 answer of judge cut at a length',
  ]);
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
  // Shows "safe" as "efas", and hides where a name ends.
  expect(plain('un\u202esafe\u202c\u2066x\u2069')).toBe('unsafex');
});

test('the ETA counts recent progress only: not the preparation, nor what an earlier command did', () => {
  const pace = { begun: { elapsedMs: 60_000, share: 0.2 }, slowMs: 0 };
  // 20 % in a minute since, and 60 % to go.
  expect(
    progressLine(
      progress(40, 50),
      { references: 8, callsPerCell: { s: { least: 10, most: 10 } } },
      [],
      120_000,
      [],
      pace,
    ),
  ).toContain('ETA 3 min 0 s');
});

test('the ETA includes programs of slow references, however fast answers come', () => {
  const begun = { elapsedMs: 0, share: 0 };
  const line = progressLine(
    progress(90, 500),
    { references: 8, callsPerCell: { s: { least: 10, most: 10 } } },
    [],
    60_000,
    [],
    {
      begun,
      slowMs: 600_000,
    },
  );
  expect(line).toContain('ETA 10 min 0 s');
  expect(
    progressLine(progress(1, 5), { references: 8, callsPerCell: { s: { least: 10, most: 10 } } }, [], 60_000, [], {
      begun,
      slowMs: 600_000,
    }),
  ).toContain('ETA at least 10 min 0 s');
});

test('a model whose calls all fail is named with its reason, also before anything was answered', () => {
  const sinceMs = new Date(2026, 0, 2, 3, 4, 5).getTime();
  const failing = [{ answeringModel: 'gone', reason: 'no connection (ECONNREFUSED)', sinceMs }];
  const extent = { references: 8, callsPerCell: {} };
  const line = progressLine({ ...progress(0, 0), failing }, extent, [], 10_000);
  expect(line).toContain('waiting for gone since 2026-01-02 03:04:05: no connection (ECONNREFUSED)');
  expect(line).not.toContain('getting ready');
});

// Red before: the last line of a run was a line of progress, with what was waited for up to two seconds earlier.
test('the last line of a run names no wait, no time left and no call in flight, finished or not', () => {
  const sinceMs = Date.now();
  const waiting = {
    preparing: [{ benchmark: 'mbpp', taskId: 'MBPP/3', suite: 'plus', sinceMs }],
    failing: [{ answeringModel: 'gone', reason: 'no connection (ECONNREFUSED)', sinceMs }],
    batches: [{ answeringModel: 'slow', batches: 1, calls: 3, answered: 0, sinceMs, fault: null }],
    liveIntents: 3,
  };
  const extent = { references: 90, callsPerCell: {} };
  const facts = '7 programs judged · $1.75 (including at most $0.25 for calls without usage)';
  expect(endLine({ ...progress(100, 100), ...waiting }, extent, [])).toBe(
    `████████████████ 100/100 cells · 100 answers · ${facts}`,
  );
  expect(endLine({ ...progress(25, 0), ...waiting }, extent, [])).toBe(
    `████░░░░░░░░░░░░ 25/100 cells · 0 answers · ${facts}`,
  );
  expect(endLine(progress(0, 0), extent, [])).toBe('8 of 90 references run');
});

// Red before: the line named a closed account and no pause, for the whole minute that the pause took.
test('a run that pauses says what it waits for, in place of an ETA and of closed accounts', () => {
  const extent = { references: 8, callsPerCell: {} };
  const closed = [{ endpoint: 'http://e/v1', keyVariable: null, untilMs: 0, why: '' }];
  const line = (more: Partial<Progress>): string =>
    progressLine({ ...progress(25, 50), ...more }, extent, [], 60_000, closed);
  const paused = [{ model: '*', reason: 'paused', detail: 'paused by the user' }];
  const batch = { answeringModel: 'm', batches: 2, calls: 9, answered: 1, sinceMs: 0, fault: null };
  expect(line({ stopped: paused, liveIntents: 3 })).toContain(' · pausing: waits for 3 calls in flight · $1.75');
  expect(line({ stopped: paused })).toContain(' · pausing: waits for programs and tables · $1.75');
  expect(line({ stopped: paused, liveIntents: 1, batches: [batch] })).toContain(
    ' · pausing: waits for 1 call in flight and the end of 2 batches at the endpoint · $1.75',
  );
  expect(line({ stopped: [{ model: '*', reason: 'cancelled', detail: 'cancelled by the user' }] })).toContain(
    ' · cancelling: waits for programs and tables · ',
  );
  expect(line({ stopped: paused })).not.toMatch(/ETA|closed/);
  // A model that is stopped, and a command that was interrupted.
  expect(line({ stopped: [{ model: 'm', reason: 'model_stopped', detail: '401' }] })).not.toContain('waits');
  expect(line({ stopped: [{ model: '*', reason: 'paused', detail: 'interrupted' }] })).not.toContain('waits');
});

// Red before: "1 call repeated, most often for: HTTP 401", of a call that stopped its model.
test('a call that failed for good was not repeated, and is no reason for repeats', () => {
  const ended = (failed: Pick<Progress, 'failedCalls' | 'failuresByReason' | 'finalFailures'>) =>
    endLine({ ...progress(100, 1_000), ...failed }, { references: 8, callsPerCell: {} }, []);
  const refused = { 'HTTP 401': 3 };
  expect(ended({ failedCalls: 3, failuresByReason: refused, finalFailures: refused })).not.toContain('repeated');
  const both = { failedCalls: 5, failuresByReason: { ...refused, 'HTTP 429': 2 }, finalFailures: refused };
  expect(ended(both)).toContain('2 calls repeated, most often for: HTTP 429');
});

// Red before: such questions were among the answers.
test('questions that nobody asked have their own name', () => {
  const line = endLine({ ...progress(100, 1_000), notAsked: 2 }, { references: 8, callsPerCell: {} }, []);
  expect(line).toContain('1000 answers · 2 questions that nobody asked · 7 programs judged');
});

// Red before: a run that got ready, or was pausing, did not say that a stopped worker held it up.
test.each([
  ['getting ready', []],
  ['pausing', [{ model: '*', reason: 'paused', detail: 'paused by the user' }]],
])('a run that is %s names what holds it up', (state, stopped) => {
  const extent = { references: 8, callsPerCell: { s: { least: 10, most: 10 } } };
  const seen = { ...progress(state === 'pausing' ? 25 : 0, 0), references: 0, stopped } as Progress;
  const line = progressLine(seen, extent, [], 60_000, [], undefined, ['worker 4711 does not answer']);
  expect(line).toContain(state);
  expect(line).toContain(' · worker 4711 does not answer');
});

// Red before: "100/100 cells · 3200 answers at 0.0/s", and nothing else, for minutes.
test('after the last cell the line says what goes on, and no rate', () => {
  const points = [60_000, 120_000].map((atMs) => ({ atMs, done: 3_200 }));
  const extent = { references: 8, callsPerCell: {} };
  const facts = '7 programs judged';
  const spent = '$1.75 (including at most $0.25 for calls without usage)';
  expect(progressLine(progress(100, 3_200), extent, points, 130_000)).toBe(
    `████████████████ 100/100 cells · 3200 answers · ${facts} · writing the run’s tables · ${spent}`,
  );
  expect(endLine(progress(100, 3_200), extent, points)).toBe(
    `████████████████ 100/100 cells · 3200 answers · ${facts} · ${spent}`,
  );
  expect(progressLine(progress(99, 3_200), extent, points, 130_000)).not.toContain('writing');
});

// Red before: "getting ready: 80 references run" for minutes, while mutations were tried.
test.each([
  [40, ', mutations of 12/40 tasks tried'],
  [null, ', mutations of 12 tasks tried'],
  [undefined, ''],
])('what is tried for simulated models is counted next to the references: of %s tasks', (mutated, expected) => {
  const extent = { references: null, callsPerCell: {}, ...(mutated !== undefined && { mutated }) };
  const seen = { ...progress(0, 0), references: 80, mutated: 12 };
  expect(progressLine(seen, extent, [], 4_000)).toBe(`getting ready: 80 references run${expected} · 4 s`);
});
