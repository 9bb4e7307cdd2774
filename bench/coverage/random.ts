/** Random numbers of the simulations, from a generator that evenkeel itself does not use. */

export interface Random {
  /** In [0, 1). */
  uniform(): number;
  normal(): number;
  /** Beta distribution with mean `mean`; the larger `sum`, the smaller the spread. */
  beta(mean: number, sum: number): number;
}

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    uniform,
    normal,
    beta: (mean, sum) => {
      const [first, second] = [gamma(mean * sum, uniform, normal), gamma((1 - mean) * sum, uniform, normal)];
      return first + second === 0 ? Number(uniform() < mean) : first / (first + second);
    },
  };
}

/** Gamma distribution by Marsaglia and Tsang (2000), with the power correction for shapes below 1. */
function gamma(shape: number, uniform: () => number, normal: () => number): number {
  if (shape < 1) return gamma(shape + 1, uniform, normal) * (1 - uniform()) ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const z = normal();
    const v = (1 + z / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - uniform()) < 0.5 * z * z + d - d * v + d * Math.log(v)) return d * v;
  }
}
