/** What a ledger counts: how far its run is, and what was spent on what. */
import type { StepName } from '../../schemas/states.ts';

/** How far a run is. Counts of cells and calls, spend in USD; a lane's `answered` counts samples, the run's counts replies that came. */
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
  readonly failedCalls: number;
  readonly lostCalls: number;
  readonly liveIntents: number;
  readonly verdicts: number;
  /** Reference runs on suites that are established. */
  readonly references: number;
  readonly spend: {
    readonly reportedUsd: number;
    readonly estimatedUsd: number;
    readonly unknownUsdCalls: number;
    readonly tokens: number;
  };
  readonly failuresByReason: Readonly<Record<string, number>>;
  /** Calls whose reported usage cannot be, and was taken to be its bound. */
  readonly disbelievedCalls: number;
  /** Attempts that ended before anything was sent, by reason: no calls, and in no other count. */
  readonly unsentByReason: Readonly<Record<string, number>>;
  /** Model `*` is the whole run. */
  readonly stopped: readonly { readonly model: string; readonly reason: string; readonly detail: string }[];
  readonly failedPages: readonly { readonly page: string; readonly reason: string }[];
}

/** What one step of a page was answered. */
export interface AnsweredStep {
  readonly page: string;
  readonly step: StepName;
  /** Different answers that its cells have, whoever asked for them. */
  readonly answers: number;
  /** Of these, the ones that it was the first to have, with their tokens and USD. */
  readonly samples: number;
  readonly tokens: number;
  readonly usd: number;
}

/** Calls of one study and model, to the model that answered them (itself, or one in a role). */
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
  /** Calls whose price is not known: in neither sum. */
  readonly unknownUsdCalls: number;
}
