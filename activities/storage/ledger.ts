/**
 * What a run asked, was answered, judged and paid: the one truth a run resumes from. This file is the contract;
 * `sqlite-ledger.ts` is its implementation (one SQLite file per run, several processes at a time).
 */
import type { TokenUsage } from '../token-usage.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import type { CallStatus, CostBasis, Outcome, StepName, StopReason } from '../../schemas/states.ts';
import type { Progress, AnsweredStep, LaneSpend } from './ledger-counts.ts';

/** One sample's place in the plan. `cell` is the index of the cell within its page. */
export interface SampleKey {
  readonly page: string;
  readonly cell: number;
  readonly step: StepName;
  readonly loop: number;
  readonly ask: number;
  readonly sample: number;
}

/** The right to act for one batch of one page: `unit` is one step of the page. Only the newest (epoch, attempt) may act. */
export interface Fence {
  readonly unit: string;
  readonly epoch: number;
  readonly attempt: number;
}

export interface CallToReserve {
  /** The first sample that is asked for. */
  readonly key: SampleKey;
  /** One for each sample that is asked for, the first and those that follow it: hex SHA-256 over endpoint identity, canonical request and draw. */
  readonly callKeys: readonly string[];
  /** The study's model id (whose stop flag counts) and the model that is asked (a judge differs from the model under study). */
  readonly model: string;
  readonly answeringModel: string;
  readonly parametersSent: string;
  /** The most that this call may cost, with all its answers; 0 for free kinds, null where the price is unknown (only allowed without a USD budget). */
  readonly maxUsd: number | null;
  /** Charged when the call is lost. */
  readonly estimatedUsd: number | null;
  readonly estimatedTokens: number;
  readonly maxTokens: number;
  readonly free: boolean;
}

export type Reservation =
  /** Some of the replies, or all, are there already (an earlier attempt, or another study's equal call); their samples now point to them. */
  | { readonly kind: 'answered'; readonly replies: StoredReplies }
  | { readonly kind: 'go'; readonly intent: number }
  /** Another live intent asks for one of these calls; try again shortly. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'stop'; readonly reason: StopReason };

export interface StoredReply {
  readonly callKey: string;
  readonly reply: ChatReply;
  /** Null for a call of this run; otherwise where it was copied from. */
  readonly origin: string | null;
}

/** One for each sample that was asked for, in order; null for one that has no answer yet. */
export type StoredReplies = readonly (StoredReply | null)[];

export interface Charge extends TokenUsage {
  readonly usd: number | null;
  readonly basis: CostBasis;
  readonly priceDate: string | null;
  /** The usage as it was reported, JSON, where the counts above are what is believed of it. */
  readonly usageReported?: string | null;
}

/** One HTTP attempt, for the `calls` table. */
export interface CallRecord {
  readonly intent: number;
  /** Place and call key of the first sample that it asked for. */
  readonly key: SampleKey;
  readonly callKey: string;
  /** Answers that it asked for. */
  readonly n: number;
  readonly answeringModel: string;
  readonly parametersSent: string;
  readonly status: CallStatus;
  /** False where every reply lost against an earlier one, and for calls without a reply. */
  readonly used: boolean;
  readonly origin: string | null;
  readonly returnedModel: string | null;
  readonly fingerprint: string | null;
  readonly charge: Charge | null;
  readonly failure: string | null;
  readonly startedAtMs: number;
  readonly latencyMs: number | null;
  readonly epoch: number;
  readonly attempt: number;
}

export interface SampleRecord {
  readonly key: SampleKey;
  readonly callKey: string;
  readonly reply: ChatReply;
  readonly origin: string | null;
}

export interface VerdictRecord {
  /** Hex SHA-256 over program, suite record, limits, tier and image. */
  readonly executionKey: string;
  readonly programSha256: string;
  readonly suite: string;
  readonly outcome: Outcome;
  readonly firstFailingCase: number | null;
  readonly detail: string | null;
  readonly wallMs: number;
  readonly cpuMs: number | null;
  readonly memoryBytes: number | null;
  readonly tier: string;
  readonly lane: string;
  readonly engine: string;
  readonly imageDigest: string;
  readonly limits: string;
  /** Taken from an earlier run on the same machine: its times are from there. */
  readonly reused?: true;
}

/** The reference's own run on one suite: where expected outputs and time limits come from. */
export interface ReferenceRecord {
  /** Hex SHA-256 over task record, suite, tier and image. */
  readonly key: string;
  readonly outcome: Outcome;
  readonly firstFailingCase: number | null;
  /** JSON texts of the encoded outputs, one per case; null where the reference raised or did not get there. */
  readonly outputs: readonly (string | null)[];
  readonly caseMs: readonly number[];
}

export interface PartRecord {
  /** Path within the run folder. */
  readonly path: string;
  readonly table: string;
  /** The page, or `run` for tables of the whole run. */
  readonly page: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly schemaVersion: number;
  readonly revision: number;
}

export type PageState = 'open' | 'sealed' | 'failed';

export interface PlannedPage {
  readonly page: string;
  readonly study: string;
  readonly model: string;
  readonly cells: number;
  readonly revision: number;
}

export interface Budget {
  readonly usd: number | null;
  readonly tokens: number | null;
}

