/** The plan of a run: its cells, grouped in pages. Append-only: a revision adds pages and never changes one. */

/** One cell of a study, without its model: a task under one variant, setting and repetition. */
export interface Cell {
  readonly taskId: string;
  readonly language: string;
  readonly variant: string;
  readonly setting: string;
  readonly repetition: number;
}

/** A slice of a study's cells under one model: the unit of recovery and of storage. */
export interface Page {
  /** `<study>/<model slug>/r<revision>p<number>`, also part of the names of its Parquet files. */
  readonly page: string;
  readonly study: string;
  readonly model: string;
  readonly cells: readonly Cell[];
  /** Set on a page that writes the study's prompt variants before any model is asked; its model is the rewriter. */
  readonly phase?: 'variants';
}

export interface PlanRevision {
  readonly revision: number;
  readonly pages: readonly Page[];
}

/** Most cells per page; the cells of one study and model are divided evenly among pages. */
export const pageCells = 128;
