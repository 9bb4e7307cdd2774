/**
 * Elasticity of one task at one distance (PromptSE, equations 4 and 5), and its expectation if wording changed nothing.
 */

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Equation 4: 1 - mean over the variants of |score of the original - score of the variant|. Null without variants. */
export function elasticityFull(original: number, variants: readonly number[]): number | null {
  return variants.length === 0 ? null : 1 - mean(variants.map((score) => Math.abs(original - score)));
}

/**
 * Equation 5 (PromptSELight): 1 - |pass rate of the original - mean pass rate of the variants|. Null without variants.
 */
export function elasticityLight(original: number, variants: readonly number[]): number | null {
  return variants.length === 0 ? null : 1 - Math.abs(original - mean(variants));
}

/**
 * The noise floor of equation 4: 1 - mean |difference| over all pairs of independent draws of the original's score. An
 * unbiased estimate of the elasticity of a model whose answers do not depend on wording. Null for fewer than two draws.
 */
export function floorFull(draws: readonly number[]): number | null {
  const differences = draws.flatMap((first, index) => draws.slice(index + 1).map((second) => Math.abs(first - second)));
  return differences.length === 0 ? null : 1 - mean(differences);
}

/**
 * The noise floor of equation 5: 1 - E|X/m - Y/n|, where X and Y are binomial with the same pass probability p, m
 * samples of the original and n of all variants together. Exact for this p, which is estimated from all draws of the
 * original.
 * @param p pass probability in [0, 1]
 */
export function floorLight(p: number, m: number, n: number): number {
  const [first, second] = [binomial(m, p), binomial(n, p)];
  let expected = 0;
  for (const [x, px] of first.entries()) {
    if (px < 1e-15) continue;
    for (const [y, py] of second.entries()) if (py > 1e-15) expected += px * py * Math.abs(x / m - y / n);
  }
  return 1 - expected;
}

/** P(X = 0) .. P(X = n), by log-gamma-free recursion in logs. */
function binomial(n: number, p: number): number[] {
  if (p <= 0 || p >= 1) return Array.from({ length: n + 1 }, (_, k) => (k === (p <= 0 ? 0 : n) ? 1 : 0));
  const [logP, logQ] = [Math.log(p), Math.log1p(-p)];
  let logChoose = 0;
  return Array.from({ length: n + 1 }, (_, k) => {
    if (k > 0) logChoose += Math.log(n - k + 1) - Math.log(k);
    return Math.exp(logChoose + k * logP + (n - k) * logQ);
  });
}
