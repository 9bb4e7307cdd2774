/**
 * The record of a run's calls, answers, verdicts and costs, from which the run resumes. This file is the interface;
 * `sqlite-ledger.ts` implements it (one SQLite file per run, several processes at a time).
 */
import type { TokenUsage } from '../../calls/token-usage.ts';
import type { ChatReply } from '../../../schemas/chat.ts';
import type { CallStatus, CostBasis, Outcome, StepName, StopReason } from '../../../schemas/states.ts';
import type { AnsweredStep, FailedCall, LaneSpend, ModelCallsNow, Progress } from './ledger-counts.ts';

/** One sample's place in the plan. `cell` is the index of the cell within its page. */
export interface SampleKey {
  readonly page: string;
  readonly cell: number;
  readonly step: StepName;
  readonly loop: number;
  readonly ask: number;
  readonly sample: number;
}

/**
 * The right to act for one batch of one page: `unit` is one step of the page. Only the newest (epoch, attempt) may act.
 */
export interface Fence {
  readonly unit: string;
  readonly epoch: number;
  readonly attempt: number;
}

export interface CallToReserve {
  /** The first requested sample. */
  readonly key: SampleKey;
  /**
   * One per requested sample, starting with the first: hex SHA-256 of endpoint identity, canonical request and draw.
   */
  readonly callKeys: readonly string[];
  /**
   * `model`: the model under study, whose stop flag counts. `answeringModel`: the model that is asked, such as a judge.
   */
  readonly model: string;
  readonly answeringModel: string;
  readonly parametersSent: string;
  /**
   * Highest cost of this call with all its answers; 0 for free kinds, null if the price is unknown (only allowed
   * without a USD budget).
   */
  readonly maxUsd: number | null;
  /** Charged if the call is lost. */
  readonly estimatedUsd: number | null;
  readonly estimatedTokens: number;
  readonly maxTokens: number;
  readonly free: boolean;
  /** What it costs at most, and probably, as a line of a batch; absent for a call that is not asked in one. */
  readonly inBatch?: { readonly maxUsd: number | null; readonly estimatedUsd: number | null };
}

export type Reservation =
  /**
   * Some or all replies exist already (from an earlier attempt, or another study's equal call);
   * their samples now point to them.
   */
  | { readonly kind: 'answered'; readonly replies: StoredReplies }
  | { readonly kind: 'go'; readonly intent: number }
  /**
   * Another live intent is asking for one of these calls, or open calls hold the room in the budget that this one
   * needs; try again shortly.
   */
  | { readonly kind: 'busy' }
  | { readonly kind: 'stop'; readonly reason: StopReason };

export interface StoredReply {
  readonly callKey: string;
  readonly reply: ChatReply;
  /** Null for a call of this run; otherwise the run that it was copied from. */
  readonly origin: string | null;
}

/** One per requested sample, in order; null for one without an answer. */
export type StoredReplies = readonly (StoredReply | null)[];

export interface Charge extends TokenUsage {
  readonly usd: number | null;
  readonly basis: CostBasis;
  readonly priceDate: string | null;
  /** The usage as reported, JSON, if the counts above were corrected. */
  readonly usageReported?: string | null;
}

/** One HTTP attempt, for the `calls` table. */
export interface CallRecord {
  readonly intent: number;
  /** Key and call key of the first requested sample. */
  readonly key: SampleKey;
  readonly callKey: string;
  /** Number of requested answers. */
  readonly n: number;
  readonly answeringModel: string;
  readonly parametersSent: string;
  readonly status: CallStatus;
  /** False if every reply lost against an earlier one, and for calls without a reply. */
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
  /** Taken from an earlier run on the same machine, with that run's times. */
  readonly reused?: true;
}

/** The reference's own run on one suite: where expected outputs and time limits come from. */
export interface ReferenceRecord {
  /** Hex SHA-256 over task record, suite, tier and image. */
  readonly key: string;
  readonly outcome: Outcome;
  readonly firstFailingCase: number | null;
  /** JSON texts of the encoded outputs, one per case; null if the reference raised or did not reach the case. */
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
  /** Of a merged part: the pages whose rows it holds, in that order, with the number of rows of each. */
  readonly pages?: Readonly<Record<string, number>> | undefined;
}

export type PageState = 'open' | 'sealed' | 'failed';

export interface PlannedPage {
  readonly page: string;
  readonly study: string;
  readonly model: string;
  readonly cells: number;
  readonly revision: number;
}

export interface OpenLane {
  readonly study: string;
  readonly model: string;
  readonly open: number;
}

export interface Budget {
  readonly usd: number | null;
  readonly tokens: number | null;
}

export interface Ledger {
  /**
   * Called by a new owner: raises and returns the epoch. Anyone still acting for an older epoch is fenced from then on.
   */
  takeOver(owner: string): number;
  currentEpoch(): number;

  addPages(pages: readonly PlannedPage[]): void;
  pageState(page: string): PageState;
  /** Numbers of open pages, by study and model; those without any are left out. */
  openLanes(): readonly OpenLane[];
  /** Open pages of a lane in the order of the plan, after page `after` (null: from the start), at most `limit`. */
  openPages(lane: Pick<OpenLane, 'study' | 'model'>, after: string | null, limit: number): string[];
  failPage(page: string, reason: string): void;
  /** Opens failed pages again, so that a resume retries them. */
  reopenFailedPages(): void;
  /** Progress within a page, for `status`: cells that have reached their end. Idempotent. */
  markCellsDone(page: string, cellsDone: number): Promise<void>;

