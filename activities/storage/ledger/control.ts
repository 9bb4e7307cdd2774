/** Who owns a run, and what stops it: rows that outlive every process and that each reservation reads. */
import type { StopReason } from '../../../schemas/states.ts';

export interface Budget {
  readonly usd: number | null;
  readonly tokens: number | null;
}

export interface Stop {
  readonly reason: StopReason;
  readonly detail: string;
}

/** The stop of the whole run. `id` tells it from an equal one that was set later. */
export interface RunStop {
  readonly id: number;
  readonly detail: string;
}

/** Durable before its promises resolve. */
export interface Control {
  /**
   * Called by a new owner: raises and returns the epoch, and marks all open intents lost. Anyone still acting for an
   * older epoch is fenced from then on. Waits for work under the manifest's lock.
   */
  takeOver(owner: string): Promise<number>;
  currentEpoch(): Promise<number>;
  /** The newest row counts. `model: null` is the whole run. Reason `null` lifts the stop. */
  setStop(model: string | null, reason: Exclude<StopReason, 'fenced' | 'budget'> | null, detail: string): Promise<void>;
  /** The stop in force for a model: the whole run's, else its own. */
  stopOf(model: string): Promise<Stop | null>;
  runStop(): Promise<RunStop | null>;
  setBudget(budget: Budget): Promise<void>;
}
