/**
 * Which requests a server of this machine's user answers. Any website may send requests to 127.0.0.1, and may point its
 * own name there (DNS rebinding): such requests carry that site's name as their host or origin.
 */
import type { MiddlewareHandler } from 'hono';

const ownNames = ['localhost', '127.0.0.1', '[::1]'];
const readingMethods = ['GET', 'HEAD'];

/** Headers of every answer, beside the policy of what a page may load. */
const answerHeaders = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** @param port that the server listens on @param policy the Content-Security-Policy of every answer */
export function guard(port: () => number, policy: string): MiddlewareHandler {
  return async (c, next) => {
    const hosts = ownNames.map((name) => `${name}:${port()}`);
    const refused = refusal(c.req.raw, hosts);
    if (refused === null) await next();
    else c.res = new Response(`${refused.text}\n`, { status: refused.status, headers: refused.headers });
    c.res.headers.set('content-security-policy', policy);
    for (const [name, value] of Object.entries(answerHeaders)) c.res.headers.set(name, value);
  };
}

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

function refusal({ method, headers }: Request, hosts: readonly string[]): Refusal | null {
  const text = { 'content-type': 'text/plain; charset=utf-8' };
  const host = headers.get('host') ?? '';
  if (!hosts.includes(host.toLowerCase()))
    return { status: 403, text: `this server answers to ${hosts.join(', ')} only`, headers: text };
  const origin = headers.get('origin');
  if (origin !== null && !hosts.some((own) => origin === `http://${own}`))
    return { status: 403, text: 'this server answers no other sites', headers: text };
  if (!readingMethods.includes(method))
    return {
      status: 405,
      text: 'this server only shows: GET and HEAD',
      headers: { ...text, allow: readingMethods.join(', ') },
    };
  return null;
}
