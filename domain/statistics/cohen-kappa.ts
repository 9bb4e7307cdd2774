/**
 * Cohen's kappa (Cohen 1960) of two coders over the units that both coded: agreement beyond what their frequencies
 * would give by chance.
 * @returns null without units, and if chance alone would always agree
 */
export function cohenKappa<Value>(pairs: readonly (readonly [Value, Value])[]): number | null {
  const n = pairs.length;
  if (n === 0) return null;
  const values = new Set(pairs.flat());
  const observed = pairs.filter(([first, second]) => first === second).length / n;
  let expected = 0;
  for (const value of values) {
    const share = (place: 0 | 1): number => pairs.filter((pair) => pair[place] === value).length / n;
    expected += share(0) * share(1);
  }
  return 1 - expected < 1e-12 ? null : (observed - expected) / (1 - expected);
}

/** Units by what two coders said of them: yes or no. */
export interface YesNoCounts {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
}

/** As `cohenKappa`, from counts. */
export function kappaOfCounts({ both, onlyFirst, onlySecond, neither }: YesNoCounts): number | null {
  const n = both + onlyFirst + onlySecond + neither;
  if (n === 0) return null;
  const [first, second] = [(both + onlyFirst) / n, (both + onlySecond) / n];
  const expected = first * second + (1 - first) * (1 - second);
  return 1 - expected < 1e-12 ? null : ((both + neither) / n - expected) / (1 - expected);
}
