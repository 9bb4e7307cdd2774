/** Responses with transport faults. */
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { errorBody } from './chat-completion.ts';
import type { TransportFault } from './faults.ts';
import type { SimulatedProfile } from './profile.ts';

/** @param answerText the full body that the fault damages. A hang ends early if the client disconnects. */
export async function faultResponse(
  fault: TransportFault,
  profile: SimulatedProfile,
  answerText: () => Promise<string>,
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
      return cutOff(await answerText(), context.env.outgoing);
    case 'malformed':
      return new Response(firstHalf(await answerText()), { headers: { 'content-type': 'application/json' } });
    case 'noChoices':
      return Response.json({ ...JSON.parse(await answerText()), choices: [] });
    case 'drip':
      return drip(await answerText(), profile.hangMs, context.env.outgoing);
    case 'hang':
      await delay(profile.hangMs, undefined, { signal: context.req.raw.signal, ref: false }).catch(() => undefined);
      return serverError('The server gave up.');
  }
}

const serverError = (message: string): Response =>
  Response.json(errorBody(message, { type: 'server_error' }), { status: 500 });

const firstHalf = (text: string): string => text.slice(0, Math.floor(text.length / 2));

/** Declares the full length, sends the first half and closes the connection. */
function cutOff(text: string, outgoing: HttpBindings['outgoing']): Response {
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  outgoing.write(firstHalf(text), () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}

const dropEveryMs = 20;

/** Sends single bytes often enough that the client sees no pause, but never the last one. */
function drip(text: string, durationMs: number, outgoing: HttpBindings['outgoing']): Response {
  const bytes = Buffer.from(text);
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
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
  return RESPONSE_ALREADY_SENT;
}
