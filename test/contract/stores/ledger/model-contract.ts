/**
 * Every ledger against a model of it in memory: arbitrary sequences of take-overs, attempts, reserves, commits and
 * failures, several at a time, also by fenced attempts and for intents that are closed already.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fence } from '../../../../activities/storage/ledger/fence.ts';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import { call, charge, keyOf, page, reply } from '../../../activities/storage/ledger/ledger-calls.ts';
import type { NewLedger } from './whole-contract.ts';

type Request =
  | { readonly do: 'reserve'; readonly fence: number; readonly cell: number; readonly milliUsd: number }
  | { readonly do: 'commit'; readonly intent: number; readonly share: number }
  | { readonly do: 'fail'; readonly intent: number };
type Step =
  | { readonly do: 'take over' }
  | { readonly do: 'open unit'; readonly unit: number; readonly epochsAgo: number }
  | { readonly do: 'group'; readonly requests: readonly Request[] };

const index = fc.nat({ max: 30 });
const request: fc.Arbitrary<Request> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      fence: index,
      cell: fc.nat({ max: 5 }),
      milliUsd: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('commit' as const), intent: index, share: fc.constantFrom(0, 0.5, 1) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), intent: index }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ do: 'take over' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('open unit' as const),
      unit: fc.nat({ max: 1 }),
      epochsAgo: fc.constantFrom(0, 0, 0, 1),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('group' as const),
      requests: fc.array(request, { minLength: 1, maxLength: 8 }),
    }),
  },
);

interface ModelIntent {
  /** From 1. */
  readonly place: number;
  /** The ledger's number; before it is known, the next one that a ledger gives out in order. */
  id: number;
  readonly cell: number;
  readonly key: number;
  readonly unit: string;
  readonly maxMilli: number;
  state: 'open' | 'answered' | 'failed' | 'lost';
  /** Thousandths of a USD. */
  paidMilli: number;
}

/** Cells 4 and 5 ask the same calls as cells 0 and 1. */
const keyOfCell = (cell: number): number => cell % 4;
/** Two or three calls' worth, so that it is often reached. */
const budgetMilli = 60;

/** Says what the ledger must answer, by the plainest means: lists that are searched and sums that are taken again. */
class Model {
  epoch = 0;
  readonly newest = new Map<string, { epoch: number; attempt: number }>();
  readonly intents: ModelIntent[] = [];
  /** By call key, the place of the intent whose reply counts. */
  readonly winner = new Map<number, number>();
  /** Cells with a reply. */
  readonly answeredCells = new Set<number>();
  /** What late replies cost more than they were charged for when they were given up. */
  lateExcessMilli = 0;

  /** The open intents of a unit; of every unit when it is `all`. */
  lose(unit: string): void {
    for (const intent of this.intents) {
      if (intent.state !== 'open' || (unit !== 'all' && intent.unit !== unit)) continue;
      intent.state = 'lost';
      intent.paidMilli = intent.maxMilli / 2;
    }
  }

  spentMilli(): number {
    return this.intents.reduce((sum, intent) => sum + intent.paidMilli, 0);
  }

  reservedMilli(): number {
    return this.intents.reduce((sum, intent) => sum + (intent.state === 'open' ? intent.maxMilli : 0), 0);
  }

  reserve(fence: Fence, cell: number, maxMilli: number): 'fenced' | 'answered' | 'busy' | 'budget' | 'go' {
    const newest = this.newest.get(fence.unit);
    if (fence.epoch !== this.epoch || newest?.epoch !== fence.epoch || newest.attempt !== fence.attempt)
      return 'fenced';
    const key = keyOfCell(cell);
    if (this.winner.has(key)) {
      this.answeredCells.add(cell);
      return 'answered';
    }
    if (this.intents.some((intent) => intent.key === key && intent.state === 'open')) return 'busy';
    if (this.spentMilli() + maxMilli > budgetMilli) return 'budget';
    return this.spentMilli() + this.reservedMilli() + maxMilli > budgetMilli ? 'busy' : 'go';
  }

  /** False when the commit must be refused. */
  commit(intent: ModelIntent, paidMilli: number): boolean {
    if (intent.state === 'failed') return false;
    if (intent.state === 'answered') return true;
    if (intent.state === 'lost') this.lateExcessMilli += Math.max(0, paidMilli - intent.paidMilli);
    intent.state = 'answered';
    intent.paidMilli = paidMilli;
    if (!this.winner.has(intent.key)) this.winner.set(intent.key, intent.place);
    this.answeredCells.add(intent.cell);
    return true;
  }

  fail(intent: ModelIntent): boolean {
    if (intent.state === 'answered') return false;
    intent.state = 'failed';
    intent.paidMilli = 0;
    return true;
  }

  count(state: ModelIntent['state']): number {
    return this.intents.filter((intent) => intent.state === state).length;
  }
}

const textOf = (intent: number): string => `reply of intent ${intent}`;
const pick = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(1, from.length)];

async function openUnit(ledger: Ledger, model: Model, fences: Fence[], unit: string, epoch: number): Promise<void> {
  if (epoch !== model.epoch) {
    await expect(ledger.openUnit(unit, epoch)).rejects.toThrow('cannot open');
    return;
  }
  const fence = await ledger.openUnit(unit, epoch);
  fences.push(fence);
  model.newest.set(unit, fence);
  model.lose(unit);
}

