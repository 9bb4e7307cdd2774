/** Ports for servers that have to come back on the same one. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Below what systems hand out to outgoing connections (32768 on Linux, 49152 elsewhere): a client that tries to reconnect to a port
 * of that range can be given the very port as its own end, and then holds it against the server.
 */
const RANGE = { start: 18_000, end: 32_000 } as const;

export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(RANGE.start, RANGE.end);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port on 127.0.0.1 among 200 tried between ${RANGE.start} and ${RANGE.end}`);
}

/** Whether the port is free within the time: what listened there may have died a moment ago, and some kernels close its sockets late. */
export async function becomesFree(port: number, limitMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + limitMs;
  while (!(await isPortFree(port))) {
    if (performance.now() > deadlineMs) return false;
    await sleep(50);
  }
  return true;
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
