/**
 * A proxy before an endpoint that records its replies. Requests go to the endpoint with all their headers, and answers
 * back as they are; a reply is in the recording before its last part is passed on. Headers are never stored, and a key
 * that the endpoint echoes is `[secret]` in the recording.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Dispatcher } from 'undici';
import { unansweredText } from '../providers/probe.ts';
import { openDispatcher, unpackedText } from '../providers/whole-reply-fetch.ts';
import { serveLocally } from '../../simulator/local-server.ts';
import { headersToReturn, headersToSend, keysIn } from './passed-headers.ts';
import { apiOfPath, type Exchange, recordableOf } from './recordable.ts';
import type { RecordingFile } from './recording-file.ts';
import { streamed } from './streamed.ts';

export interface RecorderOptions {
  /** The endpoint's base URL. */
  readonly to: string;
  /** On 127.0.0.1; 0 picks a free one. */
  readonly port: number;
  readonly file: RecordingFile;
  /** Called with why an answer was not recorded, and with why there was no answer. */
  onPassed(reason: string): void;
}

export interface Recorder {
  /** The base URL to use instead of the endpoint's. */
  readonly url: string;
  readonly port: number;
  readonly inFlight: () => number;
  /** Closes open connections. */
  close(this: void): Promise<void>;
}

/** Longest silence of an endpoint: longer than clients wait. */
const silenceMs = 3_600_000;
/** Bytes of an answer that are unpacked at most. */
const longestReplyBytes = 64 * 1024 * 1024;

type Bound = { Bindings: HttpBindings };

/** Rejects if the port is in use. */
export async function startRecorder({ to, port: wanted, file, onPassed }: RecorderOptions): Promise<Recorder> {
  const passing = new Passing(to, file, onPassed);
  const app = new Hono<Bound>();
  app.all('*', (c) => passing.pass(c));
  app.onError(({ message }, c) => {
    onPassed(message);
    return c.json({ error: { message, type: 'recorder_error', param: null, code: null } }, 502);
  });
  const { port, close } = await serveLocally(app.fetch, wanted);
  return {
    url: `http://127.0.0.1:${port}${new URL(to).pathname.replace(/\/+$/, '')}`,
    port,
    inFlight: () => passing.inFlight,
    close: async () => {
      await close();
      await passing.close();
    },
  };
}

class Passing {
  inFlight = 0;
  readonly #to: string;
  readonly #file: RecordingFile;
  readonly #onPassed: RecorderOptions['onPassed'];
  readonly #dispatcher = openDispatcher({ headersTimeout: silenceMs, bodyTimeout: silenceMs });

  constructor(to: string, file: RecordingFile, onPassed: RecorderOptions['onPassed']) {
    [this.#to, this.#file, this.#onPassed] = [to, file, onPassed];
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }

  async pass(c: Context<Bound>): Promise<Response> {
    this.inFlight += 1;
    try {
      return await this.#exchange(c);
    } finally {
      this.inFlight -= 1;
    }
  }

  async #exchange(c: Context<Bound>): Promise<Response> {
    const { method, path } = c.req;
    const sent = method === 'GET' || method === 'HEAD' ? null : Buffer.from(await c.req.arrayBuffer());
    const answer = await this.#ask(c, sent);
    const status = answer.statusCode;
    const headers = headersToReturn(answer.headers);
    const api = method === 'POST' ? apiOfPath(path) : null;
    const keys = keysIn(c.env.incoming.headers);
    const record = async (received: string): Promise<void> =>
      api === null ? undefined : this.#record({ api, sent: sent?.toString('utf8') ?? '', status, received, keys });
    if (isEventStream(answer.headers))
      return new Response(streamed(this.#counted(answer.body), record), { status, headers });
    const bytes = await bytesOf(answer.body, this.#to);
    await record(await textOf(bytes, answer.headers));
    return new Response(bodiless.has(status) ? null : bytes, { status, headers });
  }

  async #ask(c: Context<Bound>, sent: Buffer | null): Promise<Dispatcher.ResponseData> {
    const { pathname, search } = new URL(c.req.url);
    const headers = { ...headersToSend(c.env.incoming.headers), 'accept-encoding': 'identity' };
    const target = { origin: new URL(this.#to).origin, path: `${pathname}${search}`, method: c.req.method };
    try {
      return await this.#dispatcher.request({ ...target, body: sent, headers });
    } catch (error) {
      throw new Error(unansweredText(this.#to, error), { cause: error });
    }
  }

  async #record(exchange: Exchange): Promise<void> {
    const recordable = recordableOf(exchange);
    if (typeof recordable === 'string') this.#onPassed(recordable);
    else await this.#file.append(recordable);
  }

  /** A stream is in flight until its end. */
  async *#counted(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    this.inFlight += 1;
    try {
      yield* body;
    } finally {
      this.inFlight -= 1;
    }
  }
}

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

async function bytesOf(body: Dispatcher.ResponseData['body'], to: string): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    throw new Error(`${to} broke the connection off before its answer was complete`, { cause: error });
  }
}

const isEventStream = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true;

/** Some endpoints compress answers although `identity` was asked for. */
async function textOf(bytes: Buffer, headers: IncomingHttpHeaders): Promise<string> {
  const encoding = String(headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  if (encoding === 'identity' || encoding === '') return bytes.toString('utf8');
  return unpackedText(bytes, encoding, longestReplyBytes).catch(() => '');
}
