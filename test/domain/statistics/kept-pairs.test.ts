/** Correlations over some of the pairs: SciPy's of the same pairs, and brute force with ties. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agreement } from '../../../domain/statistics/agreement.ts';
import { keptPairs } from '../../../domain/statistics/ranks/kept-pairs.ts';

const x = [0.9, 1, 1, 0.4, 0.75, 0.4, 0.6, 1, 0.2, 0.75, 0.3, 0.55];
const y = [0.8, 1, 0.7, 0.5, 0.75, 0.3, 0.9, 1, 0.2, 0.6, 0.3, 0.55];
const without = (out: readonly number[]): Uint8Array => Uint8Array.from(x, (_, place) => (out.includes(place) ? 0 : 1));

describe('pairs without some', () => {
  // scipy 1.x: stats.pearsonr, spearmanr, kendalltau of the kept pairs, and squared errors over squared deviations.
  test.each([
    { out: [], expected: [0.8701066664361331, 0.8705892711689287, 0.7682212795973759, 0.28296146044624754] },
    { out: [0, 1], expected: [0.8352198814014385, 0.8803846662078043, 0.7676494735787385, 0.35261489698890663] },
    { out: [3, 5, 7], expected: [0.8342130571281282, 0.7395219099980958, 0.6288281455225324, 0.38135593220339] },
    { out: [2, 8, 9, 11], expected: [0.9008488249472004, 0.9085365853658538, 0.8076923076923077, 0.20263852242744065] },
  ])('$out', ({ out, expected }) => {
    const { pearsonR, spearmanRho, kendallTau, unexplained } = keptPairs(x, y);
    const found = [pearsonR, spearmanRho, kendallTau, unexplained].map((of) => of(without(out)));
    expect(found).toEqual(expected.map((value) => expect.closeTo(value, 12)));
  });

  test('one after the other do not depend on each other', () => {
    const pairs = keptPairs(x, y);
    const first = pairs.kendallTau(without([0, 1]));
    pairs.kendallTau(without([2, 8, 9, 11]));
    expect(pairs.kendallTau(without([0, 1]))).toBe(first);
  });

  test('are undefined for one pair and for a constant side', () => {
    const { pearsonR, spearmanRho, kendallTau, unexplained } = keptPairs([1, 1, 2], [3, 4, 4]);
    for (const of of [pearsonR, spearmanRho, kendallTau]) {
      expect(of(Uint8Array.of(1, 0, 0))).toBeNull();
      expect(of(Uint8Array.of(1, 1, 0))).toBeNull();
      expect(of(Uint8Array.of(0, 1, 1))).toBeNull();
    }
    expect(unexplained(Uint8Array.of(0, 1, 1))).toBeNull();
    expect(unexplained(Uint8Array.of(0, 0, 0))).toBeNull();
  });

  test('tau-b and 1 - R² are those of counting all pairs of pairs', () => {
    const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }), fc.boolean()));
    fc.assert(
      fc.property(values, (rows) => {
        const own = rows.filter(([, , kept]) => kept);
        const all = keptPairs(
          rows.map(([first]) => first),
          rows.map(([, second]) => second),
        );
        const kept = Uint8Array.from(rows, ([, , one]) => (one ? 1 : 0));
        const tau = tauByCounting(own);
        const r2 = agreement(
          own.map(([first]) => first),
          own.map(([, second]) => second),
        )?.r2;
        expect(all.kendallTau(kept)).toEqual(tau === null ? null : expect.closeTo(tau, 12));
        expect(all.unexplained(kept)).toEqual(r2 == null ? null : expect.closeTo(1 - r2, 10));
      }),
    );
  });
});

/** Concordant minus discordant pairs over the root of the pairs untied on either side. */
function tauByCounting(rows: readonly (readonly [number, number, boolean])[]): number | null {
  let [score, untiedX, untiedY] = [0, 0, 0];
  for (const [place, [firstX, firstY]] of rows.entries())
    for (const [secondX, secondY] of rows.slice(0, place)) {
      score += Math.sign(firstX - secondX) * Math.sign(firstY - secondY);
      untiedX += firstX === secondX ? 0 : 1;
      untiedY += firstY === secondY ? 0 : 1;
    }
  return untiedX === 0 || untiedY === 0 ? null : score / Math.sqrt(untiedX * untiedY);
}
