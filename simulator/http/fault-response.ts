/** Responses with transport faults. */
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { alreadySent } from './already-sent.ts';
import { errorBody } from './chat-completion.ts';
import type { TransportFault } from '../faults.ts';
import type { SimulatedProfile } from '../profile.ts';

interface DamagedAnswer {
  /** As sent, in full. */
  readonly text: () => Promise<string>;
  readonly body: () => Promise<object>;
  /** Its content type. */
  readonly type: string;
}

/** A hang ends early if the client disconnects. */
export async function faultResponse(
  fault: TransportFault,
  profile: SimulatedProfile,
  answer: DamagedAnswer,
  context: Context<{ Bindings: HttpBindings }>,
): Promise<Response> {
  switch (fault) {
    case 'rateLimited':
      return Response.json(errorBody('Rate limit reached.', { type: 'requests', code: 'rate_limit_exceeded' }), {
        status: 429,
        headers: {
          'retry-after': String(Math.ceil(profile.retryAfterMs / 1000)),
          'retry-after-ms': String(profile.retryAfterMs),
        },
      });
    case 'serverError':
      return serverError('The server had an error while processing your request.');
    case 'requestTimeout':
      return Response.json(errorBody('The request took too long to arrive.', { type: 'invalid_request_error' }), {
        status: 408,
      });
    case 'conflict':
      return Response.json(errorBody('Another request changed the same resource.', { type: 'invalid_request_error' }), {
        status: 409,
      });
    case 'broken':
      return cutOff(await answer.text(), answer.type, context.env.outgoing);
    case 'malformed':
      return new Response(firstHalf(await answer.text()), { headers: { 'content-type': answer.type } });
    case 'noChoices':
      return Response.json({ ...(await answer.body()), choices: [], output: null });
    case 'drip':
      return drip(await answer.text(), answer.type, profile.hangMs, context.env.outgoing);
    case 'hang':
      await delay(profile.hangMs, undefined, { signal: context.req.raw.signal, ref: false }).catch(() => undefined);
      return serverError('The server gave up.');
  }
}

const serverError = (message: string): Response =>
  Response.json(errorBody(message, { type: 'server_error' }), { status: 500 });

export const firstHalf = (text: string): string => text.slice(0, Math.floor(text.length / 2));

/** Declares the full length, sends the first half and closes the connection. */
export function cutOff(text: string, type: string, outgoing: HttpBindings['outgoing']): Response {
  outgoing.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  outgoing.write(firstHalf(text), () => outgoing.destroy());
  return alreadySent();
}

const dropEveryMs = 20;

/** Sends single bytes often enough that the client sees no pause, but never the last one. */
function drip(text: string, type: string, durationMs: number, outgoing: HttpBindings['outgoing']): Response {
  const bytes = Buffer.from(text);
  outgoing.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
  let sent = 0;
  const drops = setInterval(() => {
    if (sent === bytes.length - 1) return;
    outgoing.write(bytes.subarray(sent, sent + 1));
    sent += 1;
  }, dropEveryMs).unref();
  const end = setTimeout(() => outgoing.destroy(), durationMs).unref();
  outgoing.once('close', () => {
    clearInterval(drops);
    clearTimeout(end);
  });
  return alreadySent();
}
