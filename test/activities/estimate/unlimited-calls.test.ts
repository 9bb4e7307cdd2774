/** The maximum of a plan where a model thinks: the study's limit is then not sent to it. */
import { expect, test } from 'vitest';
import { noteOverrun } from '../../../activities/calls/overruns.ts';
import { createReasoners } from '../../../activities/calls/reasoners.ts';
import { forecastBill } from '../../../activities/estimate/bill-forecast.ts';
import type { PlannedRun } from '../../../activities/runs/plan-manifest.ts';
import { slug } from '../../../domain/ids.ts';
import { call, charge, keyOf, reply } from '../storage/ledger/ledger-calls.ts';
import { planFolder, priced, type SpecParts } from './planned-spec.ts';

const studies = '[{ name: plain, kind: pass, benchmark: tiny, settings: { samples: 1, maxTokens: 300 } }]';
const page = `${slug('plain')}/${slug('a')}/r1p0000`;
/** Answers at 15 dollars a million, prompts free; no list knows the context window, so 131,072 tokens are assumed. */
const parts = (own = '', tasks = 30): SpecParts => ({ tasks, models: `[{ id: a, ${priced(0, 15)}${own} }]`, studies });
const window = 131_072;
const callUsd = ((window + 16) * 15) / 1e6;

/** Answers the first tasks, thinking for 2,000 tokens before 150 of text each. */
async function answered({ ledger }: PlannedRun, tasks: number, usd = (2_150 * 15) / 1e6): Promise<void> {
  const fence = await ledger.openUnit(`${page}/step`, await ledger.takeOver('a test'));
  const thought = { reasoningTokens: 2_000 };
  await (await createReasoners(ledger)).note('a', thought);
  for (let cell = 0; cell < tasks; cell += 1) {
    const key = { page, cell, step: 'generate', loop: 1, ask: 0, sample: 0 } as const;
    const asked = call(cell, { key, callKeys: [keyOf(cell)], model: 'a', answeringModel: 'a' });
    const reserved = await ledger.reserve(fence, asked);
    if (reserved.kind !== 'go') throw new Error(`expected to ask, got ${reserved.kind}`);
    await ledger.commit(reserved.intent, [reply('an answer')], charge(usd, 2_150, thought), 500);
  }
}

// Red before: it was 300 tokens a call, which is not sent to such a model.
test('of a run whose model thinks, the maximum is its whole window for each call', async () => {
  const { begin, estimate } = planFolder();
  const run = await begin(parts());
  await answered(run, 18);
  await run.ledger.close();
  const { run: sum, unlimited, warnings } = await estimate(parts());
  expect(sum.usd?.high).toBeCloseTo(12 * callUsd, 9);
  expect(unlimited).toEqual({ known: [{ model: 'a', callUsd: expect.closeTo(callUsd, 9) }], otherwiseUsd: null });
  expect(warnings.join()).toContain('a thinks, so maxTokens is not sent to it: a call is sent only while $1.97 fit');
  // 2,000 tokens of thoughts and the text: above what the study's limit would allow.
  expect(sum.usd?.expected).toBeGreaterThan((12 * 2_000 * 15) / 1e6);
});

test('a limit of the model itself is sent to it in any case, and holds', async () => {
  const { begin, estimate } = planFolder();
  const own = ', parameters: { maxTokens: 4000 }';
  const run = await begin(parts(own));
  await answered(run, 18);
  await run.ledger.close();
  const { run: sum, unlimited } = await estimate(parts(own));
  expect(sum.usd?.high).toBeCloseTo((12 * 4_016 * 15) / 1e6, 9);
  expect(unlimited).toEqual({ known: [], otherwiseUsd: null });
});

test('before a model has answered, the maximum is its limit, and what a call costs if it thinks is told', async () => {
  const { run: sum, unlimited } = await planFolder().estimate(parts());
  expect(sum.usd?.high).toBeCloseTo((30 * 316 * 15) / 1e6, 9);
  expect(unlimited).toEqual({ known: [], otherwiseUsd: expect.closeTo(callUsd, 9) });
});

