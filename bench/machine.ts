/** What a figure was measured on. */
import { cpus, loadavg, totalmem } from 'node:os';

export const machineText = (): string =>
  `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.version}`;

/** Processes that want to run, averaged over the last minute: well above what a benchmark starts means that others work too. */
export const loadText = (): string => `load ${loadavg()[0]?.toFixed(1)}`;

/** The middle value; the mean of the two in the middle where their number is even. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1, middle + 1);
  return (low + high) / 2;
}
