/** What a study will ask, said before anything is asked: for the offline plan. */
import type { ChatMessage } from '../schemas/chat.ts';
import type { Page } from '../schemas/plan.ts';
import type { StepName } from '../schemas/states.ts';
import type { Task } from '../schemas/task.ts';
import type { Question } from './study.ts';

/** A count that is known only between bounds. */
export interface Range {
  readonly minimum: number;
  readonly expected: number;
  readonly maximum: number;
}

export const exactly = (count: number): Range => ({ minimum: count, expected: count, maximum: count });
export const noneToAtMost = (expected: number, maximum: number): Range => ({ minimum: 0, expected, maximum });

/** What an answer holds: code for the task, one sentence on code, a number, or the task in other words. */
export type AnswerKind = 'program' | 'summary' | 'score' | 'wording';

/** One kind of call that a cell leads to. */
export interface CallForecast {
  readonly step: StepName;
  readonly asked: Question['asked'];
  /** The pages whose cells lead to it; left out: those of the models under study. */
  readonly phase?: Page['phase'];
  /** Per cell. */
  readonly calls: Range;
  /** Of these, the ones that wait for one another: a cell takes at least as many answers' time. */
  readonly inSeries: Range;
  /** What is sent, with `said` in place of the earlier answers that it quotes. */
  messages(task: Task, said: (kind: 'program' | 'summary') => string): readonly ChatMessage[];
  readonly answer: AnswerKind;
  /** Most tokens of an answer by the study's decoding; null when no limit is sent. */
  readonly maxTokens: number | null;
  /** Log-probabilities are asked for and kept. */
  readonly logprobs: boolean;
  /** What a task is asked, where other studies may ask the same; left out: nothing that they do. */
  readonly questions?: readonly PlannedQuestion[];
}

/** One question of a task, known by what it says before anything is answered. */
export interface PlannedQuestion {
  /** Equal in all studies that put it: the same model is asked it once. */
  readonly name: string;
  /** Equal for questions whose answers are expected to hold the same program. */
  readonly program: string;
}
