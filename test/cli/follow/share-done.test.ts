import { describe, expect, test } from 'vitest';
import { shareOf } from '../../../cli/follow/share-done.ts';

const progress = (cellsDone: number, answered: number, cells = 100) => ({
  lanes: [{ study: 's', model: 'm', cells, cellsDone, answered }],
});
const extent = (least: number, most: number) => ({ references: 0, callsPerCell: { s: { least, most } } });

describe('with the same number of calls in every cell', () => {
  test('the share is that of the calls, and finished cells count with all of theirs', () => {
    expect(shareOf(progress(2, 300), extent(10, 10))).toBe(0.3);
    expect(shareOf(progress(40, 0), extent(10, 10))).toBe(0.4);
    expect(shareOf(progress(100, 0), extent(10, 10))).toBe(1);
  });

  test('studies are weighted by their calls', () => {
    const lanes = [...progress(50, 50).lanes, { study: 'long', model: 'm', cells: 100, cellsDone: 0, answered: 0 }];
    // 50 of 100 calls, and 0 of 900.
    expect(
      shareOf({ lanes }, { references: 0, callsPerCell: { s: { least: 1, most: 1 }, long: { least: 9, most: 9 } } }),
    ).toBe(0.05);
  });
});

describe('with cells that end when their code fails', () => {
  test('calls that cells will not make are not counted as left', () => {
    // Ten calls each so far, and half of the cells ended on the way: 50 go on with that risk, for 11 calls at most.
    const stepS = 0.001;
    let each = 0;
    for (let calls = stepS / 2; calls < 11; calls += stepS) each += stepS * 0.5 ** (calls / 10);
    expect(shareOf(progress(50, 750), extent(1, 21))).toBeCloseTo(750 / (750 + 50 * each), 5);
  });

  test('before any cell has ended, each counts with all of its calls', () => {
    expect(shareOf(progress(0, 500), extent(1, 20))).toBe(0.25);
    expect(shareOf(progress(0, 0), extent(1, 20))).toBe(0);
  });
});
