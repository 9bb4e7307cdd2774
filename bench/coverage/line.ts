/** A row of a table of simulations, and what its cells must keep to. */

/**
 * Least share of nominal 95 % intervals that contain the truth, and highest share of false alarms of tests at 5 %.
 */
export const [leastHeld, mostAlarms] = [0.93, 0.06];

/** A row of the table with that title, and its cells outside the promised rate. */
export interface Line {
  readonly title: string;
  /** Null for tests. */
  readonly method: string | null;
  /** Sets of tasks a cell; null for tests. */
  readonly sets: number | null;
  readonly cells: readonly string[];
  readonly faults: readonly string[];
}

/** Two standard errors of a share over `draws` draws. */
export const noise = (share: number, draws: number): number => 2 * Math.sqrt((share * (1 - share)) / draws);

export const percent = (share: number): string => (100 * share).toFixed(1);
