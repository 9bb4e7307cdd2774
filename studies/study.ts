/**
 * The contract of a study: its questions, the use of answers, and the rows of its tables. Pure: no clock, no files, no
 * network. The order of the steps is in the study's workflow.
 */
import type { Cell } from '../schemas/plan.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import type { Row, TableName } from '../schemas/tables.ts';
import type { Task } from '../schemas/task.ts';
import type { VariantLine, VariantRecord } from '../schemas/variant.ts';
import type { Answer, At, CellState, Extracted, OpenDraws, Question, StudyPage } from './cell-state.ts';
import type { CallForecast } from './forecast.ts';
import type { StudyLabels } from './labels/study-labels.ts';
import type { PageSteps } from './page-steps.ts';

/** How a study gets its prompt variants: once per task, for all models and runs. */
export interface VariantMaker<S extends SpecStudy = SpecStudy> {
  /** The kind of variation, for table `variants`. */
  readonly kind: string;
  /** The prompt that is varied, for table `variants`. */
  readonly parent: string;
  /**
   * How a model generates them: `draws`: each variant independently, drawn until one is accepted (`settle`); `poset`:
   * first the full description, then all others from it.
   */
  readonly making?: 'draws' | 'poset';
  readonly templateVersion: string;
  /** Everything except the task that its variants depend on: variants with equal identity are generated once. */
  identity(study: S): unknown;
  /** Id of the model on whose pages they are generated; null if no model is involved. */
  model(study: S): string | null;
  /** Setting of the cells on those pages. Default: `default`. */
  readonly cellSetting?: string;
  /** Ids of all models on whose answers the variants depend. Default: only `model`. */
  models?(study: S): readonly string[];
  /** Their source, for table `variants`: the model's id, `rules`, or `import`. */
  source(study: S): string;
  byRules(study: S, task: Task): VariantRecord[];
  /** Names of a task's variants, in order. */
  names(study: S): readonly string[];
  /** Maximum number of draws per variant. */
  maxDraws(study: S): number;
  /**
   * If one model rewrites them all: the task's variants from its answers, or the variants that must be drawn next.
   * @param answer the rewriter's answer to draw `round` of a variant; undefined if it was not asked yet
   */
  settle?(
    study: S,
    task: Task,
    answer: (variant: string, round: number) => Answer | undefined,
  ): VariantRecord[] | OpenDraws;
  /**
   * Variants from the file in the study's setting `variantSet`. @param lines of this task, in the file's order
   */
  imported?(study: S, task: Task, lines: readonly VariantLine[]): VariantRecord[];
  /**
   * Rows of table `variant_order` of a task, without the run's and the task's columns. Absent if variants have no
   * order.
   */
  orderRows?(study: S, task: Task, records: readonly VariantRecord[]): Row[];
  /** Further tables of the pages on which a model generates variants. */
  makingRows?(study: S, page: StudyPage): Partial<Record<TableName, Row[]>>;
}

/** Columns of table `settings`. */
export interface SettingFacts {
  readonly temperature?: number | null;
  readonly max_loops?: number | null;
  readonly judges?: { readonly models: readonly string[]; readonly repeats: number };
  readonly summary_prompt?: string | null;
  readonly pair?: string | null;
}

/**
 * What table `answers` says of the answers of a cell, as SQL over the study's stored tables. Expressions may name the
 * columns of `from` only.
 */
export interface AnswerFacts {
  /** One row per cell, with the columns of its key. Default: the first of `cellTables`. */
  readonly from?: string;
  /** Level of detail of the prompt. Default: `'original'`. */
  readonly detail?: string;
  /** How the request is worded. Default: `'original'`. */
  readonly phrasing?: string;
  /** Whether the study's rates count the cell. Default: `true`. */
  readonly counts?: string;
  /** The step whose answer counts. Default: null, every answer with a program. */
  readonly step?: string;
}

export interface Study<S extends SpecStudy = SpecStudy> {
  readonly kind: S['kind'];
  /** Name of its pages' workflow. Default: the kind. */
  readonly workflow?: string;
  /** Version of the prompts; stored per run. */
  readonly promptVersion: string;
  /** Models in roles other than the model under study. */
  roles(study: S): readonly { readonly role: string; readonly model: string }[];
  /** Pairs of models that it compares, old and new. These are its models if the spec names none. */
  pairs?(study: S): readonly (readonly [old: string, now: string])[];
  /** What the study needs but this task lacks, in a few words; null if it lacks nothing. */
  lacks?(task: Task, study: S): string | null;
  /** The study's cells, in order, for any model. `tasks` are those of its benchmark, `tasksOf` gives another's. */
  cells(study: S, tasks: readonly Task[], tasksOf: (benchmark: string) => readonly Task[]): readonly Cell[];
  /** Names of its cells' settings. Default: only `default`. */
  settingNames?(study: S): readonly string[];
  /** The columns of table `settings` in which this setting differs from the study's own settings. */
  settingFacts?(study: S, setting: string): SettingFacts;
  /** The calls per cell, in order, for the offline plan. */
  calls(study: S): readonly CallForecast[];
  /** The task whose tests judge the program generated at `at`. Default: the cell's task. */
  taskAt?(study: S, state: CellState, at: At): Task;
  question(study: S, state: CellState, at: At): Question;
  /** Whether questions look at verdicts of earlier steps of the page, which are then read before they are asked. */
  readonly asksByVerdicts?: true;
  /**
   * Whether the verdicts of a cell lead to the question at `at`, if they decide what is asked next: judged in another
   * way, a cell may need an answer that it lacks. Absent if no verdict matters.
   */
  leadsTo?(study: S, state: CellState, at: At): boolean;
  /** Whether the next step can use this answer. */
  usable(study: S, state: CellState, at: At, answer: Answer): boolean;
  /** The code in an answer; undefined if the step asks for no code. */
  extract(study: S, state: CellState, at: At, answer: Answer): Extracted | undefined;
  /** The answer whose program is measured for quality and time. Absent if none is measured. */
  measuredAt?(study: S, cell: Cell): At;
  /** Name of the suite on which programs are timed. Default: the benchmark's first suite. */
  timedSuite?(study: S): string | undefined;
  /** Page steps that only this kind of study has. */
  readonly pageSteps: PageSteps<S>;
  /** Tables with a row for each cell of a page, including pages that generate variants. */
  readonly cellTables: readonly TableName[];
  /** Default: prompts and wording are the benchmark's, and every judged answer counts. */
  readonly answers?: AnswerFacts;
  /** The study's own tables of one page. */
  rows(study: S, page: StudyPage): Partial<Record<TableName, Row[]>>;
  /** Absent if no prompts are labelled. */
  readonly labels?: StudyLabels<S>;
  /** Absent if prompts have no variants, or the variants need not be generated. */
  readonly variants?: VariantMaker<S>;
}
