/** The part of a report that a kind of study provides. */
import type { WorseVersion } from '../card/card-source.ts';
import type { DataCell, DataTable, Part, Section } from './part.ts';

/** A page of the report. All pages are in one file. */
export interface Page extends PageName {
  readonly parts: readonly Part[];
}

export interface PageName {
  /** Short and unique: the page's address is `#page-NAME`, and those of its parts begin with `NAME/`. */
  readonly name: string;
  /** Its link and its heading. */
  readonly title: string;
  /** Above the heading: what it is from. */
  readonly over?: string;
}

export interface StudyReport {
  readonly page: PageName;
  /** What a reader must know of its tasks, first on its page. Default: nothing. */
  readonly notes?: readonly string[];
  /** What `report --format json` prints. May read what the page does not show, so the database must be open. */
  document(): Promise<object>;
  /** What `run --json` prints at the end of a run. */
  readonly outcome: object;
  /** Versions that the study shows to be worse than older ones. Default: none. */
  readonly worse?: readonly WorseVersion[];
  /** Model ids in the order of the main table, which determines their colours. */
  readonly models: readonly string[];
  /** The parts of its page. Empty if no run has such a study. */
  sections(context: ReportContext): readonly Section[];
  /** Main tables, printed in the terminal at the end of a run. */
  boards(context: ReportContext): readonly DataTable[];
}

/** What all parts of one report share. */
export interface ReportContext {
  readonly severalRuns: boolean;
  /** The cell that names a model, the same in every table. @param under further lines */
  model(run: string, id: string, under?: readonly string[]): DataCell;
  /** CSS colour of a model id, the same in every part. */
  colorOf(id: string): string;
  /** The id of a cell's example, if the page holds one. */
  exampleOf(cell: ExampleCell): string | undefined;
  /** All that the page holds, in the order of its list. */
  readonly examples: readonly HeldExample[];
}

/** An example that the page holds. */
export interface HeldExample extends ExampleCell {
  readonly id: string;
  readonly variant: string;
  readonly repetition: number;
}

/** Identifies a cell of an unchanged prompt, whatever its repetition. */
export interface ExampleCell {
  readonly run: string;
  readonly study: string;
  readonly benchmark: string;
  readonly language: string;
  readonly setting: string;
  readonly taskId: string;
  readonly model: string;
}
