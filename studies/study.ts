/**
 * The contract of a study: what is asked, what an answer is worth, and which rows come of it. Pure: no clock, no files, no network.
 * The order of the steps is not here but in the study's workflow.
 */
import type { ChatMessage, ChatReply, ChatRequest } from '../schemas/chat.ts';
import type { Cell } from '../schemas/plan.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import type { Outcome, ReplyStatus, StepName } from '../schemas/states.ts';
import type { Row, TableName } from '../schemas/tables.ts';
import type { Task } from '../schemas/task.ts';
import type { VariantLine, VariantRecord } from '../schemas/variant.ts';
import type { CallForecast } from './forecast.ts';
import type { PageSteps } from './page-steps.ts';

/** A place in a cell's course. */
export interface At {
  readonly step: StepName;
  readonly loop: number;
  readonly ask: number;
  readonly sample: number;
}

/** An answer that counts, as the study sees it. */
export interface Answer {
  readonly reply: ChatReply;
  readonly status: ReplyStatus;
}

/** What a program came to on one suite. */
export interface SuiteOutcome {
  readonly suite: string;
  readonly outcome: Outcome;
}

/** One cell with everything known of it so far. */
export interface CellState {
  readonly cell: Cell;
  readonly task: Task;
  /** The cell's prompt variant; null for the original, and where the study's variants are not made yet. */
  readonly variant: VariantRecord | null;
  /** The same problem in another benchmark of the run. Throws where that has none. */
  taskIn(benchmark: string): Task;
  answer(at: At): Answer | undefined;
  /** Outcomes of the program made at `at`, one per suite; undefined when it was not run. */
  outcomes(at: At): readonly SuiteOutcome[] | undefined;
  /** The cell of another variant of the same task on the same page. Throws where there is none. */
  sibling(variant: string): CellState;
}

export interface Question {
  /** Which model is asked: the one under study, or the id of another that plays a role. */
  readonly asked: 'study' | { readonly role: string; readonly model: string };
  readonly messages: readonly ChatMessage[];
  readonly parameters: ChatRequest['parameters'];
  /** Names a draw of its own: equal questions of other draws are asked all the same. Absent: equal questions of the run share their answer. */
  readonly draw?: string;
  /** The answer that the question was made from; null when it was made from the task. */
  readonly parent: At | null;
}

export interface Extracted {
  readonly code: string | null;
  readonly how: string;
  /** The rule that it was found by, with its version. */
  readonly rule: string;
}

/** A sealed page's own tables are made from its cells, in order. */
export interface StudyPage {
  /** The cell key's columns of a cell. */
  key(cell: CellState): Row;
  readonly cells: readonly CellState[];
  readonly simulated: boolean;
  /** Of any model of the run, by its id in the spec. */
  isSimulated(model: string): boolean;
}

/** Variants whose draw number `round` is wanted. */
export interface OpenDraws {
  readonly open: readonly string[];
  readonly round: number;
}

/** How a study comes by its prompt variants: once per task, for all models and runs. */
export interface VariantMaker<S extends SpecStudy = SpecStudy> {
  /** What kind of variation, for table `variants`. */
  readonly kind: string;
  /** The prompt that they are variants of, for table `variants`. */
  readonly parent: string;
  /**
   * How the pages go on which a model makes them: one variant after another, each drawn until it is accepted (`settle`), or as a poset, the
   * full description first and all others from it.
   */
  readonly making?: 'draws' | 'poset';
  readonly templateVersion: string;
  /** Everything that a task's variants depend on beside the task: equal ones are made once. */
  identity(study: S): unknown;
  /** Id of the model on whose pages they are made; null when none has a part in it. */
  model(study: S): string | null;
  /** Setting of the cells on those pages; default when left out. */
  readonly cellSetting?: string;
  /** Ids of all models on whose answers the variants depend, where that is not `model` alone. */
  models?(study: S): readonly string[];
  /** Where they come from, for table `variants`: the model's id, rules, or import. */
  source(study: S): string;
  byRules(study: S, task: Task): VariantRecord[];
  /** Names of a task's variants, in order. */
  names(study: S): readonly string[];
  /** Draws of one variant at most. */
  maxDraws(study: S): number;
  /**
   * Where one model words them all: the task's variants as far as its answers tell, or which are to be drawn next.
   * @param answer the rewriter's answer to draw `round` of a variant; undefined when it was not asked yet
   */
  settle?(study: S, task: Task, answer: (variant: string, round: number) => Answer | undefined): VariantRecord[] | OpenDraws;
  /** Those of a file that the study names in its setting `variantSet`. @param lines of this task, in the file's order */
  imported?(study: S, task: Task, lines: readonly VariantLine[]): VariantRecord[];
  /** Rows of table `variant_order` of a task, without the run's and the task's columns; absent where there is no order between variants. */
  orderRows?(study: S, task: Task, records: readonly VariantRecord[]): Row[];
  /** Further tables of the pages on which a model makes them. */
  makingRows?(study: S, page: StudyPage): Partial<Record<TableName, Row[]>>;
}

/** Columns of table `settings`. */
export interface SettingFacts {
  readonly temperature?: number | null;
  readonly max_loops?: number | null;
  /** Id of the judging model; null where none judges. */
  readonly judge?: string | null;
  readonly summary_prompt?: string | null;
  readonly pair?: string | null;
}

export interface Study<S extends SpecStudy = SpecStudy> {
  readonly kind: S['kind'];
  /** Name of its pages' workflow; the kind's when left out. */
  readonly workflow?: string;
  /** Version of the prompt texts; frozen per run. */
  readonly promptVersion: string;
  /** Ids of models that play a role beside the ones under study. */
  roles(study: S): readonly { readonly role: string; readonly model: string }[];
  /** What the study needs of a task and this one lacks, in a few words; null when it has all. */
  lacks?(task: Task, study: S): string | null;
  /** The study's cells, in order, for any model. `tasks` are those of its benchmark, `tasksOf` gives another's. */
  cells(study: S, tasks: readonly Task[], tasksOf: (benchmark: string) => readonly Task[]): readonly Cell[];
  /** Names of the settings that its cells are under; `default` alone when left out. */
  settingNames?(study: S): readonly string[];
  /** What of table `settings` differs from the study's own settings under this one. */
  settingFacts?(study: S, setting: string): SettingFacts;
  /** What is asked of a cell, in order: for the offline plan. */
  calls(study: S): readonly CallForecast[];
  /** Whose tests judge the program made at `at`; absent where it is the cell's task. */
  taskAt?(study: S, state: CellState, at: At): Task;
  question(study: S, state: CellState, at: At): Question;
  /** True when the next step can work with this answer. */
  usable(study: S, state: CellState, at: At, answer: Answer): boolean;
  /** The code in an answer; undefined when the step asks for none. */
  extract(study: S, state: CellState, at: At, answer: Answer): Extracted | undefined;
  /** The place of the cell's program that is measured for quality and time; absent where none is. */
  measuredAt?(study: S, cell: Cell): At;
  /** Name of the suite that programs are timed on; the benchmark's first where it is absent or gives none. */
  timedSuite?(study: S): string | undefined;
  /** Steps of its pages that only it has. */
  readonly pageSteps: PageSteps<S>;
  /** The study's own tables of one page. */
  rows(study: S, page: StudyPage): Partial<Record<TableName, Row[]>>;
  /** Absent where prompts have no variants, or those need no making. */
  readonly variants?: VariantMaker<S>;
}
