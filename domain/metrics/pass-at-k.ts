/** The unbiased estimates of pass@k (Chen et al. 2021) and pass^k (Yao et al. 2024) of one task. */

/**
 * The probability that at least one of k samples, drawn from n without replacement, is among the c that pass:
 * 1 - C(n - c, k) / C(n, k). Null if k > n. Example: n = 5, c = 2, k = 2 gives 0.7.
 */
export function passAtK(n: number, c: number, k: number): number | null {
  const noneOf = passHatK(n, n - c, k);
  return noneOf === null ? null : 1 - noneOf;
}

/**
 * The probability that all k samples pass: C(c, k) / C(n, k), as a product of factors of at most 1.
 * Null if k > n. Example: n = 5, c = 3, k = 2 gives 0.3.
 */
export function passHatK(n: number, c: number, k: number): number | null {
  if (![n, c, k].every(Number.isSafeInteger) || c < 0 || c > n || k < 1)
    throw new Error(`pass@k needs whole numbers with 0 <= c <= n and k >= 1, got n = ${n}, c = ${c}, k = ${k}`);
  if (k > n) return null;
  let chance = 1;
  for (let drawn = 0; drawn < k && chance > 0; drawn += 1) chance *= (c - drawn) / (n - drawn);
  return chance;
}
