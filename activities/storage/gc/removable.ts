/** What `gc` may remove, and removing it: whole or not at all, and never through a link or into another disk. */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { faultPoint } from '../files/fault-point.ts';

/** Something on disk that `gc` looked at. */
export interface Found {
  readonly kind: 'run' | 'cache' | 'orphan';
  /** For a person, such as a run's id. */
  readonly name: string;
  readonly path: string;
  /** Space that it takes on disk. */
  readonly bytes: number;
  /** Why it may be removed, or why it stays. */
  readonly why: string;
}

export interface Removable extends Found {
  /** Looks again, then removes it. Returns why it stays, or null when it is gone. */
  remove(): Promise<string | null>;
}

export interface Collection {
  readonly removable: readonly Removable[];
  /** What was asked for by name or age, and stays. */
  readonly kept: readonly Found[];
}

export const together = (parts: readonly Collection[]): Collection => ({
  removable: parts.flatMap(({ removable }) => removable),
  kept: parts.flatMap(({ kept }) => kept),
});

const asidePrefix = '.gc-';

/** Whether `name` is what a killed `gc` left of something that it was removing. */
export const isHalfRemoved = (name: string): boolean => /^\.gc-[0-9a-f]{12}-/.test(name);

/**
 * Gives the file or folder a hidden name first, in one step: after a kill it is either there or not, and the next `gc`
 * removes what is left. A link is removed itself, and what it leads to stays. Does nothing if it is gone already.
 */
export function removeWhole(path: string): void {
  const aside = join(dirname(path), `${asidePrefix}${randomBytes(6).toString('hex')}-${basename(path)}`);
  faultPoint();
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  removeRest(aside);
}

/** Removes what nothing uses any more, in any order. */
export function removeRest(path: string): void {
  faultPoint();
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

/** Removes it; the system's refusal becomes the reason why it stays. */
export function removed(remove: () => void): string | null {
  try {
    remove();
    return null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'syscall' in error) return `cannot be removed: ${error.message}`;
    throw error;
  }
}
