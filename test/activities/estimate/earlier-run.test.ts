import { expect, test } from 'vitest';
import { slug } from '../../../domain/ids.ts';
import type { PlannedRun } from '../../../activities/runs/plan-manifest.ts';
import { call, charge, keyOf, reply } from '../storage/ledger/ledger-calls.ts';
import { planFolder, priced } from './planned-spec.ts';

const studies =
  '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 2, maxTokens: 100, judge: umpire } }]';
const umpire = `{ id: umpire, study: false, ${priced(0, 1000)} }`;
const one = `[{ id: a, ${priced(0, 10)} }, ${umpire}]`;
const two = `[{ id: a, ${priced(0, 10)} }, { id: b, ${priced(0, 10)} }, ${umpire}]`;

/** The name of the first revision's only page. */
const page = `${slug('loops')}/${slug('a')}/r1p0000`;

type Answered = readonly ['generate' | 'summarize' | 'judge', cell: number, loop: number, judge?: 'umpire' | 'b'];

/** Answers of 42 tokens and one cent each, in 500 ms. */
async function answer(
  { ledger }: PlannedRun,
  answered: readonly Answered[],
  end?: 'sealed',
  reasoningTokens: number | null = null,
): Promise<void> {
  const fence = await ledger.openUnit(`${page}/step`, await ledger.takeOver('a test'));
  for (const [step, cell, loop, judge = 'umpire'] of answered) {
    const answeringModel = step === 'judge' ? judge : 'a';
    const key = { page, cell, step, loop, ask: 0, sample: judge === 'umpire' ? 0 : 2 };
    const reserved = await ledger.reserve(
      fence,
      call(cell, { key, callKeys: [keyOf(`${step}${cell}/${loop}/${judge}`)], model: 'a', answeringModel }),
    );
    if (reserved.kind !== 'go') throw new Error(`expected to ask, got ${reserved.kind}`);
    await ledger.commit(reserved.intent, [reply('an answer')], { ...charge(0.01), reasoningTokens }, 500);
  }
  if (end === 'sealed') await ledger.sealPage(fence, page, []);
  await ledger.close();
}

test('the answers of an unfinished run are reused, and the rest is new', async () => {
  const { begin, estimate } = planFolder();
  // The first task has passed both loops' questions, the second its first program.
  await answer(await begin({ models: one, studies }), [
    ['generate', 0, 1],
    ['summarize', 0, 1],
    ['generate', 0, 2],
    ['generate', 1, 1],
  ]);
  const { lanes, run } = await estimate({ models: one, studies });
  // Three cells of 3 calls at most are 9; expected 3 x (1 + 2 x 0.75) = 7.5.
  expect(lanes[0]).toMatchObject({ role: 'study', reusedCalls: 4, reusedTokens: 4 * 42, spentUsd: 0.04 });
  expect(lanes[0]?.newCalls).toMatchObject({ maximum: 5, expected: 4 });
  expect(lanes[0]?.usd?.high).toBeCloseTo(5 * (100 + 16) * 10e-6, 10);
  expect(lanes[1]).toMatchObject({ role: 'judge', reusedCalls: 0, newCalls: { maximum: 9 } });
  expect(run).toMatchObject({ reusedCalls: 4, newCalls: { maximum: 14 } });
});

// Red before: only the answers that count were spent, one cent and 42 tokens.
test('a budget is compared with all that a run has spent, also on calls that failed', async () => {
  const { begin, estimate } = planFolder();
  const begun = await begin({ models: one, studies });
  const fence = await begun.ledger.openUnit(`${page}/step`, await begun.ledger.takeOver('a test'));
  const key = { page, cell: 2, step: 'generate', loop: 1, ask: 0, sample: 0 } as const;
  const reserved = await begun.ledger.reserve(fence, call(2, { key, model: 'a', answeringModel: 'a' }));
  if (reserved.kind !== 'go') throw new Error(`expected to ask, got ${reserved.kind}`);
  // Billed, and of no use: three dollars, 1,000 tokens.
  await begun.ledger.fail(reserved.intent, 'HTTP 500: boom', charge(3, 1_000), 500);
  await answer(begun, [['generate', 0, 1]]);
  const warningsAt = async (budget: string) => (await estimate({ models: one, studies, budget })).warnings.join();
  expect(await warningsAt('{ usd: 3 }')).toMatch(
    /^the run will stop at its budget of \$3\.00: at least \$3\.01, .*, \$3\.01 of it spent; it can/,
  );
  expect(await warningsAt('{ tokens: 1042 }')).toMatch(/^the run will stop at .*, 1,042 tokens of it spent; it can/);
});

