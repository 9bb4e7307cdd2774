import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const script = `
const { serve } = await import('@hono/node-server');
const listening = (fetch) => new Promise((ready) => {
  const server = serve({ fetch, port: 0 }, ({ port }) => ready({ server, port }));
});
const first = await listening(() => new Response('replaces Response'));
const { alreadySent } = await import('./simulator/http/already-sent.ts');
const { server, port } = await listening((_request, { outgoing }) => {
  outgoing.writeHead(200).end('once');
  return alreadySent();
});
console.log(await (await fetch('http://127.0.0.1:' + port)).text());
for (const one of [server, first.server]) one.close();
`;

// Red before: "Cannot write headers after they are sent to the client", in whatever order files were imported.
test('what was sent is not sent again, also if another server listened before', () => {
  const args = ['--experimental-strip-types', '--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect([stdout, stderr.replaceAll(/.*ExperimentalWarning.*\n?|.*trace-warnings.*\n?/g, '')]).toEqual(['once\n', '']);
});
