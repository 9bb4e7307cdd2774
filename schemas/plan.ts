/** What a run will do, exactly: cells in pages. Append-only: a revision adds pages and never changes one. */

/** One cell of a study, apart from its model: a task under one variant, setting and repetition. */
export interface Cell {
  readonly taskId: string;
  readonly language: string;
  readonly variant: string;
  readonly setting: string;
  readonly repetition: number;
}

/** A slice of a study's cells under one model: the unit of recovery and of storage. */
export interface Page {
  /** `<study>/<model slug>/r<revision>p<number>`; also the middle of its parts' file names. */
  readonly page: string;
  readonly study: string;
  readonly model: string;
  readonly cells: readonly Cell[];
  /** Of a page that words the study's prompt variants, before anybody is asked them; its model is the rewriter. */
  readonly phase?: 'variants';
}

export interface PlanRevision {
  readonly revision: number;
  readonly pages: readonly Page[];
}

/** Cells per page at most; pages of one study and model are cut evenly. */
export const pageCells = 128;
