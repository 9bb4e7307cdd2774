/** The machine and its load during a measurement. */
import { cpus, loadavg, totalmem } from 'node:os';

export const machineText = (): string =>
  `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ` +
  `${process.platform} ${process.arch}, Node ${process.version}`;

/**
 * Runnable processes, averaged over the last minute. Far more than the benchmark starts means that
 * the machine is shared.
 */
export const loadText = (): string => `load ${loadavg()[0]?.toFixed(1)}`;

/** The middle value; for an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1, middle + 1);
  return (low + high) / 2;
}
