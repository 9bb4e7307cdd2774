import { greatest, rounding } from '../rounding.ts';

/** Cliff's delta: probability that a value of the first group is greater, minus that it is smaller; -1 to 1. */
export function cliffsDelta(first: readonly number[], second: readonly number[]): number | null {
  if (first.length === 0 || second.length === 0) return null;
  const [a, b] = [Float64Array.from(first).sort(), Float64Array.from(second).sort()];
  const alike = rounding * Math.max(greatest(first), greatest(second));
  let u = 0;
  for (let i = 0, j = 0; i < a.length; ) {
    const at = Math.min(a[i] as number, b[j] ?? Infinity);
    const [fromA, fromB] = [i, j];
    while (i < a.length && (a[i] as number) - at <= alike) i += 1;
    while (j < b.length && (b[j] as number) - at <= alike) j += 1;
    u += (i - fromA) * (fromB + (j - fromB) / 2);
  }
  return (2 * u) / (a.length * b.length) - 1;
}
