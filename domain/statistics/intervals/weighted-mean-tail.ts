/** The randomly weighted mean of some values and one additional value at 1. */

/** Distinct values, each with its weight and multiplicity. */
export interface WeightedValues {
  readonly values: Float64Array;
  readonly weights: Float64Array;
  readonly counts: Float64Array;
}

const step = 0.2;
const negligible = 1e-12;
/** Above this the product is so large that its inverse adds nothing. */
const tooLarge = 1e100;

/**
 * P(sum w_i E_i x_i / sum w_i E_i <= mean) with independent standard exponentials E_i, which is P(sum a_i E_i <= 0)
 * with a_i = w_i (x_i - mean): the characteristic function, 1 over the product of all 1 - i a_i u, inverted (Gil-Pelaez
 * 1951; Imhof 1961) by the trapezoidal rule over u = sinh(w) / s, where s is the sum's standard deviation: there the
 * integrand is smooth and falls off exponentially, so that a few dozen points give ten digits. `scratch` is as long as
 * the values.
 */
export function chanceUpTo(mean: number, { values, weights, counts }: WeightedValues, scratch: Float64Array): number {
  let [squares, sum] = [0, 0];
  for (let index = 0; index < values.length; index += 1) {
    const coefficient = (weights[index] as number) * ((values[index] as number) - mean);
    scratch[index] = coefficient;
    squares += (counts[index] as number) * coefficient * coefficient;
    sum += (counts[index] as number) * coefficient;
  }
  const deviation = Math.sqrt(squares);
  let integral = sum / deviation / 2;
  for (let w = step; w < 40; w += step) {
    const u = Math.sinh(w);
    const [real, imaginary] = product(scratch, counts, u / deviation);
    const square = real * real + imaginary * imaginary;
    const weight = Math.cosh(w) / u;
    integral -= (weight * imaginary) / square;
    if (weight < negligible * Math.sqrt(square)) break;
  }
  return 0.5 - (step * integral) / Math.PI;
}

/** The product of all (1 - i a u)^count. */
function product(
  coefficients: Float64Array,
  counts: Float64Array,
  u: number,
): readonly [real: number, imaginary: number] {
  let real = 1;
  let imaginary = 0;
  for (let index = 0; index < coefficients.length; index += 1) {
    let x = 1;
    let y = -(coefficients[index] as number) * u;
    const count = counts[index] as number;
    if (count > 1) {
      const size = (1 + y * y) ** (count / 2);
      const angle = count * Math.atan(y);
      x = size * Math.cos(angle);
      y = size * Math.sin(angle);
    }
    const next = real * x - imaginary * y;
    imaginary = real * y + imaginary * x;
    real = next;
    if (Math.abs(real) + Math.abs(imaginary) > tooLarge) return [tooLarge, 0];
  }
  return [real, imaginary];
}