test('the answers of each judge are reused for itself', async () => {
  const { begin, estimate } = planFolder();
  const panel = studies.replace('umpire', '{ models: [umpire, b], repeats: 2 }');
  const models = `[{ id: a, ${priced(0, 10)} }, { id: b, study: false, ${priced(0, 10)} }, ${umpire}]`;
  const judged = [0, 1, 2].map((cell) => ['judge', cell, 1] as const);
  await answer(await begin({ models, studies: panel }), [...judged, ['judge', 0, 1, 'b']]);
  const { lanes } = await estimate({ models, studies: panel });
  // At most 3 tasks x 2 repeats x 3 asks.
  expect(
    lanes.map(({ answeringModel, reusedCalls, newCalls }) => [answeringModel, reusedCalls, newCalls.maximum]),
  ).toEqual([
    ['a', 0, 9],
    ['umpire', 3, 15],
    ['b', 1, 17],
  ]);
});

test('a further model and further tasks of a finished run are new, the finished page is not', async () => {
  const { begin, estimate } = planFolder();
  const all = [0, 1, 2].map((cell) => ['generate', cell, 1] as const);
  await answer(await begin({ models: one, studies }), [...all, ['judge', 0, 1]], 'sealed');
  const { lanes } = await estimate({ tasks: 5, models: two, studies });
  const rows = lanes.map(({ answeringModel, model, cells, sealedCells, reusedCalls, newCalls }) => [
    ...[model, answeringModel, cells, sealedCells, reusedCalls, newCalls.minimum, newCalls.maximum],
  ]);
  // Two tasks are left for the first model, all five for the second.
  expect(rows).toEqual([
    ['a', 'a', 5, 3, 3, 2, 6],
    ['a', 'umpire', 5, 3, 1, 0, 6],
    ['b', 'b', 5, 0, 0, 5, 15],
    ['b', 'umpire', 5, 0, 0, 0, 15],
  ]);
});

test("measured answers' time counts in place of the assumed one, for the model that was measured", async () => {
  const { begin, estimate } = planFolder();
  await answer(await begin({ models: one, studies }), [['generate', 0, 1]]);
  const { lanes, assumptions } = await estimate({ models: two, studies });
  const times = lanes.filter(({ role }) => role === 'study').map(({ timeSeconds }) => timeSeconds.minimum);
  // One wave: two programs at least in half a second; three empty answers in a second.
  expect(times).toEqual([0.5, 1]);
  expect(assumptions.join()).toContain('a 0.50 s');
});

test('measured thoughts count in place of assumed ones, for the model that was measured', async () => {
  const { begin, estimate } = planFolder();
  await answer(await begin({ models: one, studies }), [['generate', 0, 1]], undefined, 60);
  const thinking = two.replace('{ id: b,', '{ id: b, parameters: { reasoningEffort: minimal, maxTokens: 1000 },');
  const { lanes, assumptions } = await estimate({ models: thinking, studies });
  const [a, b] = lanes.filter(({ role }) => role === 'study');
  const perCall = (lane: typeof a) => (lane?.newOutputTokens.expected ?? 0) / (lane?.newCalls.expected ?? 0);
  // Of b 100 are assumed; both give the same answers otherwise. Totals are rounded.
  expect(perCall(b) - perCall(a)).toBeGreaterThan(35);
  expect(perCall(b) - perCall(a)).toBeLessThan(45);
  expect(assumptions.join('\n')).toContain("mean of this run's answers so far, tokens per answer: a (loops) 60");
  expect(assumptions.join('\n')).toContain('thoughts: assumed, 100 tokens per answer at minimal;');
});

test('a spec that is no addition to the run is refused as run refuses it', async () => {
  const { begin, estimate } = planFolder();
  await (await begin({ models: one, studies })).ledger.close();
  await expect(estimate({ models: one, studies: studies.replace('maxTokens: 100', 'maxTokens: 200') })).rejects.toThrow(
    'run "planned" exists, and this spec changes more than a run can be extended with',
  );
});
