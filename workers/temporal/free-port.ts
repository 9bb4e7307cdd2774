/** Finds ports for servers that must restart on the same port. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Below the range for outgoing connections (from 32768 on Linux, 49152 elsewhere): a client that reconnects to a port
 * in that range can be given the same port as its own end, and then blocks the server.
 */
const RANGE = { start: 18_000, end: 32_000 } as const;

export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(RANGE.start, RANGE.end);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port on 127.0.0.1 among 200 tried between ${RANGE.start} and ${RANGE.end}`);
}

/**
 * Waits up to `limitMs` for the port to become free: some kernels close the sockets of a process late after it died.
 */
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
