/**
 * An engine named by `DOCKER_HOST=tcp://…`: a proxy of the test's own before the engine's socket, which can be cut
 * and closed.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContainerEngine, findEngine } from '../../../activities/sandboxes/container/container-engine.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import { addProgram, goodAdd, limits, passesAdd } from '../programs.ts';
import { engineNote, testEngine, withoutEngine } from './engine.ts';

interface Proxy {
  readonly host: string;
  /** Ends every connection and lets none in, as an engine that restarts does. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

async function proxyTo(socketPath: string): Promise<Proxy> {
  const open = new Set<Socket>();
  let port = 0;
  let server: Server;
  const start = async (): Promise<void> => {
    server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect({ path: socketPath, allowHalfOpen: true });
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(one);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          open.delete(one);
          other.destroy();
        });
      }
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of open) socket.destroy();
    await closed;
  };
  await start();
  return { host: `tcp://127.0.0.1:${port}`, stop, start };
}

describe.skipIf(withoutEngine)(`a remote engine${engineNote}`, () => {
  let proxy: Proxy;
  let engine: ContainerEngine;
  beforeAll(async () => {
    proxy = await proxyTo(testEngine().found.replace('DOCKER_HOST unix://', ''));
    const found = await findEngine({ DOCKER_HOST: proxy.host });
    if (found.engine === null) throw new Error(found.why);
    engine = found.engine;
  }, 60_000);
  afterAll(() => proxy?.stop());

  it('is found by its address, runs programs over its streams, loses nothing when away for a while', async () => {
    expect([engine.isLocal, engine.found]).toEqual([false, `DOCKER_HOST ${proxy.host}`]);
    const sandbox = await openOn(engine, { processes: 2 });
    try {
      expect((await Promise.all(Array.from({ length: 20 }, () => sandbox.run(goodAdd, limits)))).every(passesAdd)).toBe(
        true,
      );
      const slow = addProgram('def add(a, b):\n    s = 0\n    for i in range(3_000_000): s += 1\n    return a + b');
      const runs = [slow, slow, ...Array.from({ length: 20 }, () => goodAdd)].map((program) =>
        sandbox.run(program, { ...limits, caseTimeoutMs: 60_000 }),
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
      await proxy.stop();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await proxy.start();
      expect((await Promise.all(runs)).map(passesAdd)).toEqual(runs.map(() => true));
    } finally {
      await sandbox.close();
    }
  }, 90_000);
});