  /**
   * Raises the unit's attempt under `epoch` (to `attempt`, or by one) and marks its older open intents lost, charged at
   * their estimate; batched ones stay. Throws `FencedError` for an old epoch, and for an attempt that is not newer than
   * the unit's last: its worker was suspended for so long that another has replaced it.
   */
  openUnit(unit: string, epoch: number, attempt?: number): Fence;
  /**
   * Checks fence, control, budget, existing reply and live intent in one immediate transaction (grouped with other
   * requests within a few ms).
   */
  reserve(fence: Fence, call: CallToReserve): Promise<Reservation>;
  /**
   * Stores the replies (each with insert or ignore, under the call key of its sample) and one charge for all, durable
   * before it resolves. Returns the winning replies, the only ones ever used. Replies may be fewer than requested;
   * surplus ones are ignored. A lost intent may still be committed: the real charge replaces the estimate. `origin`
   * names the run that the replies were copied from; null for replies of this run. Such replies have no latency, and
   * use no tokens of the budget.
   */
  commit(
    intent: number,
    replies: readonly ChatReply[],
    charge: Charge,
    latencyMs: number | null,
    origin?: string | null,
  ): Promise<StoredReplies>;
  /**
   * For a call that was reserved and never sent: it is in no count, and may be reserved again. Attempts are counted by
   * `why`.
   */
  release(intent: number, why: string): Promise<void>;
  /**
   * For a call without a reply: closes its intent as failed, with its possible cost. Failures are counted by their text
   * before the first colon.
   */
  fail(intent: number, failure: string, charge: Charge, latencyMs: number): Promise<void>;

  /** The reply to a call, whoever asked it; later runs look replies up to reuse them. */
  reply(callKey: string): StoredReply | undefined;
  /** The answer to one sample, if there is one. */
  sample(key: SampleKey): SampleRecord | undefined;
  /** Whether any cell of the page has an answer at this place. */
  hasSamples(place: Pick<SampleKey, 'page' | 'step' | 'loop' | 'ask'>): boolean;
  /** All answered samples of a page, ordered by cell, step (alphabetically), loop, ask, sample. */
  samples(page: string): SampleRecord[];
  /** The models that have answered any call, in any role. */
  answeredModels(): ReadonlySet<string>;
  /** Spending by study, model under study and answering model. */
  spendByLane(): LaneSpend[];
  /** Stored answers by page, step and answering model. */
  answeredSteps(): AnsweredStep[];
  /** Mean tokens of thoughts per answer of this model in a study; null where none was reported. */
  meanThoughts(study: string, answeringModel: string): number | null;
  /** Median time from sending to storing, over this model's newest answers; null before there are any. */
  medianLatencyMs(answeringModel: string): number | null;
  /** All HTTP attempts of a page in intent order. */
  calls(page: string): CallRecord[];

  verdict(executionKey: string): VerdictRecord | undefined;
  /** Insert or ignore; durable before it resolves; returns the winning record. */
  saveVerdict(verdict: VerdictRecord): Promise<VerdictRecord>;
  reference(key: string): ReferenceRecord | undefined;
  saveReference(reference: ReferenceRecord): Promise<void>;

  /**
   * Small named facts of the run (JSON text), such as the simulator's mutations that failed. Insert or ignore; returns
   * the winning fact.
   */
  fact(name: string): string | undefined;
  saveFact(name: string, json: string): Promise<string>;
  /** All facts whose name starts with `prefix`, by name. */
  facts(prefix: string): string[];

  /**
   * Registers a page's staged parts, replacing those of older revisions, and marks the page sealed, under the fence.
   * Returns the old paths of the replaced parts. Sealing the same revision again must give the same bytes. The files
   * are moved into place afterwards; if that is interrupted, the next owner of the run moves them.
   */
  sealPage(fence: Fence, page: string, parts: readonly PartRecord[]): string[];
  /**
   * Registers parts that replace those of the same table and page (`run`: the whole run). Replaced parts stay
   * registered under the path they are moved to. Returns their old paths.
   */
  replaceParts(parts: readonly PartRecord[]): string[];
  /**
   * Registers parts that hold the same rows as others, in other files. Returns the paths of the others, which are
   * spent: they stay registered under the path they are moved to until they are forgotten. Throws if one of them no
   * longer counts.
   */
  exchangeParts(spent: readonly PartRecord[], parts: readonly PartRecord[]): string[];
  /** Spent parts, by the path they are moved to. */
  spentParts(): string[];
  /** Call after the files of spent parts have been removed. */
  forgetSpent(paths: readonly string[]): void;
  /** Every current registered part, by path. */
  parts(): PartRecord[];
  /** Current parts that hold rows of one page, of all pages of this page's lane. */
  singleParts(page: string): PartRecord[];
  /** Whether a part of this path is current. */
  hasPart(path: string): boolean;
  /** Replaced parts, by the path they are moved to. */
  supersededParts(): PartRecord[];
  /**
   * Runs `work` (short, synchronous) while no other process writes to this ledger;
   * this is the lock for the run's small files.
   */
  exclusively<T>(work: () => T): T;

  /** Control rows; the newest counts. `model: null` is the whole run. Reason `null` lifts the stop. */
  setStop(model: string | null, reason: Exclude<StopReason, 'fenced' | 'budget'> | null, detail: string): void;
  stopOf(model: string): { readonly reason: StopReason; readonly detail: string } | null;
  /** The stop of the whole run that is in force. `id` tells it from an equal one that was set later. */
  runStop(): { readonly id: number; readonly detail: string } | null;
  setBudget(budget: Budget): void;

  progress(): Progress;
  /** The newest calls that failed, newest first. */
  latestFailures(most: number): readonly FailedCall[];
  /** What each model is asked now, and how long its newest answers took. */
  callsNow(): readonly ModelCallsNow[];
  close(): void;
}

/** A newer process acts for this run or unit. The fenced process must never retry. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}
