/** The runs of a store, as `gc` looks at them and removes them: of a folder, or of servers. */
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Ownership } from '../catalog/run-catalog.ts';
import type { Collection } from './removable.ts';

export interface LookedRun {
  readonly id: string;
  /** For people. */
  readonly place: string;
  readonly manifest: Manifest | null;
  /** Why it is not a run that can be removed. */
  readonly fault: string | null;
}

export interface RunKeeper {
  look(id: string): Promise<LookedRun>;
  /** What it takes. */
  bytes(id: string): Promise<number>;
  ownership(id: string): Ownership;
  isGone(id: string): Promise<boolean>;
  /** Call as the run's owner. In one step nothing finds it any more. Returns why it stays, or null. */
  remove(id: string): Promise<string | null>;
  /** Files of a run that stays which no table needs any more. @param nowMs milliseconds since 1970 */
  leftovers(id: string, nowMs: number): Promise<Collection>;
}

export const inUse = 'a process works on it';

/** What cannot be read may be anything, so a person decides. */
export const unreadable = (error: unknown): string =>
  `cannot be read, so its state is not known (${error instanceof Error ? error.message : String(error)}): ` +
  'remove it by hand';