export interface Ledger {
  /** A new owner: raises and returns the epoch. Anything that still acts for an older epoch is fenced from here on. */
  takeOver(owner: string): number;
  currentEpoch(): number;

  addPages(pages: readonly PlannedPage[]): void;
  pageState(page: string): PageState;
  failPage(page: string, reason: string): void;
  /** Failed pages become open again (a resume tries them anew). */
  reopenFailedPages(): void;
  /** Progress within a page, for `status`: cells that have reached their end. Idempotent. */
  markCellsDone(page: string, cellsDone: number): Promise<void>;

  /**
   * Raises the unit's attempt under `epoch` (to `attempt`, or by one) and marks the unit's older open intents lost, charged at their estimate.
   * Throws `FencedError` for an old epoch, and for an attempt that is not newer than the unit's last: its worker stood still for so long
   * that another has taken its place.
   */
  openUnit(unit: string, epoch: number, attempt?: number): Fence;
  /** Checks fence, control, budget, existing reply and live intent in one immediate transaction (grouped with its neighbours of a few ms). */
  reserve(fence: Fence, call: CallToReserve): Promise<Reservation>;
  /**
   * Stores the replies (each insert or ignore, under the call key of its own sample) and the charge for them all, durable before it resolves;
   * gives back the winners, which are the only ones ever used. Replies may be fewer than the intent asked for, and more than that are ignored.
   * An intent that was given up as lost may still be committed: the real charge replaces the estimate. `origin` names the run that the
   * replies were copied from; null for those that were asked for here.
   */
  commit(intent: number, replies: readonly ChatReply[], charge: Charge, latencyMs: number, origin?: string | null): Promise<StoredReplies>;
  /** The call was reserved and never sent: it is in no count, and may be reserved again. Those of one kind are counted as attempts by `why`. */
  release(intent: number, why: string): Promise<void>;
  /** The call brought no reply: its intent is closed as failed, with what it may have cost. Failures are counted by their text before the first colon. */
  fail(intent: number, failure: string, charge: Charge, latencyMs: number): Promise<void>;

  /** The reply to a call, whoever asked it; what a later run that reuses this one looks up. */
  reply(callKey: string): StoredReply | undefined;
  /** The answer to one sample, if there is one. */
  sample(key: SampleKey): SampleRecord | undefined;
  /** Whether any cell of the page has an answer at this place. */
  hasSamples(place: Pick<SampleKey, 'page' | 'step' | 'loop' | 'ask'>): boolean;
  /** All answered samples of a page, ordered by cell, step (alphabetically), loop, ask, sample. */
  samples(page: string): SampleRecord[];
  /** Whether this model, in whatever role, has answered any call. */
  hasAnswered(answeringModel: string): boolean;
  /** What was spent, by study, model under study and model that answered. */
  spendByLane(): LaneSpend[];
  /** What is answered, by page and step. */
  answeredSteps(): AnsweredStep[];
  /** From sending to storing, over this model's newest answers; null before there are any. */
  medianLatencyMs(answeringModel: string): number | null;
  /** All HTTP attempts of a page in intent order. */
  calls(page: string): CallRecord[];

  verdict(executionKey: string): VerdictRecord | undefined;
  /** Insert or ignore; durable before it resolves; gives back the winner. */
  saveVerdict(verdict: VerdictRecord): Promise<VerdictRecord>;
  reference(key: string): ReferenceRecord | undefined;
  saveReference(reference: ReferenceRecord): Promise<void>;

  /** Small named facts of the run (JSON text), e.g. which mutations of the simulator were seen to fail. Insert or ignore; gives back the winner. */
  fact(name: string): string | undefined;
  saveFact(name: string, json: string): Promise<string>;
  /** All facts whose name starts with `prefix`, by name. */
  facts(prefix: string): string[];

  /**
   * Registers a page's staged parts, in place of those of older revisions, whose paths it gives back, and marks the page sealed, under the fence; a
   * second seal of the same revision must bring the same bytes. The
   * files are moved to their names afterwards: what is registered and does not lie there yet is moved by whoever takes the run up.
   */
  sealPage(fence: Fence, page: string, parts: readonly PartRecord[]): string[];
  /**
   * Registers parts in place of those that the same tables have of the same page (`run`: of the whole run); what they replace stays registered under
   * the path that it is moved to. Gives back the paths that it had.
   */
  replaceParts(parts: readonly PartRecord[]): string[];
  /** Every registered part that counts, by path. */
  parts(): PartRecord[];
  /** Parts that newer ones stand for, by the path that they are moved to. */
  supersededParts(): PartRecord[];
  /** Runs `work` (short, synchronous) while no other process writes to this ledger: the lock for the run's small files. */
  exclusively<T>(work: () => T): T;

  /** Control rows; the newest counts. `model: null` is the whole run. Reason `null` lifts the stop. */
  setStop(model: string | null, reason: Exclude<StopReason, 'fenced' | 'budget'> | null, detail: string): void;
  stopOf(model: string): { readonly reason: StopReason; readonly detail: string } | null;
  setBudget(budget: Budget): void;

  progress(): Progress;
  close(): void;
}

/** Somebody newer acts for this run or unit. Never retried by the fenced side. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}