async function carryOut(ledger: Ledger, model: Model, fences: readonly Fence[], wanted: Request): Promise<void> {
  if (wanted.do === 'reserve') {
    const fence = pick(fences, wanted.fence);
    if (fence === undefined) return;
    const reserved = ledger.reserve(
      fence,
      call(wanted.cell, {
        callKeys: [keyOf(keyOfCell(wanted.cell))],
        maxUsd: wanted.milliUsd / 1000,
        estimatedUsd: wanted.milliUsd / 2000,
      }),
    );
    const expected = model.reserve(fence, wanted.cell, wanted.milliUsd);
    // The model must know of the intent before the next request of the group.
    const place = model.intents.length + 1;
    const { cell, milliUsd: maxMilli } = wanted;
    const intent: ModelIntent = {
      ...{ place, id: place, cell, key: keyOfCell(cell), unit: fence.unit },
      ...{ maxMilli, state: 'open', paidMilli: 0 },
    };
    if (expected === 'go') model.intents.push(intent);
    const got = await reserved;
    expect(got.kind === 'stop' ? got.reason : got.kind).toBe(expected);
    if (got.kind === 'go') intent.id = got.intent;
    if (got.kind === 'answered')
      expect(got.replies[0]?.reply.text).toBe(textOf(model.winner.get(keyOfCell(cell)) ?? Number.NaN));
    return;
  }
  const intent = pick(model.intents, wanted.intent);
  if (intent === undefined) return;
  if (wanted.do === 'fail') {
    const failed = ledger.fail(intent.id, 'HTTP 500', charge(0, 0), 1);
    await (model.fail(intent) ? failed : expect(failed).rejects.toThrow('was answered'));
    return;
  }
  const paidMilli = intent.maxMilli * wanted.share;
  const committed = ledger.commit(intent.id, [reply(textOf(intent.place))], charge(paidMilli / 1000), 1);
  const accepted = model.commit(intent, paidMilli);
  const winner = model.winner.get(intent.key);
  if (accepted) expect((await committed)[0]?.reply.text).toBe(textOf(winner ?? Number.NaN));
  else await expect(committed).rejects.toThrow('closed as failed');
}

async function compare(ledger: Ledger, model: Model): Promise<void> {
  const progress = await ledger.progress();
  expect(progress).toMatchObject({
    answered: model.count('answered'),
    failedCalls: model.count('failed'),
    lostCalls: model.count('lost'),
    liveIntents: model.count('open'),
  });
  const spent = progress.spend.reportedUsd + progress.spend.estimatedUsd;
  expect(spent).toBeCloseTo(model.spentMilli() / 1000, 9);
  expect(model.spentMilli() + model.reservedMilli()).toBeLessThanOrEqual(budgetMilli + model.lateExcessMilli + 1e-9);

  const used = (await ledger.records(page)).calls.filter((attempt) => attempt.used);
  expect(new Set(used.map(({ callKey }) => callKey)).size).toBe(used.length);
  expect(new Map(used.map(({ callKey, intent }) => [callKey, intent]))).toEqual(
    new Map([...model.winner].map(([key, place]) => [keyOf(key), model.intents[place - 1]?.id])),
  );
  const samples = await ledger.samples(page);
  expect(samples.map(({ key }) => key.cell)).toEqual([...model.answeredCells].sort((a, b) => a - b));
  for (const { key, reply: answer } of samples)
    expect(answer.text).toBe(textOf(model.winner.get(keyOfCell(key.cell)) ?? Number.NaN));
}

/** @param atOnce whether the ledger answers requests of one moment in their order */
export function modelContract(newLedger: NewLedger, { atOnce, runs }: { atOnce: boolean; runs: number }): void {
  // Red without the fence (plan-pages.ts `fencedUnit`), without `or ignore` (call-book.ts `insertReply`), without
  // `loseOpenIntents` in `takeOver` or `openUnit` (sqlite-ledger.ts), and without `fitsBudget` (call-book.ts).
  test('in any order of events one reply counts for a call, the budget holds, the fenced get nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
        const ledger = await newLedger();
        await ledger.setBudget({ usd: budgetMilli / 1000, tokens: null });
        const model = new Model();
        const fences: Fence[] = [];
        model.epoch = await ledger.takeOver('owner');
        await openUnit(ledger, model, fences, 'unit 0', model.epoch);
        for (const one of steps) {
          if (one.do === 'take over') {
            model.epoch = await ledger.takeOver('owner');
            model.lose('all');
          } else if (one.do === 'open unit') {
            await openUnit(ledger, model, fences, `unit ${one.unit}`, model.epoch - one.epochsAgo);
          } else {
            const groups = atOnce ? [one.requests] : one.requests.map((wanted) => [wanted]);
            for (const group of groups)
              await Promise.all(group.map((wanted) => carryOut(ledger, model, fences, wanted)));
          }
          await compare(ledger, model);
        }
      }),
      { numRuns: runs },
    );
  }, 60_000);
}
