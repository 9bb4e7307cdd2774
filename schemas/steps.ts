/** Data passed between workflows and activities: references and small facts, never texts. */
import type { StepName, StopReason } from './states.ts';

/** A run as seen by one owner. An owner with an older epoch may no longer act. */
export interface RunRef {
  readonly runId: string;
  readonly uuid: string;
  readonly epoch: number;
  /** Marks the keys that the owner has; absent if the run needs none. See activities/calls/run-keys.ts. */
  readonly keys?: string;
  /** Whether its sweep goes on without the process that started it. Absent: no. */
  readonly isDetached?: true;
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

/** How a page ended. The ledger has the reason why it failed. */
export type PageEnd =
  | { readonly state: 'sealed' }
  | { readonly state: 'stopped'; readonly reason: StopReason }
  | { readonly state: 'failed' };

/** Numbers of pages by how they ended. */
export interface PagesReport {
  readonly sealed: number;
  readonly stopped: { readonly [Reason in StopReason]?: number };
  readonly failed: number;
}

export type SweepReport = PagesReport;

/** A page and the workflow that carries it out. */
export interface LanePage {
  readonly page: string;
  readonly kind: string;
}

/** The open pages of one model under study, or those that write prompt variants (model null). */
export interface Lane {
  readonly model: string | null;
  /** Pages in flight; absent: as many as keep a model busy that answers at once. */
  readonly inFlight?: number;
  /** All its pages, if they are so few that whoever asked for the lane runs them itself. */
  readonly few?: readonly LanePage[];
}

export interface LaneInput extends Omit<Lane, 'few'> {
  readonly run: RunRef;
  /** The last page that was run; absent at the start. */
  readonly after?: string;
  readonly soFar?: PagesReport;
  /** Pages after which the lane goes on with a new history; default `pagesPerTurn` in workflows/lane.ts. */
  readonly pagesPerTurn?: number;
}

export interface NextPagesInput {
  readonly run: RunRef;
  readonly model: string | null;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface NextPages {
  readonly pages: readonly LanePage[];
  /** The last of them, if more follow; null at the lane's end. */
  readonly after: string | null;
  /** Pages that are not run because the whole run is stopped. */
  readonly stopped?: PagesReport['stopped'];
}

export interface LanesInput {
  readonly run: RunRef;
  /** The last model whose lane was run; absent at the start. */
  readonly after?: string | undefined;
}

export interface NextLanes {
  readonly lanes: readonly Lane[];
  /** The model of the last of them, if more follow. */
  readonly after: string | null;
}

export interface SweepPlan {
  /** Benchmarks whose references are run before any model is asked, with their numbers of tasks. */
  readonly references: readonly { readonly benchmark: string; readonly tasks: number }[];
  /** The pages that write prompt variants; all of them run before any lane. Null if there are none. */
  readonly variants: Lane | null;
  /** Whether models are asked in batches, which a step of the run then tends. */
  readonly batches: boolean;
}

export interface ReferencesInput {
  readonly run: RunRef;
  readonly benchmark: string;
  readonly tasks: number;
  /** Tasks whose references have been run; absent at the start. */
  readonly done?: number;
}

/** @property closing true once no page adds questions any more: what waits is then given back or cancelled */
export interface TendInput {
  readonly run: RunRef;
  readonly closing: boolean;
}
