/** What the served page says of a run under way, above the report: texts and counts, without layout. */

export interface LiveFacts {
  readonly run: string;
  readonly state: string;
  /** A process works on it. */
  readonly isUnderWay: boolean;
  /** Why it is in this state. */
  readonly detail: string | null;
  /** Cells. */
  readonly done: number;
  readonly cells: number;
  /** In the order shown: answers, rate, time left, spend. */
  readonly figures: readonly { readonly name: string; readonly text: string }[];
  /** What is being waited for, and since when: sentences. */
  readonly waiting: readonly string[];
  /** Stopped models, failed pages, calls without an answer: sentences. */
  readonly troubles: readonly string[];
  /** The latest failure of each model, newest first. */
  readonly failures: readonly LiveFailure[];
  /** Those under way first, of these the one that will end last first. */
  readonly models: readonly LiveModel[];
}

export interface LiveFailure {
  readonly model: string;
  /** Study and step. */
  readonly asked: string;
  readonly reason: string;
  /** Time of day. */
  readonly at: string;
}

export interface LiveModel {
  readonly model: string;
  /** Cells; 0 of a model that only plays a role, such as a judge. */
  readonly done: number;
  readonly cells: number;
  readonly answers: number;
  /** Answers per second over the last minute; null while it is not known. */
  readonly perSecond: number | null;
  /** Of its newest answers; null if it gave none. */
  readonly latencyMs: number | null;
  readonly inFlight: number;
  /** Since when its oldest call is under way, time of day; null without one. */
  readonly waitingSince: string | null;
  /** It will end last, and long after most others. */
  readonly isSlow: boolean;
}

/** What is known of the page below the facts. */
export interface LivePage {
  /** Grows with every page that was made, also over the server's end; 0 before the first. */
  readonly revision: number;
  /** Time of day of the results shown; null before the first page. */
  readonly madeAt: string | null;
  /** Why there is no newer page; null if there is none or it is being made. */
  readonly fault: string | null;
}

/** One run in the list of runs. */
export interface ListedRun {
  readonly run: string;
  readonly state: string;
  /** Null without a ledger. */
  readonly done: number | null;
  readonly cells: number | null;
  /** When it was created, ISO 8601; empty if its manifest cannot be read. */
  readonly createdAt: string;
  /** It has results that can be shown. */
  readonly isShown: boolean;
  /** Why the run, or its ledger, cannot be read; null if all can. */
  readonly fault: string | null;
}
