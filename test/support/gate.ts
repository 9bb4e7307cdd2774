/**
 * A gate in front of an endpoint: requests beyond a number wait in it, so that a test can act in the middle of a run
 * however slow the machine is.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface Gate {
  /** Base URL of the endpoint behind the gate. */
  readonly url: string;
  /** Lets `count` more requests through and holds later ones. */
  letThrough(count: number): void;
  /** Whether a request is held. */
  isHolding(): boolean;
  /** Lets all held and later requests through. */
  open(): void;
  close(): Promise<void>;
}

export async function openGate(target: string): Promise<Gate> {
  let left = Number.POSITIVE_INFINITY;
  const kept: (() => void)[] = [];
  const pass = (pending: () => void): void => {
    if (left > 0) {
      left -= 1;
      pending();
    } else kept.push(pending);
  };
  const server = createServer((from, to) => pass(() => forward(target, from, to)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const open = (): void => {
    left = Number.POSITIVE_INFINITY;
    for (const pending of kept.splice(0)) pending();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(target).pathname}`,
    letThrough: (count) => {
      left = count;
    },
    isHolding: () => kept.length > 0,
    open,
    close: async () => {
      open();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function forward(target: string, from: IncomingMessage, to: ServerResponse): void {
  const { hostname, port } = new URL(target);
  const onward = request({ hostname, port, path: from.url, method: from.method, headers: from.headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(to);
  });
  onward.once('error', () => to.destroy());
  from.pipe(onward);
}
