/** A used-up limit per day is the spec's own: what opens it, and for which runs the account is closed. */
import { expect, test } from 'vitest';
import { closedAccounts, closedAccountsOf, closedText } from '../../../../activities/calls/accounts/closed-accounts.ts';
import type { StatedLimits } from '../../../../domain/accounts/stated-limits.ts';
import { admit, newAccountState } from '../../../../domain/accounts/account-state.ts';
import { noTokens } from '../../../../domain/accounts/counted-units.ts';
import { parseSpec } from '../../../../domain/spec/parse-spec.ts';
import type { Spec } from '../../../../schemas/spec.ts';

const endpoint = 'https://e/v1';
const spec = (limits: StatedLimits): Spec =>
  parseSpec(
    JSON.stringify({
      name: 'n',
      providers: { x: { kind: 'openai', baseUrl: endpoint, limits } },
      models: [{ id: 'a', provider: 'x' }],
      benchmarks: { b: { format: 'evenkeel', path: 'p' } },
      studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'b' }],
    }),
    's.json',
  );

/** Of an account whose only request of the day was made. */
function usedUp(limits: StatedLimits, nowMs: number) {
  const state = { ...newAccountState(), name: { endpoint, keyVariable: null } };
  for (const _ of [1, 2]) admit(state, { concurrency: 9, ...limits }, 'h', noTokens, nowMs);
  return { states: async () => [state] };
}

// Red before: "accounts --open" was advised, which leaves such a limit as it is.
test('its text says what opens it', async () => {
  const [closed] = await closedAccounts(usedUp({ requestsPerDay: 1 }, 1_000), 1_000);
  expect(closed && closedText(closed)).toMatch(
    /1 requests per day are used up\); a higher limit in the spec opens it$/,
  );
});

// Red before: closed until the next day, also once the limit was gone from the spec and calls were made.
test('it closes the account for runs that state such a limit', async () => {
  const limits = { requestsPerDay: 1 };
  const store = usedUp(limits, 1_000);
  expect(await closedAccountsOf(spec(limits), store, 1_000)).toHaveLength(1);
  expect(await closedAccountsOf(spec({ requestsPerMinute: 1 }), store, 1_000)).toEqual([]);
});
