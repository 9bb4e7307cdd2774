/** What passes between workflows and activities: references and small facts, never text. */
import type { StepName, StopReason } from './states.ts';

/** A run as seen by one owner: an older epoch may no longer act. */
export interface RunRef {
  readonly runId: string;
  readonly uuid: string;
  readonly epoch: number;
}

export interface PageRef {
  readonly run: RunRef;
  readonly page: string;
}

/** Cell index within the page, and the loop that it is in. */
export type StepItem = readonly [cell: number, loop: number];

export interface GenerateInput extends PageRef {
  readonly step: StepName;
  /**
   * Put to a cell one after another, each as soon as the answer before it can be worked with, without waiting for the other cells. `summarize`
   * ends a loop: what follows it belongs to the next one. None when left out.
   */
  readonly next?: readonly StepName[];
  readonly ask: number;
  /** Draws of each question; 1 when left out. With several, a cell is usable when one of them is. */
  readonly samples?: number;
  /** The programs in the answers to the last question are run in this step, if the process that asks may do that. */
  readonly execute?: boolean;
  readonly items: readonly StepItem[];
}

/**
 * Cells whose reply the next step can work with, and the others (no code, refused, unreadable score). With `next` this is about the replies to
 * the last of it, and cells that did not get to it are in neither.
 */
export interface Generated {
  readonly usable: readonly number[];
  readonly unusable: readonly number[];
  /** What became of the programs of the usable; missing where they are still to be run. */
  readonly executed?: Executed;
}

export interface ExecuteInput extends PageRef {
  /** Whose answers hold the programs; `generate` when left out. */
  readonly step?: StepName;
  /** Draws of each item, of which those without code are left out; without it there is one, and it has code. */
  readonly samples?: number;
  readonly items: readonly StepItem[];
}

/** Cells whose program passed every suite, failed one, or could not be judged because of a limit of ours. */
export interface Executed {
  readonly passed: readonly number[];
  readonly failed: readonly number[];
  readonly excluded: readonly number[];
}

/** What the translation chain's workflow needs to know of its page. */
export interface ChainPage {
  readonly sealed: boolean;
  /** Cells whose start passes its own tests. */
  readonly started: readonly number[];
  readonly steps: number;
  /** Whether only what passed is translated on. */
  readonly endsAtFailure: boolean;
}

/** What a page's workflow needs to know of its page. */
export interface EvaloopPage {
  readonly sealed: boolean;
  /** What a loop asks before its code is tested, in order. */
  readonly course: readonly [StepName, ...StepName[]];
  /** Cells whose first prompt exists: an attack may find nothing to change in it. */
  readonly cells: readonly number[];
  readonly maxLoops: number;
  readonly judged: boolean;
  readonly judgeAsks: number;
}

/** Variants of a page that are to be drawn, as cells, and how often they were drawn before; none when all is settled. */
export interface OpenVariants {
  readonly open: readonly number[];
  readonly ask: number;
}

/** What PromptSE's workflow needs to know of its page. */
export interface PromptsePage {
  readonly sealed: boolean;
  /** Cells whose prompt exists: the original, and variants that are not missing. */
  readonly cells: readonly number[];
  /** m. */
  readonly samples: number;
}

/** What RobuNFR's workflow needs to know of its page. */
export interface RobunfrPage {
  readonly sealed: boolean;
  readonly cells: number;
  /** Those whose plain code is then improved (NFR-Enhanced). */
  readonly enhanced: readonly number[];
}

/** What PartialOrderEval's workflow needs to know of its page. */
export interface SpecificityPage {
  readonly sealed: boolean;
  /** Cells whose prompt exists. */
  readonly cells: readonly number[];
}

/** How the prompt posets of a page are to be made. */
export interface PosetPage {
  readonly sealed: boolean;
  /** Cells of maximal prompts that are not made yet. */
  readonly maximal: readonly number[];
  /** A model writes them; else they are there by rule. */
  readonly written: boolean;
  /** Drafts of one maximal prompt at most. */
  readonly maxDraws: number;
  /** A model must solve the task from its maximal prompt. */
  readonly checked: boolean;
  readonly summaryAsks: number;
  /** Labelling runs: labellers times passes; 0 without a labeller. */
  readonly labelRuns: number;
  readonly labelAsks: number;
}

export type PageReport =
  | { readonly page: string; readonly state: 'sealed' }
  | { readonly page: string; readonly state: 'stopped'; readonly reason: StopReason }
  | { readonly page: string; readonly state: 'failed'; readonly reason: string };

export interface LaneInput {
  readonly run: RunRef;
  readonly model: string;
  readonly pages: readonly { readonly page: string; readonly kind: string }[];
}

export interface SweepPlan {
  readonly lanes: readonly { readonly model: string; readonly pages: readonly { readonly page: string; readonly kind: string }[] }[];
  /** Pages that word prompt variants, all of them before any lane; none when left out. */
  readonly variants?: readonly string[];
  /** Pages that make prompt posets, likewise. */
  readonly posets?: readonly string[];
  /** Batches of tasks whose references are run before anything is asked. */
  readonly preparations: readonly { readonly benchmark: string; readonly start: number; readonly end: number }[];
}

export interface SweepReport {
  readonly sealed: number;
  readonly stopped: readonly { readonly page: string; readonly reason: StopReason }[];
  readonly failed: readonly { readonly page: string; readonly reason: string }[];
}
