import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { PlannedRun } from '../../activities/runs/plan-manifest.ts';
import { isTooLarge } from '../../cli/output/solved-costs.ts';
import { ownerLock } from '../../activities/storage/catalog/owner-lock.ts';
import { acceptedLossesPrefix } from '../../activities/storage/ledger/noted-facts.ts';
import { createVersionWatch } from '../../activities/calls/versions.ts';
import { stopRun } from '../../cli/commands/control.ts';
import { status } from '../../cli/commands/status.ts';
import type { SolvedCost } from '../../cli/output/solved-costs.ts';
import { solvedUsdText } from '../../cli/output/spend-text.ts';
import { createTerminal } from '../../cli/output/terminal.ts';
import { slug } from '../../domain/ids.ts';
import { planFolder, priced } from '../activities/estimate/planned-spec.ts';
import { call, charge, keyOf, reply } from '../activities/storage/ledger/ledger-calls.ts';

const studies = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1, maxTokens: 100 } }]';
const models = `[{ id: a, ${priced(0, 1000)} }]`;
const page = `${slug('loops')}/${slug('a')}/r1p0000`;

interface Shown {
  readonly progress: { readonly unsentByReason: unknown; readonly failedCalls: number };
  readonly others: unknown;
  readonly spend: {
    readonly lanes: readonly unknown[];
    readonly reused: unknown;
    readonly forecast: Record<string, number | null> | null;
  };
}

async function shown(runsDir: string, id: string | null = 'planned') {
  const said: string[] = [];
  const documents: unknown[] = [];
  const exit = await status(
    id ?? undefined,
    { runsDir },
    {
      ...createTerminal(false),
      out: (text) => void said.push(text),
      note: () => {},
      document: (value) => void documents.push(value),
    },
  );
  return { text: said.join('\n'), json: documents[0] as Shown, exit };
}

/** Answers the first tasks, for a cent each, or from an earlier run. */
async function answered({ ledger }: PlannedRun, tasks: number, { reused = 0 } = {}): Promise<void> {
  const fence = await ledger.openUnit(`${page}/step`, await ledger.takeOver('a test'));
  const reserve = async (cell: number): Promise<number> => {
    const key = { page, cell, step: 'generate', loop: 1, ask: 0, sample: 0 } as const;
    const reserved = await ledger.reserve(
      fence,
      call(cell, { key, callKeys: [keyOf(cell)], model: 'a', answeringModel: 'a' }),
    );
    if (reserved.kind !== 'go') throw new Error(`expected to ask, got ${reserved.kind}`);
    return reserved.intent;
  };
  for (let cell = 0; cell < tasks; cell += 1)
    await (cell < reused
      ? ledger.commit(await reserve(cell), [reply('a')], charge(0, 0, { basis: 'free' }), null, 'earlier')
      : ledger.commit(await reserve(cell), [reply('an answer')], charge(0.01), 500));
  await ledger.release(await reserve(tasks), 'no connection (ECONNREFUSED)');
  await createVersionWatch(ledger)('a', { ...reply('x'), returnedModel: 'b-mini' });
  await ledger.close();
}

test('status gives each study’s and model’s cost so far, and a forecast of the bill', async () => {
  const { begin } = planFolder();
  const run = await begin({ tasks: 30, models, studies });
  await answered(run, 20);
  const { text, json } = await shown(dirname(run.home.folder));
  // Thirty tasks of one question: twenty at a cent, and ten more at a cent;
  // at most 116 tokens of a tenth of a cent each.
  expect(json.spend.forecast?.['spentUsd']).toBeCloseTo(0.2, 10);
  expect(json.spend.forecast?.['leftUsd']).toBeCloseTo(0.1, 10);
  expect(json.spend.forecast?.['totalUsd']).toBeCloseTo(0.3, 10);
  expect(json.spend.forecast?.['leftAtMostUsd']).toBeCloseTo(10 * 0.116, 10);
  expect(json.spend.lanes).toMatchObject([
    { study: 'loops', model: 'a', answeringModel: 'a', answered: 20, failed: 0 },
  ]);
  expect(text).toMatch(/loops\s*│ a\s*│ 0 \/ 30\s*│ 20\s*│ \$0\.20/);
  // No page is finished, so nothing is solved.
  expect(text).toMatch(/\$0\.20\s*│ – /);
  expect(text).toContain('paid for a: $0.20 in 20 calls');
  expect(text).toContain(
    'forecast of the bill: $0.30 ($0.20 spent, $0.10 expected for the rest, at most $1.16 unless a model thinks)',
  );
});

test('answers of other runs are named apart from the calls that this run paid for', async () => {
  const { begin } = planFolder();
  await (await begin({ tasks: 30, models, studies }, 'earlier')).ledger.close();
  const run = await begin({ tasks: 30, models, studies, reuse: '[earlier]' });
  await answered(run, 25, { reused: 5 });
  const { text, json } = await shown(dirname(run.home.folder));
  expect(text).toContain('paid for a: $0.20 in 20 calls');
  // Five more at a cent, the mean of those that were paid.
  expect(json.spend.forecast?.['leftUsd']).toBeCloseTo(0.05, 10);
  expect(text).toContain('reused for a: 5 answers of other runs, which paid for them');
  expect(json.spend.reused).toEqual([{ study: 'loops', model: 'a', answeringModel: 'a', answers: 5 }]);
});

