/**
 * pass@k: the probability that at least one of k samples drawn without replacement from n passes, when c of the n do.
 * Unbiased estimator 1 - C(n-c, k) / C(n, k) (Chen et al. 2021), as a product so that no binomial overflows. In [0, 1].
 * Throws unless 0 <= c <= n and 1 <= k <= n: a task with fewer than k samples has no pass@k. Example: n = 4, c = 1, k = 2 gives 0.5.
 */
export function passAtK(n: number, c: number, k: number): number {
  const whole = [n, c, k].every(Number.isInteger);
  if (!whole || c < 0 || c > n || k < 1 || k > n)
    throw new Error(`passAtK needs whole 0 <= c <= n and 1 <= k <= n, got n ${n}, c ${c}, k ${k}`);
  if (n - c < k) return 1;
  let allFail = 1;
  for (let i = n - c + 1; i <= n; i += 1) allFail *= 1 - k / i;
  return 1 - allFail;
}
