/** What a ledger counts: the progress of its run, and its spending. */
import type { StepName } from '../../../schemas/states.ts';

/**
 * A run's progress. Counts of cells and calls, spending in USD. `answered` counts samples in a lane, and received
 * replies in the run; questions that nobody asked are in neither.
 */
export interface Progress {
  readonly pages: { readonly total: number; readonly sealed: number; readonly failed: number };
  /** Per study and model. */
  readonly lanes: readonly {
    readonly study: string;
    readonly model: string;
    readonly cells: number;
    readonly cellsDone: number;
    readonly answered: number;
  }[];
  readonly answered: number;
  /** Different questions that the recorded run never asked, of a run that is judged again; absent if there are none. */
  readonly notAsked?: number;
  readonly failedCalls: number;
  readonly lostCalls: number;
  readonly liveIntents: number;
  readonly verdicts: number;
  /** Number of reference runs that exist. */
  readonly references: number;
  /** Tasks whose mutations were tried, for simulated models; counted only until the first answer, absent if 0. */
  readonly mutated?: number;
  /** References and mutations that have run for some seconds, oldest first. */
  readonly preparing: readonly Preparing[];
  /** Models that have answered nothing for some seconds although they were asked. */
  readonly failing: readonly Failing[];
  /** Models that are asked in batches and whose answers are waited for; absent if there are none. */
  readonly batches?: readonly WaitingBatches[];
  readonly spend: {
    readonly reportedUsd: number;
    readonly estimatedUsd: number;
    readonly unknownUsdCalls: number;
    readonly tokens: number;
  };
  readonly failuresByReason: Readonly<Record<string, number>>;
  /** Those of them that their command did not send again, by reason; absent if there are none. */
  readonly finalFailures?: Readonly<Record<string, number>>;
  /** Models with answers that were cut at a length; of their answers of all studies. */
  readonly cutAnswers: readonly CutAnswers[];
  /**
   * Replies that were paid for and then missing from the ledger, accepted by `resume --accept-losses`; absent if there
   * are none. What they cost was lost with them: it is not in `spend`, and the budget does not know it.
   */
  readonly acceptedLosses?: number;
  /** Calls whose reported usage is impossible and was replaced by its bound. */
  readonly disbelievedCalls: number;
  /** Attempts that ended before anything was sent, by reason: not in any other count. */
  readonly unsentByReason: Readonly<Record<string, number>>;
  /** Model `*` is the whole run. */
  readonly stopped: readonly { readonly model: string; readonly reason: string; readonly detail: string }[];
  readonly failedPages: readonly { readonly page: string; readonly reason: string }[];
}

export interface CutAnswers {
  readonly model: string;
  readonly cut: number;
  /** Null for a model that is not under study. */
  readonly answered: number | null;
}

/** A reference or mutations that take long, while they run: what a run waits for before it asks anything. */
export interface Preparing {
  readonly benchmark: string;
  readonly taskId: string;
  /** Null for mutations, which simulated models need. */
  readonly suite: string | null;
  /** When its program began to run, milliseconds since 1970. */
  readonly sinceMs: number;
}

/** A model whose calls all fail. */
export interface Failing {
  readonly answeringModel: string;
  /** Of a call early in the streak, also one that was never sent: `no connection (ECONNREFUSED)`. */
  readonly reason: string;
  /** When the first of them failed, milliseconds since 1970. */
  readonly sinceMs: number;
}

/** A call that was sent and brought no answer. */
export interface FailedCall {
  readonly study: string;
  /** The model under study; `answeringModel` was asked, such as a judge. */
  readonly model: string;
  readonly answeringModel: string;
  readonly step: StepName;
  /** As in `calls.failure`: `HTTP 503: the model is loading`. */
  readonly reason: string;
  /** When it failed, milliseconds since 1970. */
  readonly atMs: number;
}

/** The calls of one answering model at a moment. */
export interface ModelCallsNow {
  readonly answeringModel: string;
  /** Sent, and not ended yet. */
  readonly inFlight: number;
  /** When the oldest of them was sent, milliseconds since 1970; null if there is none. */
  readonly oldestSentMs: number | null;
  /** What those in flight are charged if they are lost, the most that they can cost; null if a price is not known. */
  readonly inFlightUsd: number | null;
  /** Of its newest answers; null if none of them was asked for lately. */
  readonly medianLatencyMs: number | null;
}

/** Stored answers of one model to one step of a page. */
export interface AnsweredStep {
  readonly page: string;
  readonly step: StepName;
  readonly answeringModel: string;
  /** Different answers of its cells, whoever asked for them. */
  readonly answers: number;
  /** Of these, the answers that this step asked for first, with their tokens and USD. */
  readonly samples: number;
  readonly tokens: number;
  readonly usd: number;
}

/** Calls of one study and model, by answering model (the model itself, or one in a role). */
export interface LaneSpend {
  readonly study: string;
  readonly model: string;
  readonly answeringModel: string;
  readonly answered: number;
  readonly failed: number;
  readonly lost: number;
  readonly tokens: number;
  readonly reportedUsd: number;
  readonly estimatedUsd: number;
  /** Calls without a known price: in neither sum. */
  readonly unknownUsdCalls: number;
}

/** Answers of one study and model that were copied from other runs, which paid for them. */
export interface ReusedAnswers {
  readonly study: string;
  readonly model: string;
  readonly answeringModel: string;
  readonly answers: number;
}

/** What waits at, or for, endpoints: for `status`. */
export interface WaitingBatches {
  readonly answeringModel: string;
  /** At the endpoint. */
  readonly batches: number;
  /** Calls in them, and those that wait for a batch to be made. */
  readonly calls: number;
  readonly answered: number;
  /** Since when the oldest call waits, milliseconds since 1970. */
  readonly sinceMs: number;
  /** Why a batch could not be looked at the last time; null if all could. */
  readonly fault: string | null;
}

/** Counts of all processes, restarts included. None takes longer for a run of many calls. */
export interface Counts {
  progress(): Promise<Progress>;
  /** The newest calls that failed, newest first. */
  latestFailures(most: number): Promise<readonly FailedCall[]>;
  /** What each model is asked now, and how long its newest answers took. */
  callsNow(): Promise<readonly ModelCallsNow[]>;
  /** Spending by study, model under study and answering model. */
  spendByLane(): Promise<readonly LaneSpend[]>;
  /** Reads every call: only for a run that takes answers from others. `spendByLane` counts them as answered calls. */
  reusedByLane(): Promise<readonly ReusedAnswers[]>;
  /** The part of the lanes whose pages make a study's prompts (phase `variants`), by study and model. */
  makingLanes(): Promise<Progress['lanes']>;
  /** The models that have answered any call, in any role. */
  answeredModels(): Promise<ReadonlySet<string>>;
  /** Stored answers by page, step and answering model. */
  answeredSteps(): Promise<readonly AnsweredStep[]>;
  /** Mean tokens of thoughts per answer of this model in a study; null where none was reported. */
  meanThoughts(study: string, answeringModel: string): Promise<number | null>;
  /** Median time from sending to storing, over this model's newest answers; null before there are any. */
  medianLatencyMs(answeringModel: string): Promise<number | null>;
}
