/** The limits that the shell set for this process (`ulimit`). */
import { readFileSync } from 'node:fs';

/** As Linux lists them; empty where the system does not say. */
export function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/** The bytes that a file may have; infinite where the shell sets no limit. */
export function fileSizeLimit(limits: string = ownLimits()): number {
  const [, bytes] = /^Max file size +(\d+) /m.exec(limits) ?? [];
  return bytes === undefined ? Infinity : Number(bytes);
}

/** For a file that cannot be written where the system does not say why, as SQLite does not. */
export const fileSizeNote = (limit: number): string =>
  `this shell limits files to ${Math.round(limit / 1024)} KiB: \`ulimit -f unlimited\` lifts that`;
