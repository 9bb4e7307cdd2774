import { describe, expect, test } from 'vitest';
import { shareOf } from '../../cli/share-done.ts';

const progress = (cellsDone: number, answered: number, cells = 100) => ({
  lanes: [{ study: 's', model: 'm', cells, cellsDone, answered }],
});
const extent = (least: number, most: number) => ({ references: 0, courses: { s: { least, most } } });

describe('where every cell has as many calls', () => {
  test('the share is that of the calls, of which cells that are done have all', () => {
    expect(shareOf(progress(2, 300), extent(10, 10))).toBe(0.3);
    expect(shareOf(progress(40, 0), extent(10, 10))).toBe(0.4);
    expect(shareOf(progress(100, 0), extent(10, 10))).toBe(1);
  });

  test('studies weigh as much as their calls', () => {
    const lanes = [...progress(50, 50).lanes, { study: 'long', model: 'm', cells: 100, cellsDone: 0, answered: 0 }];
    // 50 of 100 calls, and 0 of 900.
    expect(shareOf({ lanes }, { references: 0, courses: { s: { least: 1, most: 1 }, long: { least: 9, most: 9 } } })).toBe(0.05);
  });
});

describe('where a cell ends when its code fails', () => {
  test('calls that cells will not make are not counted as left', () => {
    // Ten calls each so far, and half of the cells ended on the way: 50 go on with that risk, for 11 calls at most.
    const stepS = 0.001;
    let each = 0;
    for (let calls = stepS / 2; calls < 11; calls += stepS) each += stepS * 0.5 ** (calls / 10);
    expect(shareOf(progress(50, 750), extent(1, 21))).toBeCloseTo(750 / (750 + 50 * each), 5);
  });

  test('while none has ended, each may have all of its calls', () => {
    expect(shareOf(progress(0, 500), extent(1, 20))).toBe(0.25);
    expect(shareOf(progress(0, 0), extent(1, 20))).toBe(0);
  });
});
