/** The interface of an endpoint that answers whole files of requests within a day, as OpenAI's Batch API does. */
import type { Bill } from '../failures/bill.ts';
import type { ChatReply, ChatRequest } from '../../../schemas/chat.ts';

/** Most requests of one batch, and bytes of its file: OpenAI's limits, the bytes with a margin. */
export const mostRequests = 50_000;
export const mostFileBytes = 190 * 1024 * 1024;

export interface EndpointBatch {
  readonly id: string;
  /** The uuid that it was created with; null for batches of others. */
  readonly uuid: string | null;
  /** `open` while its results may still change. */
  readonly state: 'open' | 'completed' | 'expired' | 'cancelled' | 'failed';
  readonly createdMs: number;
  readonly requests: number;
  /** Requests with a result so far: answers, and those with an error. */
  readonly answered: number;
  readonly failed: number;
  readonly outputFile: string | null;
  readonly errorFile: string | null;
  /** Why the whole batch failed; null for any other. `crowded`: too much is waiting at the endpoint, which passes. */
  readonly fault: { readonly message: string; readonly isCrowded: boolean } | null;
}

/** What a file says of one request. */
export type LineResult =
  | { readonly customId: string; readonly kind: 'answered'; readonly body: unknown; readonly requestId: string }
  /** The batch was cancelled or expired before this request: nothing was asked, so it may be asked in another one. */
  | { readonly customId: string; readonly kind: 'undone' }
  | {
      readonly customId: string;
      readonly kind: 'failed';
      readonly reason: string;
      /** Absent for a request that was refused. */
      readonly bill?: Bill | undefined;
    };

/** Undefined is JSON without a result. Unreadable: not JSON, or the only line of a file that is no longer kept. */
export type FileLine = LineResult | 'unreadable' | undefined;

/** Every method but those of lines throws `ProviderFault`. */
export interface BatchEndpoint {
  /** A line of the input file, without a line break. */
  requestLine(customId: string, request: ChatRequest): string;
  /** Replies in the body of an answered line. Throws `ProviderFault` for an unusable one. */
  repliesOf(line: LineResult & { readonly kind: 'answered' }, n: number): ChatReply[];

  /** The id of a file that was uploaded under this name since then; null if there is none. */
  findFile(name: string, sinceMs: number, signal: AbortSignal): Promise<string | null>;
  /** Returns the file's id. @param path on this machine */
  upload(path: string, name: string, signal: AbortSignal): Promise<string>;
  /** Batches that were created with this uuid since then, oldest first. */
  find(uuid: string, sinceMs: number, signal: AbortSignal): Promise<readonly EndpointBatch[]>;
  create(
    file: string,
    ids: { readonly run: string; readonly uuid: string },
    signal: AbortSignal,
  ): Promise<EndpointBatch>;
  /** Null if the endpoint does not know it. */
  get(id: string, signal: AbortSignal): Promise<EndpointBatch | null>;
  cancel(id: string, signal: AbortSignal): Promise<void>;
  /** Reads a file line by line. Throws if the connection breaks. */
  results(file: string, signal: AbortSignal): AsyncIterable<FileLine>;
}
