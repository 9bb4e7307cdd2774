/**
 * Steps of a page that are specific to a kind of study, such as opening the page or generating its prompts. Their names
 * are those that its workflow calls.
 */
import type { Cell } from '../schemas/plan.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import type { PageRef } from '../schemas/steps.ts';
import type { Task } from '../schemas/task.ts';
import type { VariantRecord } from '../schemas/variant.ts';
import type { CellState, OpenDraws } from './cell-state.ts';

/** The view of a page that its steps get. */
export interface OpenPage {
  readonly sealed: boolean;
  readonly cells: readonly Cell[];
  task(taskId: string): Task;
  /** What is known about each cell so far, with the verdicts on its programs. */
  states(): Promise<readonly CellState[]>;
  /** Ids of the tasks whose own solution passes every suite. */
  passingTasks(): Promise<ReadonlySet<string>>;
  /** Whether the run has this task's variants. */
  hasVariants(task: Task): Promise<boolean>;
  /** Indices of the cells whose prompt exists. Variants that need no model are generated here. */
  promptedCells(): Promise<number[]>;
  /**
   * The run's variants of a task; else those that an earlier run generated in the same way; else the result of `make`,
   * which is stored unless it needs more draws.
   */
  variantsOf(task: Task, make: () => VariantRecord[] | OpenDraws): Promise<readonly VariantRecord[] | OpenDraws>;
}

interface Steps<S extends SpecStudy> {
  step(study: S, page: OpenPage): Promise<unknown>;
}

/**
 * Returns indices and numbers to its workflow, never text, because results go into the workflow's history. Declared as
 * a method, so that a step of one kind fits the general type.
 */
export type PageStep<S extends SpecStudy> = Steps<S>['step'];
export type PageSteps<S extends SpecStudy> = Readonly<Record<string, PageStep<S>>>;

/** The signatures of a study's steps as activities, for its workflow. */
export type CalledSteps<Steps> = {
  readonly [Name in keyof Steps]: Steps[Name] extends (...given: never[]) => Promise<infer Result>
    ? (page: PageRef) => Promise<Result>
    : never;
};
