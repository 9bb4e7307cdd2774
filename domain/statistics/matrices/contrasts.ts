/**
 * Values as contrasts: by Helmert's orthonormal basis, what is left of `size` values when their mean does not matter.
 * One contrast fewer than values; lengths and distances stay as they are.
 */
export function contrastsOf(values: ArrayLike<number>): Float64Array {
  const contrasts = new Float64Array(Math.max(0, values.length - 1));
  let sum = 0;
  for (let place = 1; place < values.length; place += 1) {
    sum += values[place - 1] as number;
    contrasts[place - 1] = (sum - place * (values[place] as number)) / Math.sqrt(place * (place + 1));
  }
  return contrasts;
}

/** The values, with a mean of 0, that have these contrasts. */
export function fromContrasts(contrasts: ArrayLike<number>): Float64Array {
  const values = new Float64Array(contrasts.length + 1);
  let later = 0;
  for (let place = contrasts.length; place >= 1; place -= 1) {
    const share = (contrasts[place - 1] as number) / Math.sqrt(place * (place + 1));
    values[place] = later - place * share;
    later += share;
  }
  values[0] = later;
  return values;
}
