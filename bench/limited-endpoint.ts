/** An OpenAI-compatible endpoint that accepts a number of requests in any minute and refuses others with a bare 429. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LimitedEndpointOptions {
  readonly perMinute: number;
  /** Mean, milliseconds; each answer takes 0.5 to 1.5 times this. */
  readonly latencyMs: number;
  /** Whether refused requests count against the limit too. */
  readonly countsRefused: boolean;
}

export interface LimitedEndpoint {
  readonly url: string;
  seen(): { readonly taken: number; readonly refused: number; readonly worstMinute: number };
  close(): Promise<void>;
}

const minuteMs = 60_000;
const answer = JSON.stringify({
  model: 'm',
  choices: [{ finish_reason: 'stop', message: { content: 'x' } }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
});

export async function startLimitedEndpoint({
  perMinute,
  latencyMs,
  countsRefused,
}: LimitedEndpointOptions): Promise<LimitedEndpoint> {
  const all: number[] = [];
  let counted: number[] = [];
  let [taken, refused] = [0, 0];
  const server = createServer((request, response) => {
    const nowMs = performance.now();
    all.push(nowMs);
    counted = counted.filter((atMs) => atMs > nowMs - minuteMs);
    const isTaken = counted.length < perMinute;
    if (isTaken || countsRefused) counted.push(nowMs);
    if (isTaken) taken += 1;
    else refused += 1;
    request.resume().on('end', () => {
      if (!isTaken) response.writeHead(429).end(JSON.stringify({ error: { message: 'Too many requests.' } }));
      else setTimeout(() => response.writeHead(200).end(answer), latencyMs * (0.5 + Math.random()));
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen: () => ({ taken, refused, worstMinute: worstMinute(all) }),
    close: () => closed(server),
  };
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