test('status says that spend lacks replies whose loss was accepted', async () => {
  const { begin } = planFolder();
  const run = await begin({ tasks: 3, models, studies });
  await run.ledger.saveFact(`${acceptedLossesPrefix}x`, JSON.stringify({ replies: 2 }));
  await answered(run, 1);
  const { text } = await shown(dirname(run.home.folder));
  expect(text).toMatch(/spend is higher than shown: 2 paid replies of this run were lost, and what they cost/);
});

test('calls never sent are not counted as failed; answers of another model are reported', async () => {
  const { begin } = planFolder();
  const run = await begin({ tasks: 3, models, studies });
  await answered(run, 1);
  const { text, json } = await shown(dirname(run.home.folder));
  expect(json.progress).toMatchObject({ failedCalls: 0, unsentByReason: { 'no connection (ECONNREFUSED)': 1 } });
  expect(text).toContain('repeated 0');
  expect(text).toContain('never sent, so not counted: 1 attempt, no connection (ECONNREFUSED)');
  expect(json.others).toEqual([{ model: 'a', names: ['b-mini'] }]);
  expect(text).toContain('another model: asked for a, answered by b-mini');
});

// Red when the listing ends with the first run that throws: node:sqlite refuses an integer
// beyond 2^53 with a RangeError.
test('a run that cannot be shown is reported, and the others are still listed', async () => {
  const [broken, whole] = [planFolder(), planFolder()];
  const one = await broken.begin({ models, studies });
  await one.ledger.close();
  const other = await whole.begin({ models, studies });
  await other.ledger.close();
  const file = new DatabaseSync(join(one.home.folder, 'ledger.sqlite'));
  file.exec('update lane set cells = 9223372036854775807');
  file.close();
  symlinkSync(other.home.folder, join(dirname(one.home.folder), 'whole'));
  const { text, exit } = await shown(dirname(one.home.folder), null);
  expect(text).toMatch(/whole/);
  expect(text).toMatch(/^run "planned" cannot be shown: .*; "evenkeel verify" lists what is damaged$/m);
  expect(exit).toBe(1);
});

test('the cost per solved task has an interval and the number of tasks', () => {
  const one = {
    study: 's',
    model: 'm',
    usd: 0.02,
    interval: { lo: 0.0125, hi: 0.04 },
    solved: 12.5,
    tasks: 20,
    reason: null,
    isAtMost: false,
  };
  const shownFor = (solved: readonly SolvedCost[]): string =>
    solvedUsdText({ lanes: [], reused: [], solved, solvedFault: null, forecast: null, forecastFault: null }, 's', 'm');
  expect(shownFor([one])).toBe('$0.020 ($0.013 to $0.040; 12.5 of 20 tasks)');
  expect(shownFor([{ ...one, usd: null, interval: { lo: 0.3, hi: null }, solved: 0 }])).toBe(
    '– ($0.30 to no limit; 0 of 20 tasks)',
  );
  expect(shownFor([{ ...one, usd: null, interval: null, reason: 'the price of 1 call is unknown' }])).toBe(
    '– (12.5 of 20 tasks)',
  );
  expect(shownFor([{ ...one, study: 'another' }])).toBe('–');
  expect(shownFor([{ ...one, isAtMost: true }])).toBe('at most $0.020 ($0.013 to $0.040; 12.5 of 20 tasks)');
});

test('over many answers the cost of a solved task is computed once the run is complete', () => {
  expect(isTooLarge({ state: 'running' }, { answered: 200_000 })).toBe(false);
  expect(isTooLarge({ state: 'incomplete' }, { answered: 200_001 })).toBe(true);
  expect(isTooLarge({ state: 'complete' }, { answered: 9_000_000 })).toBe(false);
});

// Red before: it said "paused" and not that the run goes on until its calls have ended.
test('pause says how many calls are in flight, and what becomes of them', async () => {
  const { begin } = planFolder();
  const run = await begin({ tasks: 3, models, studies });
  const runsDir = dirname(run.home.folder);
  const pause = async (): Promise<string> => {
    const said: string[] = [];
    await stopRun('pause', 'planned', { runsDir }, { ...createTerminal(false), out: (text) => void said.push(text) });
    return said.join();
  };
  expect(await pause()).toMatch(/^paused: no new calls are sent; none is in flight\. Continue with:/);
  await run.ledger.setStop(null, null, 'goes on');
  const fence = await run.ledger.openUnit(`${page}/step`, await run.ledger.takeOver('a test'));
  for (const cell of [0, 1]) {
    const key = { page, cell, step: 'generate', loop: 1, ask: 0, sample: 0 } as const;
    await run.ledger.reserve(fence, call(cell, { key, callKeys: [keyOf(cell)], model: 'a', answeringModel: 'a' }));
  }
  expect(await pause()).toContain("2 calls were in flight when the run's process ended: they count as lost");
  const owned = await ownerLock(run.home.folder).take();
  expect(await pause()).toContain('2 calls are still in flight, and their answers are kept; then the run ends');
  await owned?.release();
  await run.ledger.close();
});
