/** A `fetch` for replies that are read whole: half of the processor time of the built-in one, which makes a stream of every body. */
import { promisify } from 'node:util';
import { brotliDecompress, type BrotliOptions, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent, errors, request } from 'undici';

type Init = RequestInit & Partial<Pick<WholeReplyInit, 'endedBy'>>;
type Fetch = (input: string | URL | Request, init?: Init) => Promise<Response>;

/**
 * The client hands on what it does not know. A signal that is given to the client itself is composed anew for each call, which takes a
 * fifth of a call's processor time.
 */
export interface WholeReplyInit {
  readonly redirect: 'manual';
  readonly endedBy: AbortSignal;
}

export interface WholeReplyFetch {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** An answer that has more bytes than are taken. */
export class ReplyTooLong extends Error {
  override readonly name = 'ReplyTooLong';

  constructor(most: number) {
    super(`the answer has more than ${most} bytes; the most that is taken is the provider's maxReplyBytes`);
  }
}

/** An answer that is packed in a way that nobody asked for and that is not understood. */
export class UnreadableReply extends Error {
  override readonly name = 'UnreadableReply';
}

/**
 * Redirects are not followed: a key goes to the host in the spec and to no other. How long a reply may take is for the caller's signal
 * alone. Proxies count as they do for the built-in one: where `NODE_USE_ENV_PROXY=1` says so.
 * @param maxReplyBytes an endpoint that never stops sending must not fill the memory
 */
export function createWholeReplyFetch(maxReplyBytes: number): WholeReplyFetch {
  const options = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: maxReplyBytes };
  const dispatcher = process.env['NODE_USE_ENV_PROXY'] === '1' ? new EnvHttpProxyAgent(options) : new Agent(options);

  async function fetch(input: string | URL | Request, init: Init = {}): Promise<Response> {
    const { statusCode, headers, body } = await request(input instanceof Request ? input.url : input, {
      dispatcher,
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: headersToSend(init.headers instanceof Headers ? init.headers : new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : null,
      signal: init.endedBy ?? init.signal ?? null,
    });
    return wholeReply(statusCode, headers, await textOf(body, headers, maxReplyBytes));
  }

  return { fetch, close: () => dispatcher.close() };
}

async function textOf(body: Dispatcher.ResponseData['body'], headers: HeaderValues, most: number): Promise<string> {
  const encoding = String(headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  try {
    if (Number(headers['content-length']) > most) throw new ReplyTooLong(most);
    if (encoding !== 'identity' && encoding !== '') return await unpackedText(Buffer.from(await body.arrayBuffer()), encoding, most);
    const text = await body.text();
    if (text.startsWith(gzipAsText))
      throw new UnreadableReply('the answer is packed as gzip, which was not asked for, and its headers do not say so');
    return text;
  } catch (error) {
    // Nobody reads the rest.
    body.on('error', () => {}).destroy();
    if (error instanceof errors.ResponseExceededMaxSizeError) throw new ReplyTooLong(most);
    throw error;
  }
}

/** How a gzip file begins, read as text. */
const gzipAsText = '\u001f\ufffd';
const unpack = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflate),
  br: promisify<Buffer, BrotliOptions, Buffer>(brotliDecompress),
};

/** An answer is asked for as it is; some proxies pack it all the same. */
async function unpackedText(packed: Buffer, encoding: string, most: number): Promise<string> {
  if (!(encoding in unpack))
    throw new UnreadableReply(
      `the answer is packed as "${encoding.slice(0, 40)}", which was not asked for and is not understood; gzip, deflate and br are`,
    );
  try {
    const bytes = await unpack[encoding as keyof typeof unpack](packed, { maxOutputLength: most });
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof RangeError) throw new ReplyTooLong(most);
    throw new UnreadableReply(`the answer says that it is packed as ${encoding}, and it is not`, { cause: error });
  }
}

/** Without what the `openai` client tells of itself and this machine (`x-stainless-os` and its like): half of the headers, of no use to an answer. */
function headersToSend(headers: Headers): Record<string, string> {
  const sent: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (!name.startsWith('x-stainless-')) sent[name] = value;
  });
  return sent;
}

type HeaderValues = Readonly<Record<string, string | string[] | undefined>>;

/** What the `openai` client reads of a reply. A real `Response` makes a stream of the text again: a tenth of all that a call takes. */
function wholeReply(status: number, values: HeaderValues, text: string): Response {
  const ok = status >= 200 && status < 300;
  const reply = { status, ok, headers: ok ? plainHeaders(values) : realHeaders(values), url: '', body: null, text: async () => text };
  return reply as Pick<Response, keyof typeof reply> as Response;
}

/** Of an answer the client asks for single headers at most: their names are in lower case here. */
const plainHeaders = (values: HeaderValues): Headers => new Map(Object.entries(values)) as unknown as Headers;

const realHeaders = (values: HeaderValues): Headers =>
  new Headers(Object.entries(values).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one])));
