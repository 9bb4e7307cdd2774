/** The line of `status` with the forecast of the bill. */
import { expect, test } from 'vitest';
import type { BillForecast } from '../../../activities/estimate/bill-forecast.ts';
import { usdTextUp } from '../../../analysis/report/format.ts';
import { spendLines } from '../../../cli/output/spend-text.ts';

const textOf = (forecast: Partial<BillForecast>): string =>
  spendLines({
    ...{ lanes: [], reused: [], solved: [], solvedFault: null, forecastFault: null },
    forecast: { spentUsd: 0.464, leftUsd: 1.33, leftAtMostUsd: 82.586, totalUsd: 1.794, ...forecast },
  }).join('\n');

test('the amounts shown as spent and as the maximum make a budget that has room for every call', () => {
  expect(textOf({})).toBe('forecast of the bill: $1.79 ($0.46 spent, $1.33 expected for the rest, at most $82.59)');
  // 0.464 and 82.589 are 83.053; 0.46 and 82.59 would be 83.05.
  expect(textOf({ leftAtMostUsd: 82.589 })).toContain('at most $82.60)');
});

test('a maximum is never rounded down, and a round one stays as it is', () => {
  expect([0, 0.1, 0.29, 1.1, 1.101, 0.0121, 0.012].map(usdTextUp)).toEqual([
    '$0.00',
    '$0.10',
    '$0.29',
    '$1.10',
    '$1.11',
    '$0.013',
    '$0.012',
  ]);
});

test('what a call may cost to a model that thinks is said, and else that the maximum assumes it does not', () => {
  const known = [{ model: 'm5', callUsd: 1.968 }];
  expect(
    textOf({ unlimited: { known, otherwiseUsd: null } })
      .split('\n')
      .at(-1),
  ).toBe('m5 thinks, so maxTokens is not sent to it: a call is sent only while $1.97 fit into a budget');
  expect(textOf({ unlimited: { known: [], otherwiseUsd: 1.968 } })).toContain('at most $82.59 unless a model thinks)');
  expect(textOf({ unbounded: ['m5'], leftAtMostUsd: null })).toContain(
    '$1.33 expected for the rest, no maximum: m5 counts more tokens than allowed)',
  );
});

// Red when answered and failed calls are one number: 40 answers for a dollar looked like 268 paid calls.
test('failed calls are told apart from the answers that were paid for', () => {
  const lane = { study: 's', model: 'm', answeringModel: 'm', tokens: 0, reportedUsd: 1, estimatedUsd: 0 };
  const paid = (failed: number, lost: number): string =>
    spendLines({
      ...{ reused: [], solved: [], solvedFault: null, forecast: null, forecastFault: null },
      lanes: [{ ...lane, answered: 40, failed, lost, unknownUsdCalls: 0 }],
    }).join('\n');
  expect(paid(227, 1)).toBe(
    'paid for m: $1.00 in 40 answered calls and 228 failed ones (not every failed call is billed)',
  );
  expect(paid(0, 0)).toBe('paid for m: $1.00 in 40 calls');
});
