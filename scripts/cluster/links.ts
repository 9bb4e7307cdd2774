/** Between the hosts of the test bed and a server of this machine: delays, and connections that break. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from './hosts.ts';
import { testBedAddress } from './hosts.ts';

export interface Link {
  /** For the hosts: an address and a port. */
  readonly address: string;
  /** From now on what `host` sends, and what it gets, arrives this much later. */
  delay(host: Host, ms: number): void;
  /** Breaks the connections of `host`: what the server has answered may be lost. */
  breakOff(host: Host): void;
  close(): void;
}

/** @param port of the server on 127.0.0.1 */
export async function linkTo(port: number): Promise<Link> {
  const delays = new Map<string, number>();
  const open = new Map<string, Set<Socket>>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const from = client.remoteAddress ?? '';
    const sockets = open.get(from) ?? new Set();
    open.set(from, sockets.add(client));
    client.once('close', () => sockets.delete(client));
    void join(client, connect({ port, host: '127.0.0.1', allowHalfOpen: true }), () => delays.get(from) ?? 0);
  });
  server.listen(0, testBedAddress);
  await once(server, 'listening');
  const breakOff = (from: string): void => {
    for (const socket of open.get(from) ?? []) socket.destroy();
  };
  return {
    address: `${testBedAddress}:${(server.address() as AddressInfo).port}`,
    delay: ({ address }, ms) => void delays.set(address, ms),
    breakOff: ({ address }) => breakOff(address),
    close() {
      for (const from of open.keys()) breakOff(from);
      server.close();
    },
  };
}

async function join(client: Socket, server: Socket, delayMs: () => number): Promise<void> {
  // Half open: what one side has sent before its end still arrives. Small messages must not wait for one another.
  for (const socket of [client, server]) socket.setNoDelay(true);
  await Promise.allSettled([pipeline(client, delayed(delayMs), server), pipeline(server, delayed(delayMs), client)]);
  client.destroy();
  server.destroy();
}

/** A line of that length: what follows need not wait for what is under way. */
function delayed(delayMs: () => number): Transform {
  let last: Promise<unknown> = Promise.resolve();
  return new Transform({
    transform(bytes, _, pass) {
      const [before, due] = [last, sleep(delayMs())];
      last = Promise.all([before, due]).then(() => this.push(bytes));
      pass();
    },
    flush: (ended) => void last.then(() => ended()),
  });
}
