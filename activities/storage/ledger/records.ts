/** What a ledger stores: samples, calls, verdicts, references, parts. */
import type { ChatReply } from '../../../schemas/chat.ts';
import type { CallStatus, CostBasis, Outcome, StepName } from '../../../schemas/states.ts';
import type { TokenUsage } from '../../calls/token-usage.ts';

/** One sample's place in the plan. `cell` is the index of the cell within its page. */
export interface SampleKey {
  readonly page: string;
  readonly cell: number;
  readonly step: StepName;
  readonly loop: number;
  readonly ask: number;
  readonly sample: number;
}

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
  /** What counts against a budget in tokens where no usage is reported. Default: none of a call without a reply. */
  readonly assumedTokens?: number;
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

/** A sample with the call that brought its answer, of this page or of another. */
export interface BroughtSample extends SampleRecord {
  readonly intent: number;
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
