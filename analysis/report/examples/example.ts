/** What an example holds. */
import type { FlipKind } from './cells-sql.ts';

/** One cell of a study with everything that was asked and answered for it. */
export interface Example extends ExampleEntry {
  /** In the order they were asked. */
  readonly steps: readonly ExampleStep[];
}

/** What lists of examples show. */
export interface ExampleEntry {
  /** 12 hex digits of a hash of the cell's key, so that links stay valid. */
  readonly id: string;
  readonly run: string;
  readonly study: string;
  readonly model: string;
  readonly benchmark: string;
  readonly taskId: string;
  readonly language: string;
  readonly variant: string;
  readonly setting: string;
  readonly repetition: number;
  readonly simulated: boolean;
  /** What ended the loops, or `survived`; without loops the alphabetically first failing outcome, or `pass`. */
  readonly result: string;
  /** Null for studies without loops. */
  readonly sustainedLoops: number | null;
  /** Answers of the first loop that passed, of those that count. Null if none was judged. */
  readonly passed: number | null;
  readonly judged: number | null;
  readonly flips: readonly FlipKind[];
}

export interface ExampleStep {
  readonly loop: number;
  readonly step: string;
  readonly ask: number;
  readonly sample: number;
  readonly answeringModel: string;
  readonly messages: readonly ExampleMessage[];
  /** The same question without the variant's change; null for unchanged prompts and after the first loop. */
  readonly original: readonly ExampleMessage[] | null;
  readonly reply: string;
  readonly replyStatus: string;
  /** Null for steps that ask for no code. */
  readonly extraction: string | null;
  readonly solution: string | null;
  /** Programming language of the solution. */
  readonly language: string;
  readonly verdicts: readonly ExampleVerdict[];
  /** The score read from a judge's answer; null for other steps and for answers without a score. */
  readonly score: number | null;
}

export interface ExampleMessage {
  readonly role: string;
  readonly content: string;
}

export interface ExampleVerdict {
  readonly suite: string;
  readonly outcome: string;
  /** From 0. */
  readonly firstFailingCase: number | null;
  readonly cases: number | null;
  readonly detail: string | null;
  /** Arguments of the failing case as JSON, or its test code. Null if no case failed, or an older program ran it. */
  readonly input: string | null;
  /** Both null unless an output was compared. */
  readonly expected: string | null;
  readonly got: string | null;
}
