/** An engine that has no image and cannot get what it is made of, as one without a network. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Docker from 'dockerode';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildImage } from '../../../activities/sandboxes/container/container-image.ts';
import { MissingPartError } from '../../../domain/errors.ts';

let engine: Server;
beforeAll(async () => {
  engine = createServer(({ method }, response) => {
    response.statusCode = method === 'POST' ? 500 : 404;
    response.end(JSON.stringify({ message: method === 'POST' ? 'dial tcp: no such host' : 'no such image' }));
  });
  await new Promise<void>((resolve) => void engine.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void engine.close());

// Red before: "unexpected failure (a bug, or a broken machine)", with a stack trace and exit status 1.
test('is a missing part, with the engine’s words and what the image needs', async () => {
  const { port } = engine.address() as AddressInfo;
  const failure = await buildImage(new Docker({ host: '127.0.0.1', port }), () => undefined).catch((error) => error);
  expect(failure).toBeInstanceOf(MissingPartError);
  expect(failure.message).toMatch(
    /^the engine cannot make the image of the container sandbox: .*no such host\nIt needs debian:bookworm-\d+-slim, or/,
  );
});
