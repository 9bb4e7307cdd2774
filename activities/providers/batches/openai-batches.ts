/** OpenAI's Batch API: a file of requests is uploaded, a batch is created from it, and its results are files again. */
import { openAsBlob } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { OpenAI } from 'openai';
import type { BatchCreateParams } from 'openai/resources/batches';
import type { ChatReply, ChatRequest } from '../../../schemas/chat.ts';
import type { BatchEndpoint, EndpointBatch, FileLine, LineResult } from './batch-endpoint.ts';
import type { EndpointOptions } from '../endpoint-options.ts';
import { type OpenAiApi, openAiApis } from '../openai-apis.ts';
import { batchOf, metadataKeys, resultOf } from './openai-batch-body.ts';
import type { TokenUsage } from '../../calls/token-usage.ts';
import { billOf } from '../failures/bill.ts';
import { failureIn } from '../openai-body.ts';
import { connectionFault, errorCode, loadClient, withoutEchoedKeys, withoutSecrets } from '../openai-client.ts';
import { httpFault } from '../openai-fault.ts';
import { ProviderFault } from '../provider.ts';
import { faultsText } from '../../../domain/spec/faults-text.ts';

/** A file of 200 MB takes longer than an answer. */
const fileTimeoutMs = 30 * 60_000;
const pageSize = 100;
/** The endpoint's clock may differ from this machine's. */
const clockSkewMs = 3_600_000;

interface Asking {
  readonly client: OpenAI;
  readonly options: OpenAI.RequestOptions;
}

