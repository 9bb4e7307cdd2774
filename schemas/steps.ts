/** Data passed between workflows and activities: references and small facts, never texts. */
import type { StepName, StopReason } from './states.ts';

/** A run as seen by one owner. An owner with an older epoch may no longer act. */
export interface RunRef {
  readonly runId: string;
  readonly uuid: string;
  readonly epoch: number;
  /** Marks the keys that the owner has; absent if the run needs none. See activities/calls/run-keys.ts. */
  readonly keys?: string;
}

export interface PageRef {
  readonly run: RunRef;
  readonly page: string;
}

/** Index of a cell in its page, and the current loop of that cell. */
export type StepItem = readonly [cell: number, loop: number];

export interface GenerateInput extends PageRef {
  readonly step: StepName;
  /**
   * Further questions to each cell, asked in this order as soon as the previous answer is usable, without waiting for
   * other cells. `summarize` ends a loop: the steps after it belong to the next loop. Default: none.
   */
  readonly next?: readonly StepName[];
  readonly ask: number;
  /** Draws of each question; default 1. A cell is usable if at least one of its draws is. */
  readonly samples?: number;
  /** Number of the first draw; default 0. */
  readonly firstSample?: number;
  /** Run the programs in the answers to the last question within this step, if the asking process is allowed to. */
  readonly execute?: boolean;
  readonly items: readonly StepItem[];
}

/**
 * Cells whose reply the next step can use, and the others (no code, refused, unreadable score). With `next`, only
 * replies to its last step count; cells that did not reach that step are in neither list.
 */
export interface Generated {
  readonly usable: readonly number[];
  readonly unusable: readonly number[];
  /** Results of the programs of usable cells; absent if they have not been run yet. */
  readonly executed?: Executed;
}

export interface ExecuteInput extends PageRef {
  /** The step whose answers hold the programs; default `generate`. */
  readonly step?: StepName;
  /** Draws of each item; those without code are skipped. Absent: one draw, which has code. */
  readonly samples?: number;
  readonly items: readonly StepItem[];
}

/** Cells whose program passed every suite, failed one, or could not be judged because of a limit of evenkeel. */
export interface Executed {
  readonly passed: readonly number[];
  readonly failed: readonly number[];
  readonly excluded: readonly number[];
}

/** Variants of a page still to be drawn, as cell indices, and how often they were drawn before; empty when done. */
export interface OpenVariants {
  readonly open: readonly number[];
  readonly ask: number;
}

export type PageReport =
  | { readonly page: string; readonly state: 'sealed' }
  | { readonly page: string; readonly state: 'stopped'; readonly reason: StopReason }
  | { readonly page: string; readonly state: 'failed'; readonly reason: string };

export interface LaneInput {
  readonly run: RunRef;
  readonly model: string;
  /** Pages in flight; absent: as many as keep a model busy that answers at once. */
  readonly inFlight?: number;
  readonly pages: readonly { readonly page: string; readonly kind: string }[];
}

export interface SweepPlan {
  readonly lanes: readonly {
    readonly model: string;
    /** As in `LaneInput`: pages of a model in batch mode wait together, so that their batches are large. */
    readonly inFlight?: number;
    readonly pages: readonly { readonly page: string; readonly kind: string }[];
  }[];
  /** Pages that write prompt variants; all of them run before any lane. Default: none. */
  readonly variants?: readonly string[];
  /** Pages that make prompt posets, likewise. */
  readonly posets?: readonly string[];
  /** Batches of tasks whose references are run before any model is asked. */
  readonly preparations: readonly { readonly benchmark: string; readonly start: number; readonly end: number }[];
  /** Whether models are asked in batches, which a step of the run then tends; absent if not. */
  readonly batches?: boolean;
}

/** @property closing true once no page adds questions any more: what waits is then given back or cancelled */
export interface TendInput {
  readonly run: RunRef;
  readonly closing: boolean;
}

export interface SweepReport {
  readonly sealed: number;
  readonly stopped: readonly { readonly page: string; readonly reason: StopReason }[];
  readonly failed: readonly { readonly page: string; readonly reason: string }[];
}
