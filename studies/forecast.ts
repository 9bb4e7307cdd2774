/** The calls that a study is expected to make, for the offline plan. */
import type { ChatMessage } from '../schemas/chat.ts';
import type { Page } from '../schemas/plan.ts';
import type { StepName } from '../schemas/states.ts';
import type { Task } from '../schemas/task.ts';
import type { Question } from './cell-state.ts';

/** A count with bounds and an expected value. */
export interface Range {
  readonly minimum: number;
  readonly expected: number;
  readonly maximum: number;
}

export const exactly = (count: number): Range => ({ minimum: count, expected: count, maximum: count });
export const noneToAtMost = (expected: number, maximum: number): Range => ({ minimum: 0, expected, maximum });

/** The content of an answer: code for the task, a summary of code, a number, or the task in other words. */
export type AnswerKind = 'program' | 'summary' | 'score' | 'wording';

/** One kind of call that a cell makes. */
export interface CallForecast {
  readonly step: StepName;
  readonly asked: Question['asked'];
  /** The pages whose cells make it. Default: those of the models under study. */
  readonly phase?: Page['phase'];
  /** Per cell. */
  readonly calls: Range;
  /** How many answers to one and the same question are among them, which may share a request. Default: 1. */
  readonly draws?: number;
  /** How many of these calls must wait for one another: a lower bound of a cell's duration, in answers. */
  readonly inSeries: Range;
  /** The messages, with `said` giving placeholders for the earlier answers that they quote. */
  messages(task: Task, said: (kind: 'program' | 'summary') => string): readonly ChatMessage[];
  readonly answer: AnswerKind;
  /** The study's limit of tokens per answer; null if no limit is sent. */
  readonly maxTokens: number | null;
  /** Whether log-probabilities are requested and stored. */
  readonly logprobs: boolean;
  /** A task's questions, if other studies may ask the same ones. Default: none are shared. */
  readonly questions?: readonly PlannedQuestion[];
}

/** One question of a task whose text is known before anything is answered. */
export interface PlannedQuestion {
  /** Equal for equal questions in all studies: a model is asked each only once. */
  readonly name: string;
  /** Equal for questions whose answers are expected to hold the same program. */
  readonly program: string;
}
