/** The headers that a proxy passes on. */
import type { IncomingHttpHeaders } from 'node:http';

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
