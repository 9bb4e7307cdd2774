/** Random numbers seeded by names, never by order, so that concurrency does not change the data. */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { sha256 } from './ids.ts';

/** A 32-bit seed from any number of named parts; ("a","bc") and ("ab","c") differ. */
export function seedOf(...parts: readonly (string | number)[]): number {
  return Number.parseInt(sha256(JSON.stringify(parts)).slice(0, 8), 16);
}

/**
 * Uniform numbers in [0, 1) with 32 random bits each. Seeds should come from `seedOf`, because the first five numbers
 * of small seeds are similar.
 */
export function uniform(seed: number): () => number {
  const generator = xoroshiro128plus(seed | 0);
  return () => (generator.next() >>> 0) / 4_294_967_296;
}

/** Numbers with a standard normal distribution, by the method of Box and Muller (1958). */
export function normals(seed: number): () => number {
  const random = uniform(seed);
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const value = spare;
      spare = null;
      return value;
    }
    const length = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    spare = length * Math.sin(angle);
    return length * Math.cos(angle);
  };
}

/** A uniform number in [0, 1) determined by these parts. */
export function uniformOf(...parts: readonly (string | number)[]): number {
  return Number.parseInt(sha256(JSON.stringify(parts)).slice(0, 13), 16) / 2 ** 52;
}
