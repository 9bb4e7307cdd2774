import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/**
 * Tells Hono that the response was sent. Hono replaces `Response` once a server listens, and would send one that was
 * made later from its cache, a second time: reading the body makes it a plain one, whose mark Hono looks for.
 */
export function alreadySent(): Response {
  void RESPONSE_ALREADY_SENT.body;
  return RESPONSE_ALREADY_SENT;
}