export class OpenAiBatches implements BatchEndpoint {
  readonly #options: EndpointOptions;
  readonly #baseUrl: string;
  readonly #api: OpenAiApi;
  readonly #where: string;
  #loading: ReturnType<typeof loadClient> | null = null;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#api = openAiApis[options.api ?? 'chat'];
    this.#where = `batches at ${this.#baseUrl}`;
  }

  requestLine(customId: string, request: ChatRequest): string {
    const body = this.#api.body(request);
    return JSON.stringify({ custom_id: customId, method: 'POST', url: this.#url, body });
  }

  repliesOf(line: LineResult & { readonly kind: 'answered' }, n: number): ChatReply[] {
    const failure = failureIn(line.body);
    const usage = this.#api.usage(line.body);
    if (failure !== null) throw unusable(failure.message, usage);
    const requestId = (id: string | null | undefined): string =>
      withoutSecrets(line.requestId || (id ?? ''), this.#options);
    const read = this.#api.read(line.body, { n, isStreamed: false, requestId });
    if ('replies' in read) return read.replies;
    throw unusable('malformed' in read ? faultsText(read.malformed) : read.brokenOff, usage);
  }

  findFile(name: string, sinceMs: number, signal: AbortSignal): Promise<string | null> {
    return this.#shortly(signal, async ({ client, options }) => {
      for await (const file of client.files.list({ purpose: 'batch', order: 'desc' }, options)) {
        if (file.filename === name) return file.id;
        if (file.created_at * 1000 < sinceMs - clockSkewMs) break;
      }
      return null;
    });
  }

  upload(path: string, name: string, signal: AbortSignal): Promise<string> {
    return this.#asked(signal, this.#fileTimeoutMs, async ({ client, options }) => {
      // The blob reads from the file while it is sent.
      const file = new File([await openAsBlob(path)], name, { type: 'application/jsonl' });
      return (await client.files.create({ file, purpose: 'batch' }, options)).id;
    });
  }

  find(uuid: string, sinceMs: number, signal: AbortSignal): Promise<readonly EndpointBatch[]> {
    return this.#shortly(signal, async ({ client, options }) => {
      const found: EndpointBatch[] = [];
      for await (const one of client.batches.list({ limit: pageSize }, options)) {
        const batch = batchOf(one, this.#where);
        if (batch.uuid === uuid) found.push(batch);
        if (batch.createdMs < sinceMs - clockSkewMs) break;
      }
      return found.toSorted((a, b) => a.createdMs - b.createdMs);
    });
  }

  create(file: string, ids: { readonly run: string; readonly uuid: string }, signal: AbortSignal) {
    return this.#shortly(signal, async ({ client, options }) => {
      // The client's type knows OpenAI's paths only.
      const order = {
        ...{ input_file_id: file, endpoint: this.#url, completion_window: '24h' },
        metadata: { [metadataKeys.run]: ids.run.slice(0, 512), [metadataKeys.uuid]: ids.uuid },
      } as BatchCreateParams;
      return batchOf(await client.batches.create(order, options), this.#where);
    });
  }

  get(id: string, signal: AbortSignal): Promise<EndpointBatch | null> {
    return this.#shortly(signal, async ({ client, options }) =>
      batchOf(await client.batches.retrieve(id, options), this.#where),
    ).catch(nullIfUnknown);
  }

  async cancel(id: string, signal: AbortSignal): Promise<void> {
    await this.#shortly(signal, ({ client, options }) => client.batches.cancel(id, options)).catch(ignoreIfOver);
  }

  async *results(file: string, signal: AbortSignal): AsyncGenerator<FileLine> {
    const response = await this.#asked(signal, this.#fileTimeoutMs, ({ client, options }) =>
      client.files.content(file, options),
    ).catch(nullIfUnknown);
    if (response === null) yield 'unreadable';
    if (!response?.body) return;
    try {
      for await (const line of createInterface({ input: Readable.fromWeb(response.body) }))
        if (line.trim() !== '')
          yield resultOf(withoutEchoedKeys(line, this.#options), (body) => billOf(this.#api, body));
    } catch (error) {
      signal.throwIfAborted();
      throw connectionFault(errorCode(error) ?? messageOf(error), this.#where, this.#baseUrl, error);
    }
  }

  /** As the Batch API wants it, wherever the base URL's version stands. */
  get #url(): string {
    return `/v1${this.#api.route}`;
  }

  get #fileTimeoutMs(): number {
    return Math.max(fileTimeoutMs, this.#options.timeoutMs);
  }

  #shortly<T>(signal: AbortSignal, ask: (at: Asking) => Promise<T>): Promise<T> {
    return this.#asked(signal, this.#options.timeoutMs, ask);
  }

  /** Runs one request, and turns its failure into a fault. */
  async #asked<T>(signal: AbortSignal, timeoutMs: number, ask: (at: Asking) => Promise<T>): Promise<T> {
    this.#loading ??= loadClient(this.#baseUrl, globalThis.fetch, this.#options);
    const { client, APIError } = await this.#loading;
    const timeout = AbortSignal.timeout(timeoutMs);
    // A key goes only to the host in the spec.
    const fetchOptions = { redirect: 'manual' } as const;
    try {
      const options = { signal: AbortSignal.any([signal, timeout]), timeout: timeoutMs, fetchOptions };
      return await ask({ client, options });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProviderFault) throw error;
      if (error instanceof SyntaxError) throw unusable(`${this.#where}: the answer is not JSON (${error.message})`);
      if (timeout.aborted)
        throw new ProviderFault('retry', `${this.#where}: no complete answer within ${timeoutMs} ms`);
      const isHttp = error instanceof APIError && error.status !== undefined;
      if (!isHttp) throw connectionFault(errorCode(error) ?? messageOf(error), this.#where, this.#baseUrl, error);
      const { status, headers, code, param } = error;
      const message = withoutSecrets(error.message, this.#options);
      const failure = { status, headers, message, code: code ?? null, param: param ?? null };
      throw httpFault(failure, 1, this.#where, Date.now());
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const unusable = (message: string, usage: TokenUsage | null = null): ProviderFault =>
  new ProviderFault('retry', message, { maybeBilled: true, usage });

function nullIfUnknown(error: unknown): null {
  if (error instanceof ProviderFault && error.httpStatus === 404) return null;
  throw error;
}

/** A batch that ended meanwhile can no longer be cancelled (400 or 409). */
function ignoreIfOver(error: unknown): void {
  if (error instanceof ProviderFault && [400, 404, 409].includes(error.httpStatus ?? 0)) return;
  throw error;
}