const forecastOf = async ({ home, manifest, ledger }: PlannedRun) => forecastBill(home, manifest, ledger);

// Red before: the forecast was no more than 316 tokens for each call.
test.each([18, 24])(
  'after %i answers, the bill goes by what they cost, and its maximum by the window',
  async (tasks) => {
    const run = await planFolder().begin(parts());
    await answered(run, tasks);
    const bill = await forecastOf(run);
    const left = 30 - tasks;
    expect(bill?.leftAtMostUsd).toBeCloseTo(left * callUsd, 9);
    expect(bill?.leftUsd).toBeGreaterThan((left * 2_000 * 15) / 1e6);
    expect(bill?.leftUsd).toBeLessThan((left * 2_200 * 15) / 1e6);
    await run.ledger.close();
  },
);

test('where an endpoint counts more than it is allowed, a forecast has no maximum', async () => {
  const run = await planFolder().begin(parts());
  await noteOverrun(run.ledger, call(0, { answeringModel: 'a', maxUsd: 0.005 }), charge(0.05));
  expect(await forecastOf(run)).toMatchObject({ leftAtMostUsd: null, unbounded: ['a'] });
  await (await createReasoners(run.ledger)).note('a', { reasoningTokens: 3_000 });
  expect(await forecastOf(run)).toMatchObject({ leftAtMostUsd: expect.closeTo(30 * callUsd, 9), unbounded: [] });
  await run.ledger.close();
});

// Red before: `plan` and `status` gave 1,516 tokens for each call, less than was expected of it.
test('a limit of a model’s own that its endpoint does not keep to is no maximum, also if it thinks', async () => {
  const { begin, estimate } = planFolder();
  const own = ', parameters: { maxTokens: 1500 }';
  const run = await begin(parts(own));
  const [allowedUsd, usd] = [(1_516 * 15) / 1e6, (2_150 * 15) / 1e6];
  await answered(run, 24, usd);
  await noteOverrun(run.ledger, call(0, { answeringModel: 'a', maxUsd: allowedUsd }), charge(usd));
  const bill = await forecastOf(run);
  expect(bill).toMatchObject({ leftAtMostUsd: null, unbounded: ['a'] });
  expect(bill?.leftUsd).toBeCloseTo(6 * usd, 9);
  await run.ledger.close();
  const { run: sum, warnings, unlimited } = await estimate(parts(own));
  // 2,000 tokens of thoughts and the text. At most as much as is believed of an endpoint: the window.
  expect(sum.usd?.expected).toBeGreaterThan((6 * 2_000 * 15) / 1e6);
  expect(sum.usd?.high).toBeCloseTo(6 * callUsd, 9);
  expect(warnings.join()).toContain('a counts more tokens than its calls allow');
  expect(unlimited).toEqual({ known: [], otherwiseUsd: null });
});

test('what is expected by the calls so far is never above the maximum', async () => {
  const run = await planFolder().begin(parts(', parameters: { maxTokens: 300 }'));
  await answered(run, 24, 1);
  const bill = await forecastOf(run);
  expect(bill?.leftUsd).toBe(6);
  expect(bill?.leftAtMostUsd).toBe(6);
  await run.ledger.close();
});

// Red before: it was the mean over all tasks, and the last one has the longest prompt.
test('the maximum of what is left allows for its prompts being the longest', async () => {
  const { begin, estimate } = planFolder();
  const models = `[{ id: a, ${priced(1000, 0)} }]`;
  const run = await begin({ ...parts(), models });
  await answered(run, 29, 0);
  await run.ledger.close();
  const { run: one } = await estimate({ ...parts(), models });
  const { run: all } = await planFolder().estimate({ ...parts(), models });
  expect(one.usd?.high).toBeGreaterThan((all.usd?.high ?? 0) / 30);
});
