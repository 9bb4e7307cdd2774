/**
 * A `fetch` for replies that are read whole. It takes half the processor time of the built-in one,
 * which makes a stream of every body.
 */
import { promisify } from 'node:util';
import { brotliDecompress, type BrotliOptions, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent, errors, request } from 'undici';
import { openAiError } from './error-body.ts';
import { proxyRefusal } from './failures/used-proxy.ts';

type Init = RequestInit & Partial<Pick<WholeReplyInit, 'endedBy'>>;
type Fetch = (input: string | URL | Request, init?: Init) => Promise<Response>;

/**
 * Options that the client passes through to `fetch`. A signal given to the client itself is combined again for every
 * call, which takes a fifth of a call's processor time.
 */
export interface WholeReplyInit {
  readonly redirect: 'manual';
  readonly endedBy: AbortSignal;
}

export interface WholeReplyFetch {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** An answer with more bytes than allowed. */
export class ReplyTooLong extends Error {
  override readonly name = 'ReplyTooLong';

  constructor(most: number) {
    super(`the answer has more than ${most} bytes, the provider's maxReplyBytes`);
  }
}

/** An answer in a compression that was not requested and is not supported. */
export class UnreadableReply extends Error {
  override readonly name = 'UnreadableReply';
}

/** Connections to endpoints; through proxies like the built-in `fetch`, if `NODE_USE_ENV_PROXY=1`. */
export const openDispatcher = (options: Agent.Options): Agent | EnvHttpProxyAgent =>
  process.env['NODE_USE_ENV_PROXY'] === '1' ? new EnvHttpProxyAgent(options) : new Agent(options);

/**
 * Does not follow redirects: a key goes only to the host in the spec. Only the caller's signal limits the time.
 * @param maxReplyBytes limit for endpoints that never stop sending, to protect the memory
 */
export function createWholeReplyFetch(maxReplyBytes: number): WholeReplyFetch {
  const dispatcher = openDispatcher({ headersTimeout: 0, bodyTimeout: 0, maxResponseSize: maxReplyBytes });

  const isProxied = dispatcher instanceof EnvHttpProxyAgent;
  let isStuck = false;

  async function fetch(input: string | URL | Request, init: Init = {}): Promise<Response> {
    const signal = init.endedBy ?? init.signal ?? null;
    const asked = request(input instanceof Request ? input.url : input, {
      dispatcher,
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: headersToSend(init.headers instanceof Headers ? init.headers : new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : null,
      signal,
    });
    const sent = isProxied && signal !== null ? unlessEnded(asked, signal, () => (isStuck = true)) : asked;
    const { statusCode, headers, body } = await sent.catch(asRefused);
    return wholeReply(statusCode, headers, await textOf(body, headers, maxReplyBytes));
  }

  return { fetch, close: () => (isStuck ? dispatcher.destroy() : dispatcher.close()) };
}

async function textOf(body: Dispatcher.ResponseData['body'], headers: HeaderValues, most: number): Promise<string> {
  const encoding = String(headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  try {
    if (Number(headers['content-length']) > most) throw new ReplyTooLong(most);
    if (encoding !== 'identity' && encoding !== '')
      return await unpackedText(Buffer.from(await body.arrayBuffer()), encoding, most);
    const text = await body.text();
    if (text.startsWith(gzipAsText))
      throw new UnreadableReply(
        'the answer is gzip-compressed, which was not requested, and its headers do not say so',
      );
    return text;
  } catch (error) {
    // The rest is not read.
    body.on('error', () => {}).destroy();
    if (error instanceof errors.ResponseExceededMaxSizeError) throw new ReplyTooLong(most);
    throw error;
  }
}

/** The first bytes of a gzip file, decoded as text. */
const gzipAsText = '\u001f\ufffd';
const unpack = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: (packed: Buffer, options: ZlibOptions) =>
    promisify<Buffer, ZlibOptions, Buffer>(hasZlibHeader(packed) ? inflate : inflateRaw)(packed, options),
  br: promisify<Buffer, BrotliOptions, Buffer>(brotliDecompress),
};

/** RFC 9110 wants this header before deflated data; many servers leave it out. RFC 1950 defines it. */
const hasZlibHeader = (packed: Buffer): boolean =>
  packed.length >= 2 && (packed.readUInt8(0) & 0x0f) === 8 && packed.readUInt16BE(0) % 31 === 0;

function beginsAs(encoding: string, packed: Buffer): boolean {
  if (encoding === 'deflate') return hasZlibHeader(packed);
  return encoding.endsWith('gzip') && packed.length >= 2 && packed.readUInt16BE(0) === gzipMark;
}

const gzipMark = 0x1f8b;

/** Its code is shown like that of a lost connection. */
const damaged = (encoding: string, cause: unknown): Error =>
  Object.assign(new Error('the packed answer is damaged', { cause }), { code: `damaged ${encoding} data` });

/** Uncompressed answers are requested; some proxies compress them anyway. */
export async function unpackedText(packed: Buffer, encoding: string, most: number): Promise<string> {
  if (!Object.hasOwn(unpack, encoding))
    throw new UnreadableReply(
      `the answer is compressed as "${encoding.slice(0, 40)}", which was not requested and is not supported; gzip, ` +
        'deflate and br are',
    );
  try {
    const bytes = await unpack[encoding as keyof typeof unpack](packed, { maxOutputLength: most });
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof RangeError) throw new ReplyTooLong(most);
    // Data that ends early is a lost connection, which the next try may not have.
    if ((error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') throw error;
    // So is data that begins as it should and is damaged later.
    if (beginsAs(encoding, packed)) throw damaged(encoding, error);
    throw new UnreadableReply(`the answer's headers say that it is compressed as ${encoding}, but it is not`, {
      cause: error,
    });
  }
}

/** A signal alone does not end the wait for a proxy that accepts the connection and is silent, or hangs up. */
function unlessEnded<T>(asked: Promise<T>, signal: AbortSignal, onEnd: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      onEnd();
      reject(signal.reason);
    };
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** A proxy that refuses fails like a call that its caller ends, which the client would take for a timeout. */
function asRefused(error: unknown): never {
  const code = proxyRefusal(error);
  throw code === null ? error : Object.assign(new Error(code, { cause: error }), { code });
}

/**
 * Drops the headers with which the `openai` client describes itself and this machine (`x-stainless-os` and similar):
 * half of all headers, and irrelevant for an answer.
 */
function headersToSend(headers: Headers): Record<string, string> {
  const sent: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (!name.startsWith('x-stainless-')) sent[name] = value;
  });
  return sent;
}

type HeaderValues = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The parts of a response that the `openai` client reads. A real `Response` would turn the text into a stream again, a
 * tenth of a call's processor time.
 */
function wholeReply(status: number, values: HeaderValues, text: string): Response {
  const ok = status >= 200 && status < 300;
  const reply = {
    status,
    ok,
    headers: ok ? plainHeaders(values) : realHeaders(values),
    url: '',
    body: null,
    text: async () => (ok ? text : openAiError(text)),
  };
  return reply as Pick<Response, keyof typeof reply> as Response;
}

/** For successful answers the client only reads single headers, by their lower-case names. */
const plainHeaders = (values: HeaderValues): Headers => new Map(Object.entries(values)) as unknown as Headers;

const realHeaders = (values: HeaderValues): Headers =>
  new Headers(
    Object.entries(values).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one])),
  );
