/** Which calls try an endpoint while nothing answers there. Times are made up, in milliseconds. */
import { expect, test } from 'vitest';
import { createReach } from '../../../../activities/calls/accounts/reach.ts';
import { ProviderFault } from '../../../../activities/providers/provider.ts';

const none = new ProviderFault('retry', 'm at u: no connection (ECONNREFUSED)', { unsent: 'no connection' });
const lost = new ProviderFault('retry', 'm at u: connection lost (ECONNRESET)', { maybeBilled: true });
const answer = { replies: [{ text: 'a' }] } as never;

test('while nothing answers one call tries after half a second, one second, and then every two seconds', () => {
  const reach = createReach();
  expect(reach.refusal(0)).toBeNull();
  reach.tried(none, 0, 1);
  const tries: number[] = [];
  for (let nowMs = 1; nowMs < 10_000; nowMs += 100)
    for (let call = 0; call < 1_000; call += 1) {
      if (reach.refusal(nowMs) !== null) continue;
      tries.push(nowMs);
      reach.tried(none, nowMs, nowMs + 1);
    }
  expect(tries).toEqual([501, 1_501, 3_501, 5_501, 7_501, 9_501]);
});

test('a call that pauses gets the turn when it is due, and all go on once the endpoint is back', () => {
  const reach = createReach();
  reach.tried(none, 0, 0);
  expect(reach.wakes(0, 400)).toBeNull();
  expect([reach.wakes(0, 600), reach.wakes(0, 600), reach.refusal(600)]).toEqual(['turn', null, 'no connection']);
  expect(reach.wakes(0, 2_500)).toBe('turn');
  reach.tried(answer, 2_500, 2_600);
  expect([reach.wakes(0, 2_700), reach.wakes(2_650, 2_700), reach.refusal(2_700)]).toEqual(['back', null, null]);
});

// Red before: a run of models that share answers lost half its turns, and went on only twelve seconds after the return.
test('a turn of a call that sends nothing after all goes to the next call', () => {
  for (const outcome of ['busy', 'unasked', { replies: [] }] as const) {
    const reach = createReach();
    reach.tried(none, 0, 0);
    expect([reach.refusal(600), reach.refusal(610)]).toEqual([null, 'no connection']);
    reach.tried(outcome, 600, 620);
    expect([reach.wakes(0, 630), reach.refusal(640)]).toEqual(['turn', 'no connection']);
  }
});

test('an endpoint that refuses some connections wakes no call before its time', () => {
  const reach = createReach();
  reach.tried(none, 0, 0);
  reach.tried(answer, 0, 500);
  expect([reach.refusal(501), reach.wakes(0, 501)]).toEqual([null, null]);
});

test('any answer or new connection ends the outage, but no call that it cut off', () => {
  const refused = new ProviderFault('retry', 'HTTP 503', { httpStatus: 503 });
  for (const [outcome, begunMs, isOver] of [
    [answer, 0, true],
    [refused, 0, true],
    [lost, 0, false],
    [lost, 2_000, true],
    ['busy', 2_000, false],
    ['unasked', 2_000, false],
    [{ replies: [] }, 2_000, false],
    [new ProviderFault('retry', 'no room', { unsent: 'not asked yet', retryAfterMs: 70_000 }), 2_000, false],
  ] as const) {
    const reach = createReach();
    reach.tried(none, 0, 1_000);
    reach.tried(outcome, begunMs, 2_001);
    expect([outcome, reach.wakes(0, 1_200) === 'back' || reach.refusal(1_200) === null]).toEqual([outcome, isOver]);
  }
});
