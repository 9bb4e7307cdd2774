import { expect, test } from 'vitest';
import { forecastByCells } from '../../../activities/estimate/forecast-by-cells.ts';
import type { LaneSpend, Progress } from '../../../activities/storage/ledger/ledger-counts.ts';

const lane = (study: string, model: string, cells: number, cellsDone: number) => ({ study, model, cells, cellsDone });
const paid = (study: string, model: string, reportedUsd: number, own: Partial<LaneSpend> = {}): LaneSpend => ({
  ...{ study, model, answeringModel: model, answered: 1, failed: 0, lost: 0, tokens: 0 },
  ...{ reportedUsd, estimatedUsd: 0, unknownUsdCalls: 0, ...own },
});
const forecast = (lanes: readonly ReturnType<typeof lane>[], spend: readonly LaneSpend[]) => {
  const sum = (of: (one: LaneSpend) => number): number => spend.reduce((total, one) => total + of(one), 0);
  const totals = {
    reportedUsd: sum((one) => one.reportedUsd),
    estimatedUsd: sum((one) => one.estimatedUsd),
    unknownUsdCalls: sum((one) => one.unknownUsdCalls),
  };
  return forecastByCells({ lanes, spend: totals } as unknown as Progress, spend);
};

test('each cell that is left costs what the done ones of its study and model cost, judges included', () => {
  // a/m: 3 + 1 USD for 40 cells, 60 left: 6. a/n is done. b/m: 5 USD for 10 cells, 5 left: 2.5.
  const lanes = [lane('a', 'm', 100, 40), lane('a', 'n', 100, 100), lane('b', 'm', 15, 10)];
  const judge = paid('a', 'm', 0, { answeringModel: 'judge', estimatedUsd: 1 });
  const spend = [paid('a', 'm', 3), judge, paid('a', 'n', 7), paid('b', 'm', 5)];
  expect(forecast(lanes, spend)).toEqual({ spentUsd: 16, leftUsd: 8.5, leftAtMostUsd: null, totalUsd: 24.5 });
});

test('a model that has done nothing costs as the others of its study, or of the run', () => {
  // a: 4 USD for 20 cells; b has no done cell, the run's mean is the same 0.2.
  const lanes = [lane('a', 'm', 20, 20), lane('a', 'n', 10, 0), lane('b', 'm', 5, 0)];
  expect(forecast(lanes, [paid('a', 'm', 4)])).toEqual({ spentUsd: 4, leftUsd: 3, leftAtMostUsd: null, totalUsd: 7 });
});

test('there is none where nothing is paid, and no total where a price is unknown or nothing is done', () => {
  expect(forecast([lane('a', 'm', 20, 10)], [])).toBeNull();
  const unknown = forecast([lane('a', 'm', 20, 10)], [paid('a', 'm', 1, { unknownUsdCalls: 2 })]);
  expect(unknown).toMatchObject({ spentUsd: 1, leftUsd: null, totalUsd: null });
  expect(forecast([lane('a', 'm', 20, 0)], [paid('a', 'm', 1)])).toMatchObject({ leftUsd: null, totalUsd: null });
});
