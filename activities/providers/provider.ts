/** The contract of every source of completions: an HTTP endpoint, the simulator, or a recording. */
import type { Allowances } from '../../domain/allowance.ts';
import { boundedText } from './bounded-text.ts';
import type { CallCoordinates, ChatReply, ChatRequest } from '../../schemas/chat.ts';

/** How a call that brought no reply is to be treated. */
export type FaultKind =
  /** 408, 409, 425, 429, 5xx, broken or malformed replies, timeouts: ask again. */
  | 'retry'
  /** A 400 that names `n`: this model is asked for one answer at a time from now on. */
  | 'single'
  /** An answer that is longer than may be taken: asked again a few times, then the task does without. */
  | 'too long'
  /** 400, 401, 403, 404, a recording without the line: this model stops, others go on. */
  | 'stop';

/** What of the spec to change so that a model is no longer refused: a field of the model, or of its account. */
export interface SpecField {
  readonly of: 'model' | 'provider';
  readonly path: readonly string[];
}

interface ProviderFaultFacts {
  readonly httpStatus?: number;
  readonly retryAfterMs?: number;
  readonly maybeBilled?: boolean;
  readonly unsent?: string;
  readonly allowances?: Allowances;
  readonly specField?: SpecField;
  readonly cause?: unknown;
}

export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
  readonly kind: FaultKind;
  readonly httpStatus: number | null;
  readonly retryAfterMs: number | null;
  /** True when the endpoint may have billed the call (it was sent, and no refusal came back). */
  readonly maybeBilled: boolean;
  /** Why nothing was sent, in a few words; null where something was, or may have been. */
  readonly unsent: string | null;
  /** What the endpoint said is left of its limits. */
  readonly allowances: Allowances;
  /** Null where no line of the spec would help. */
  readonly specField: SpecField | null;

  constructor(kind: FaultKind, message: string, facts: ProviderFaultFacts = {}) {
    super(boundedText(message), { cause: facts.cause });
    this.kind = kind;
    this.httpStatus = facts.httpStatus ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.maybeBilled = facts.maybeBilled ?? false;
    this.unsent = facts.unsent ?? null;
    this.allowances = facts.allowances ?? {};
    this.specField = facts.specField ?? null;
  }
}

export interface Provider {
  readonly kind: 'openai' | 'simulated' | 'replay';
  /** Enters the call key: base URL, profile hash or the recording's sha256. */
  readonly endpointIdentity: string;
  /** Every row of a simulated model says so. */
  readonly simulated: boolean;
  /**
   * At least one reply and at most the request's `n`, for the samples that follow one another from the coordinates' on.
   * @param heard is told what the endpoint says is left of its limits, before the replies are given back
   */
  ask(
    request: ChatRequest,
    coordinates: CallCoordinates,
    signal: AbortSignal,
    heard?: (allowances: Allowances) => void,
  ): Promise<readonly ChatReply[]>;
  close(): Promise<void>;
}
