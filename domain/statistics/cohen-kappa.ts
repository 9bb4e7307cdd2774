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
