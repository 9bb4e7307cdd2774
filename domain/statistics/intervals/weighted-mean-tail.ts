/** The randomly weighted mean of some values and one additional value at 1. */

/** Distinct values, each with its weight and multiplicity. */
export interface WeightedValues {
  readonly values: Float64Array;
  readonly weights: Float64Array;
  readonly counts: Int32Array;
}

const widestStep = 0.2;
/** Where the step is chosen, the integrand is looked at this far apart. */
const lookStep = 0.6;
/**
 * Most that the phase may turn between two points, radians. From 2 pi on, the trapezoidal rule takes a fast wave for a
 * slow one, and the result has nothing to do with the integral.
 */
const largestTurn = 5;
/** With fewer values the phase cannot turn that far within the widest step: it turns by n / 2 for each unit of w. */
const fewValues = 45;
const negligible = 1e-12;
const unseen = 1e-10;
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
  const found = new Float64Array(2);
  const step = stepFor(found, scratch, counts, { deviation, sum });
  for (let w = step; w < 40; w += step) {
    const u = Math.sinh(w);
    setProduct(found, scratch, counts, u / deviation);
    const [real, imaginary] = [found[0] as number, found[1] as number];
    const square = real * real + imaginary * imaginary;
    const weight = Math.cosh(w) / u;
    integral -= (weight * imaginary) / square;
    if (weight < negligible * Math.sqrt(square)) break;
  }
  return 0.5 - (step * integral) / Math.PI;
}

/**
 * Small enough for the phase of the integrand, wherever that is not negligible. Hundreds of values near 1 with a few
 * below, for example, are a sum of one large and many small coefficients: its phase turns fast long before it fades.
 */
function stepFor(
  found: Float64Array,
  coefficients: Float64Array,
  counts: Int32Array,
  { deviation, sum }: { readonly deviation: number; readonly sum: number },
): number {
  if (counts.reduce((total, count) => total + count, 0) < fewValues) return widestStep;
  let fastest = Math.abs(sum) / deviation;
  for (let w = lookStep; w < 40; w += lookStep) {
    const u = Math.sinh(w);
    setProduct(found, coefficients, counts, u / deviation);
    fastest = Math.max(fastest, (Math.cosh(w) * Math.abs(turn(coefficients, counts, u / deviation))) / deviation);
    if (Math.cosh(w) / u < unseen * Math.hypot(found[0] as number, found[1] as number)) break;
  }
  return Math.min(widestStep, largestTurn / fastest);
}

/** The derivative of the product's phase by `u`: the sum of all a / (1 + a^2 u^2). */
function turn(coefficients: Float64Array, counts: Int32Array, u: number): number {
  let total = 0;
  for (let index = 0; index < coefficients.length; index += 1) {
    const a = coefficients[index] as number;
    total += ((counts[index] as number) * a) / (1 + a * u * a * u);
  }
  return total;
}

/** Sets `found` to the product of all (1 - i a u)^count, by repeated squaring: counts are whole numbers. */
function setProduct(found: Float64Array, coefficients: Float64Array, counts: Int32Array, u: number): void {
  let real = 1;
  let imaginary = 0;
  for (let index = 0; index < coefficients.length; index += 1) {
    let x = 1;
    let y = -(coefficients[index] as number) * u;
    // Most values are there once: the loop below with the multiplications by 1 left out.
    if (counts[index] === 1) {
      const next = real - imaginary * y;
      imaginary += real * y;
      real = next;
      if (Math.abs(real) + Math.abs(imaginary) <= tooLarge) continue;
      setTooLarge(found);
      return;
    }
    for (let left = counts[index] as number; ; ) {
      if ((left & 1) === 1) {
        const next = real * x - imaginary * y;
        imaginary = real * y + imaginary * x;
        real = next;
      }
      left >>= 1;
      if (left === 0) break;
      const squared = x * x - y * y;
      y *= 2 * x;
      x = squared;
      // No factor is smaller than 1, so the product can only grow.
      if (Math.abs(x) + Math.abs(y) > tooLarge) {
        setTooLarge(found);
        return;
      }
    }
    if (Math.abs(real) + Math.abs(imaginary) > tooLarge) {
      setTooLarge(found);
      return;
    }
  }
  found[0] = real;
  found[1] = imaginary;
}

function setTooLarge(found: Float64Array): void {
  found[0] = tooLarge;
  found[1] = 0;
}
