/** A cell as a study's pure code sees it: what was asked, answered and judged so far, and the next question. */
import type { ChatMessage, ChatReply, ChatRequest } from '../schemas/chat.ts';
import type { Cell } from '../schemas/plan.ts';
import type { Outcome, ReplyStatus, StepName } from '../schemas/states.ts';
import type { Row } from '../schemas/tables.ts';
import type { Task } from '../schemas/task.ts';
import type { VariantRecord } from '../schemas/variant.ts';

/** Identifies one answer within a cell. */
export interface At {
  readonly step: StepName;
  readonly loop: number;
  readonly ask: number;
  readonly sample: number;
}

/** An answer that counts. */
export interface Answer {
  readonly reply: ChatReply;
  readonly status: ReplyStatus;
}

/** A program's outcome on one suite. */
export interface SuiteOutcome {
  readonly suite: string;
  readonly outcome: Outcome;
}

/** One cell with everything known about it so far. */
export interface CellState {
  readonly cell: Cell;
  readonly task: Task;
  /** The cell's prompt variant; null for the original prompt, and until the study's variants are made. */
  readonly variant: VariantRecord | null;
  /** The same problem in another benchmark of the run. Throws if that benchmark does not have it. */
  taskIn(benchmark: string): Task;
  answer(at: At): Answer | undefined;
  /**
   * Outcomes of the program generated at `at`, one per suite; undefined if there is none. Of a judged cell also those
   * of an answer without code, where a suite can judge nobody: `not_run` there.
   */
  outcomes(at: At): readonly SuiteOutcome[] | undefined;
  /** The cell of another variant of the same task on the same page. Throws if there is none. */
  sibling(variant: string): CellState;
}

export interface Question {
  /** Which model is asked: the model under study, or another one in a role such as judge. */
  readonly asked: 'study' | { readonly role: string; readonly model: string };
  readonly messages: readonly ChatMessage[];
  readonly parameters: ChatRequest['parameters'];
  /**
   * Name of an independent draw: equal questions of different draws are each asked. Without it, equal questions of a
   * run share one answer.
   */
  readonly draw?: string;
  /**
   * The number of the draw among those of the asked model, if several models answer the same question and the `sample`
   * of its place counts the draws of all of them. Default: that `sample`.
   */
  readonly sample?: number;
  /**
   * The messages without white space that says nothing: a run that is judged again takes the recorded answer to a
   * question that has the same ones. Absent: only the same messages are the same question.
   */
  readonly plainMessages?: readonly ChatMessage[];
  /** The answer that the question was built from; null if it was built from the task. */
  readonly parent: At | null;
}

export interface Extracted {
  readonly code: string | null;
  readonly how: string;
  /** The extraction rule, with its version. */
  readonly rule: string;
}

/** Input for the study's own tables of a page: its cells, in order. */
export interface StudyPage {
  /** The key columns of a cell's row. */
  key(cell: CellState): Row;
  readonly cells: readonly CellState[];
  readonly simulated: boolean;
  /** @param model any model of the run, by its id in the spec */
  isSimulated(model: string): boolean;
}

/** The variants that need draw number `round`. */
export interface OpenDraws {
  readonly open: readonly string[];
  readonly round: number;
}
