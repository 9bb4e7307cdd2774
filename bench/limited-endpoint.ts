/**
 * An OpenAI-compatible endpoint that accepts a number of requests, input tokens and output tokens a minute, and refuses
 * the others with a bare 429, or with headers that say what is left.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MinuteLimits {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface LimitedEndpointOptions {
  readonly perMinute: MinuteLimits;
  /** Mean, milliseconds; each answer takes 0.5 to 1.5 times this. */
  readonly latencyMs: number;
  /** Whether refused requests count against the limit too. */
  readonly countsRefused: boolean;
  /**
   * Whether answers and refusals say what is left of each limit, under Anthropic's names. Its limits are then buckets
   * that fill continuously, as Anthropic documents; otherwise no minute, wherever it starts, has more.
   */
  readonly sendsHeaders: boolean;
}

export interface LimitedEndpoint {
  readonly url: string;
  seen(): {
    /** What was accepted. */
    readonly taken: MinuteLimits;
    readonly refused: number;
    /** Requests that were accepted, by model. */
    readonly byModel: ReadonlyMap<string, number>;
    /** Most requests in any 60 s, including refused ones. */
    readonly worstMinute: number;
  };
  close(): Promise<void>;
}

const minuteMs = 60_000;
const kinds = ['requests', 'inputTokens', 'outputTokens'] as const;
/** A token of a prompt has this many characters. */
export const charactersPerToken = 4;
/** Each answer has 50 to 350 output tokens. */
const outputTokens = (): number => 50 + Math.floor(Math.random() * 301);

/** One limit. */
interface Meter {
  left(nowMs: number): number;
  take(count: number, nowMs: number): void;
}

function slidingWindow(limit: number): Meter {
  let [first, used] = [0, 0];
  const taken: { readonly atMs: number; readonly count: number }[] = [];
  return {
    left(nowMs) {
      for (let call = taken[first]; call !== undefined && call.atMs <= nowMs - minuteMs; call = taken[first]) {
        used -= call.count;
        first += 1;
      }
      return limit - used;
    },
    take(count, atMs) {
      taken.push({ atMs, count });
      used += count;
    },
  };
}

function bucket(limit: number): Meter {
  let [level, filledMs] = [limit, performance.now()];
  return {
    left(nowMs) {
      [level, filledMs] = [Math.min(limit, level + ((nowMs - filledMs) * limit) / minuteMs), nowMs];
      return level;
    },
    take(count) {
      level -= count;
    },
  };
}

export async function startLimitedEndpoint(options: LimitedEndpointOptions): Promise<LimitedEndpoint> {
  const { perMinute, countsRefused, sendsHeaders } = options;
  const all: number[] = [];
  const taken = { requests: 0, inputTokens: 0, outputTokens: 0 };
  const byModel = new Map<string, number>();
  let refused = 0;
  const limited = kinds.filter((kind) => Number.isFinite(perMinute[kind]));
  const meters = new Map(
    limited.map((kind) => [kind, sendsHeaders ? bucket(perMinute[kind]) : slidingWindow(perMinute[kind])]),
  );

  /** Whether the call is accepted; counts it, if it counts. */
  function isTaken(call: MinuteLimits, nowMs: number): boolean {
    const fits = limited.every((kind) => call[kind] <= (meters.get(kind)?.left(nowMs) ?? Infinity));
    if (fits) for (const kind of kinds) taken[kind] += call[kind];
    else refused += 1;
    if (fits) for (const kind of limited) meters.get(kind)?.take(call[kind], nowMs);
    else if (countsRefused) meters.get('requests')?.take(1, nowMs);
    return fits;
  }

  const headers = (): Record<string, string> =>
    Object.fromEntries(
      sendsHeaders
        ? limited.flatMap((kind) => leftHeaders(kind, perMinute[kind], meters.get(kind)?.left(performance.now()) ?? 0))
        : [],
    );

  const server = createServer((request, response) => {
    if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const atMs = performance.now();
      all.push(atMs);
      const asked = readRequest(chunks);
      // Before a run, the program looks whether an endpoint refuses an empty request.
      if (asked === null) return void response.writeHead(400).end('{}');
      const { model, inputTokens } = asked;
      const call = { requests: 1, inputTokens, outputTokens: outputTokens() };
      if (!isTaken(call, atMs)) return void response.writeHead(429, headers()).end(refusal);
      byModel.set(model, (byModel.get(model) ?? 0) + 1);
      setTimeout(
        () => response.writeHead(200, headers()).end(answerOf(call)),
        options.latencyMs * (0.5 + Math.random()),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen: () => ({ taken: { ...taken }, refused, byModel: new Map(byModel), worstMinute: worstMinute(all) }),
    close: () => closed(server),
  };
}

const refusal = JSON.stringify({ error: { message: 'Too many requests.' } });

const answerOf = ({ inputTokens, outputTokens: completion }: MinuteLimits): string =>
  JSON.stringify({
    model: 'm',
    choices: [{ finish_reason: 'stop', message: { content: 'x' } }],
    usage: { prompt_tokens: inputTokens, completion_tokens: completion },
  });

function readRequest(chunks: readonly Buffer[]): { readonly model: string; readonly inputTokens: number } | null {
  const { model = '', messages } = JSON.parse(Buffer.concat(chunks).toString()) as {
    model?: string;
    messages?: { content: string }[];
  };
  if (messages === undefined) return null;
  const tokens = messages.reduce((sum, { content }) => sum + Math.ceil(content.length / charactersPerToken), 0);
  return { model, inputTokens: tokens };
}

const headerNames = { requests: 'requests', inputTokens: 'input-tokens', outputTokens: 'output-tokens' } as const;

/** Anthropic's names; the reset is the time when the bucket is full. */
function leftHeaders(kind: (typeof kinds)[number], limit: number, left: number): [string, string][] {
  const name = `anthropic-ratelimit-${headerNames[kind]}`;
  const fullMs = ((limit - left) * minuteMs) / limit;
  return [
    [`${name}-limit`, String(limit)],
    [`${name}-remaining`, String(Math.max(0, Math.floor(left)))],
    [`${name}-reset`, new Date(Date.now() + fullMs).toISOString()],
  ];
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function worstMinute(times: readonly number[]): number {
  let [first, most] = [0, 0];
  for (const [last, atMs] of times.entries()) {
    while ((times[first] ?? atMs) <= atMs - minuteMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
