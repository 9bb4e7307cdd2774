/** A proxy before an S3 server, with faults of its own. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

type Fault =
  /** Answered here. */
  | { readonly status: 409 | 429 | 500 | 503 }
  /** The request arrives; its answer does not, or only the first half of its body, or one bit of it is another. */
  | 'lost'
  | 'cut'
  | 'changed';

/** Until the test ends, this process asks the S3 server through a proxy. @returns the faults of the next requests */
export async function withFaults(): Promise<Fault[]> {
  const endpoint = process.env['AWS_ENDPOINT_URL'] ?? '';
  const faults: Fault[] = [];
  const proxy = createServer((incoming, outgoing) => void pass(endpoint, faults.shift(), incoming, outgoing));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  process.env['AWS_ENDPOINT_URL'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  onTestFinished(() => {
    process.env['AWS_ENDPOINT_URL'] = endpoint;
    proxy.closeAllConnections();
    proxy.close();
  });
  return faults;
}

async function pass(
  endpoint: string,
  fault: Fault | undefined,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const sent = await buffer(incoming);
  if (typeof fault === 'object') return void outgoing.writeHead(fault.status).end();
  const { method, headers, url } = incoming;
  // The signature is for the headers as they are, the host among them.
  const further = request(`${endpoint}${url ?? ''}`, { method, headers });
  further.end(sent);
  const [answer] = (await once(further, 'response')) as [IncomingMessage];
  const body = await buffer(answer);
  if (fault === 'lost') return void outgoing.destroy();
  outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
  if (fault === 'changed') body[0] = (body[0] ?? 0) ^ 1;
  if (fault !== 'cut') return void outgoing.end(body);
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
}
