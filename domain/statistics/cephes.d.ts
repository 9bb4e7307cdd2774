/** The package has declarations, but its `exports` hide them. Declares only the functions used here. */
declare module 'cephes' {
  /** Resolves when the WebAssembly module is ready. */
  export const compiled: Promise<void>;
  export function bdtr(successes: number, trials: number, probability: number): number;
  export function bdtrc(successes: number, trials: number, probability: number): number;
  /** The logarithm of the gamma function. */
  export function lgam(x: number): number;
  export function incbet(a: number, b: number, x: number): number;
  export function incbi(a: number, b: number, probability: number): number;
  export function ndtri(probability: number): number;
  export function ndtr(z: number): number;
  export function kolmogorov(x: number): number;
  export function chdtrc(degrees: number, x: number): number;
  export function chdtri(degrees: number, tail: number): number;
}
