/** The interface of every source of completions: an HTTP endpoint, the simulator, or a recording. */
import type { Allowances } from '../../domain/accounts/allowance.ts';
import type { TokenUsage } from '../calls/token-usage.ts';
import type { BatchEndpoint } from './batches/batch-endpoint.ts';
import { boundedText } from './bounded-text.ts';
import type { AccountKind, BuiltInName } from '../../schemas/spec/account.ts';
import type { CallCoordinates, ChatReply, ChatRequest } from '../../schemas/chat.ts';

/** How to treat a call without a reply. */
export type FaultKind =
  /** 408, 409, 425, 429, 5xx, broken or malformed replies, timeouts: retry. */
  | 'retry'
  /** A 400 that names `n`: ask this model for one answer at a time from now on. */
  | 'single'
  /** An answer that exceeds the size limit: retried a few times, then the task goes without an answer. */
  | 'too long'
  /** 400, 401, 403, 404, or a recording without a matching line: this model stops, the others continue. */
  | 'stop';

/** The spec field to change so that a model is no longer refused: a field of the model or of its account. */
export interface SpecField {
  readonly of: 'model' | 'provider';
  readonly path: readonly string[];
}

interface ProviderFaultFacts {
  readonly httpStatus?: number;
  readonly retryAfterMs?: number;
  readonly maybeBilled?: boolean;
  readonly usage?: TokenUsage | null;
  readonly unsent?: string;
  readonly allowances?: Allowances;
  readonly specField?: SpecField;
  readonly cause?: unknown;
}

/** An endpoint's own message, of which 2,000 characters are kept, with the place and the remedy around it. */
const longestMessage = 3_000;

export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
  readonly kind: FaultKind;
  readonly httpStatus: number | null;
  readonly retryAfterMs: number | null;
  /** True when the endpoint may have billed the call (it was sent, and no refusal came back). */
  readonly maybeBilled: boolean;
  /** What the endpoint says that the call used; null if it does not say. */
  readonly usage: TokenUsage | null;
  /** Short reason why nothing was sent; null if something was, or may have been, sent. */
  readonly unsent: string | null;
  /** What the endpoint reports as left of its limits. */
  readonly allowances: Allowances;
  /** Null if no change of the spec would help. */
  readonly specField: SpecField | null;

  constructor(kind: FaultKind, message: string, facts: ProviderFaultFacts = {}) {
    super(boundedText(message, longestMessage), { cause: facts.cause });
    this.kind = kind;
    this.httpStatus = facts.httpStatus ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.maybeBilled = facts.maybeBilled ?? false;
    this.usage = facts.usage ?? null;
    this.unsent = facts.unsent ?? null;
    this.allowances = facts.allowances ?? {};
    this.specField = facts.specField ?? null;
  }
}

export interface Provider {
  /** The kind of account or built-in provider that it serves; several kinds may share one. */
  readonly kind: AccountKind | BuiltInName;
  /** Part of the call key: base URL, profile hash or the recording's sha256. */
  readonly endpointIdentity: string;
  /**
   * What takes its place for one draw where not only the request decides the answer: a recording may have another
   * answer to the same request for each task.
   */
  identityOf?(request: ChatRequest, coordinates: CallCoordinates): string;
  /** Whether the model is simulated; every row records this. */
  readonly simulated: boolean;
  /**
   * Returns at least one reply and at most the request's `n`, for consecutive samples from that of the coordinates on.
   * @param heard called with what the endpoint reports as left of its limits, before the replies are returned
   */
  ask(
    request: ChatRequest,
    coordinates: CallCoordinates,
    signal: AbortSignal,
    heard?: (allowances: Allowances) => void,
  ): Promise<readonly ChatReply[]>;
  /** Asks many questions at once, at a lower price and with answers within a day; absent if there is no such way. */
  readonly batches?: BatchEndpoint;
  close(): Promise<void>;
}
