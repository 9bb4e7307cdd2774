/** Of the terms that are not 0, how many there are of one coefficient. */
export type Term = readonly [coefficient: number, count: number];

const coarsest = 0.15;
/** Standard deviations between the mean and 0 from which on the sum has the sign of its mean: what remains is below e^-40. */
const certain = 40;
const negligible = 1e-13;

/**
 * P(sum a_i E_i <= 0) of independent standard exponentials E_i: the characteristic function inverted (Gil-Pelaez 1951; Imhof 1961), by the
 * trapezoidal rule over u = sinh(w) / s, where s is the sum's standard deviation: there the integrand is smooth and falls off exponentially, so
 * that a few dozen points give ten digits. Where the mean lies far from 0 the integrand turns faster, and the points lie closer.
 */
export function weightedExponentialsBelow(terms: readonly Term[]): number {
  const used = terms.filter(([coefficient]) => coefficient !== 0);
  if (used.every(([coefficient]) => coefficient < 0)) return 1;
  if (used.every(([coefficient]) => coefficient > 0)) return 0;
  const deviation = Math.sqrt(used.reduce((sum, [coefficient, count]) => sum + count * coefficient ** 2, 0));
  const scaled = used.map(([coefficient, count]) => [coefficient / deviation, count] as const);
  const mean = scaled.reduce((sum, [coefficient, count]) => sum + count * coefficient, 0);
  if (Math.abs(mean) > certain) return mean < 0 ? 1 : 0;
  const step = coarsest / (1 + Math.abs(mean) / 4);
  let integral = mean / 2;
  for (let w = step; w < 40; w += step) {
    const u = Math.sinh(w);
    let [angle, logSize] = [0, 0];
    for (const [coefficient, count] of scaled) {
      const turned = coefficient * u;
      angle += count * Math.atan(turned);
      logSize -= (count / 2) * Math.log1p(turned * turned);
    }
    const weight = (Math.exp(logSize) * Math.cosh(w)) / u;
    integral += weight * Math.sin(angle);
    if (weight < negligible) break;
  }
  return Math.max(0, Math.min(1, 0.5 - (step * integral) / Math.PI));
}
