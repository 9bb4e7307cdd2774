/** The headers that a proxy passes on, and the keys in them. */
import type { IncomingHttpHeaders } from 'node:http';
import { withoutScheme } from '../providers/openai-client.ts';

/** Headers that belong to one connection, or that the other side sets itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'upgrade', 'expect'],
  ...['transfer-encoding', 'content-length', 'host', 'accept-encoding'],
]);

export const headersToSend = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name)));

export function headersToReturn(headers: IncomingHttpHeaders): Headers {
  const returned = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (!ownHeaders.has(name)) for (const one of [value ?? []].flat()) returned.append(name, one);
  return returned;
}

/** Whether a header of this name carries a key. */
const isOfKey = (header: string): boolean => /auth|key|token|secret|password|cookie|session|credential/i.test(header);

/** The keys that a request carries: `Bearer KEY` has its key after the scheme. */
export const keysIn = (headers: IncomingHttpHeaders): string[] =>
  Object.entries(headers)
    .filter(([name]) => isOfKey(name))
    .flatMap(([, value]) => [value ?? []].flat())
    .flatMap((value) => [withoutScheme(value), value]);
