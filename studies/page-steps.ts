/** Steps of a page that only its kind of study has, named as its workflow calls them: opening the page, making its prompts. */
import type { Cell } from '../schemas/plan.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import type { Task } from '../schemas/task.ts';
import type { VariantRecord } from '../schemas/variant.ts';
import type { CellState, OpenDraws } from './study.ts';

/** A page as its steps see it. */
export interface OpenPage {
  readonly sealed: boolean;
  readonly cells: readonly Cell[];
  task(taskId: string): Task;
  /** What is known of a cell so far. @param index of the cell on the page */
  state(index: number): CellState;
  /** Whether the task's own solution passes every suite. */
  referencePasses(task: Task): boolean;
  /** Indexes of the cells whose prompt exists. Variants that need no model are made here. */
  promptedCells(): Promise<number[]>;
  /** Whether the run has this task's variants. */
  hasVariants(task: Task): boolean;
  /** The run's variants of a task, else those that an earlier run made in the same way, else what `make` gives; kept unless draws are open. */
  variantsOf(task: Task, make: () => VariantRecord[] | OpenDraws): Promise<readonly VariantRecord[] | OpenDraws>;
}

interface Steps<S extends SpecStudy> {
  step(study: S, page: OpenPage): Promise<unknown>;
}

/** Gives its workflow indexes and numbers, never text: they go into its history. A method's type, as the rest of a study's contract. */
export type PageStep<S extends SpecStudy> = Steps<S>['step'];
export type PageSteps<S extends SpecStudy> = Readonly<Record<string, PageStep<S>>>;
