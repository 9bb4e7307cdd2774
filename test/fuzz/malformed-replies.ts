/**
 * Answers of an endpoint, spoiled in their grammar, their bytes and their transport, given to the provider over HTTP.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createOpenAiProvider } from '../../activities/providers/openai.ts';
import { ProviderFault } from '../../activities/providers/provider.ts';
import { seedOf, uniform } from '../../domain/random.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import { coordinates, question, unhurried } from '../activities/providers/questions.ts';
import { type Grammar, spoiled, type Spoiled } from './json-mutations.ts';
import { fuzzSeed } from './malformed-files.ts';

const completion: Grammar = {
  records: [
    {
      id: 'chatcmpl-1',
      model: 'm-2024',
      system_fingerprint: 'fp',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: 'def f():\n    return 1\n' },
          logprobs: { content: [{ token: 'def', logprob: -0.5 }] },
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 7, completion_tokens_details: { reasoning_tokens: 2 } },
    },
  ],
  required: ['choices', 'choices.0.message'],
  typed: { choices: 'array', 'choices.0.message': 'object' },
  closed: [],
  unique: false,
  lenientText: true,
};

interface Answer extends Spoiled {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes after which the connection is cut; null lets it end in order. */
  readonly cutAfter: number | null;
}

/** Transports that lie, next to spoiled bodies behind a status of success and of failure. */
function drawnAnswer(random: () => number): Answer {
  const body = spoiled(completion, random);
  const plain = { ...body, status: random() < 0.8 ? 200 : 500 + Math.floor(random() * 4), headers: {}, cutAfter: null };
  const transport = random();
  if (transport < 0.05) return { ...plain, headers: { 'content-encoding': 'gzip' }, what: `${body.what}, called gzip` };
  if (transport < 0.1)
    return {
      ...plain,
      bytes: gzipSync(body.bytes).subarray(0, 30),
      headers: { 'content-encoding': 'gzip' },
      what: 'gzip cut off',
    };
  if (transport < 0.15) return { ...plain, cutAfter: Math.floor(body.bytes.length / 2), what: `${body.what}, cut off` };
  if (transport < 0.2) return { ...plain, headers: { 'retry-after': pickHeader(random) }, status: 429 };
  return plain;
}

const oddWaits = ['-1', 'soon', '1e99', 'NaN', '999999999', 'Thu, 01 Jan 2099 00:00:00 GMT', ''];
const pickHeader = (random: () => number): string => oddWaits[Math.floor(random() * oddWaits.length)] ?? '';

export interface OddEndpoint {
  readonly url: string;
  answerWith(answer: Answer): void;
  close(): Promise<void>;
}

export async function openOddEndpoint(): Promise<OddEndpoint> {
  let next: Answer | null = null;
  const server = createServer((request, response) => {
    request.resume().on('end', () => next !== null && give(next, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}/v1`,
    answerWith: (answer) => {
      next = answer;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function give({ status, headers, bytes, cutAfter }: Answer, response: ServerResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  if (cutAfter === null) return void response.end(bytes);
  response.write(bytes.subarray(0, cutAfter), () => response.destroy());
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** What was wrong with how the provider met `count` answers, one line each. */
export async function faultsOfProvider(endpoint: OddEndpoint, count: number): Promise<string[]> {
  const random = uniform(seedOf('malformed replies', fuzzSeed));
  const provider = createOpenAiProvider({ baseUrl: endpoint.url, apiKey: null, timeoutMs: 5_000 });
  const faults: string[] = [];
  try {
    for (let draw = 0; draw < count; draw += 1) {
      const answer = drawnAnswer(random);
      endpoint.answerWith(answer);
      const outcome = await provider.ask(question, coordinates, unhurried).catch((error: unknown) => error);
      const fault = faultOf(outcome, answer);
      if (fault !== null) faults.push(`${answer.what} (status ${answer.status}): ${fault}`);
    }
  } finally {
    await provider.close();
  }
  return faults;
}

function faultOf(outcome: unknown, { mustRefuse, status, cutAfter }: Answer): string | null {
  if (outcome instanceof ProviderFault)
    return outcome.retryAfterMs === null || Number.isFinite(outcome.retryAfterMs)
      ? null
      : `waits ${outcome.retryAfterMs} ms`;
  if (!Array.isArray(outcome)) return `ended with ${outcome instanceof Error ? outcome.stack : String(outcome)}`;
  if (mustRefuse || status !== 200 || cutAfter !== null) return `was accepted: ${JSON.stringify(outcome)}`;
  const wrong = (outcome as ChatReply[]).find((reply) => !isSane(reply));
  return wrong === undefined ? null : `gave ${JSON.stringify(wrong).slice(0, 300)}`;
}

const isSane = (reply: ChatReply): boolean =>
  typeof reply.text === 'string' &&
  [reply.inputTokens, reply.outputTokens, reply.reasoningTokens, reply.cachedTokens].every(isCount) &&
  (reply.logprobs === null || reply.logprobs.every((value) => Number.isFinite(value) && value <= 0));

const isCount = (count: number | null): boolean => count === null || (Number.isSafeInteger(count) && count >= 0);
