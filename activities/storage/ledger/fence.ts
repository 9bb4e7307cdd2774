/** The right to act for a step of a page, without clocks: it is the number of an attempt under an owner's epoch. */

/**
 * The right to act for one batch of one page: `unit` is one step of the page. Only the newest (epoch, attempt) may act.
 */
export interface Fence {
  readonly unit: string;
  readonly epoch: number;
  readonly attempt: number;
}

/** A newer process acts for this run or unit. The fenced process must never retry. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}
