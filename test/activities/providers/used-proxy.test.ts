/** Endpoints behind a proxy: which connections go through it, and what is told where none comes about. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { usedProxy } from '../../../activities/providers/failures/used-proxy.ts';
import { createOpenAiProvider } from '../../../activities/providers/openai.ts';
import { probeEndpoint } from '../../../activities/providers/probe.ts';
import { createWholeReplyFetch } from '../../../activities/providers/whole-reply-fetch.ts';
import { coordinates, question, unhurried } from './questions.ts';

const variables = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'] as const;
beforeEach(() => {
  for (const name of variables) vi.stubEnv(name, undefined);
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
});
afterEach(() => void vi.unstubAllEnvs());

/** A proxy that answers every request for a connection with this status. */
async function refusing(status: number) {
  const asked: string[] = [];
  const proxy = createServer().listen(0, '127.0.0.1');
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
  });
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  return { address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
}

const dead = 'http://user:secret@127.0.0.1:1';
const paths = { list: 'models', ask: 'chat/completions', example: 'http://127.0.0.1/v1' };
const probedRule = async (baseUrl: string) =>
  (await probeEndpoint({ baseUrl, headers: {} }, paths, 2_000)).fault?.rule ?? '';
const askedFault = async (baseUrl: string) => {
  const provider = createOpenAiProvider({ baseUrl, apiKey: null, timeoutMs: 2_000 });
  const fault: unknown = await provider.ask(question, coordinates, unhurried).catch((error: unknown) => error);
  await provider.close();
  return fault as { message: string; unsent: string | null; maybeBilled: boolean };
};

const names = (host: string): string =>
  `through the proxy http://127.0.0.1:1, which may be down: start it, correct HTTPS_PROXY, or list ${host} in NO_PROXY`;

// Red before: "nothing listens at models.invalid", and "no connection (ECONNREFUSED)" without a word of the proxy.
test('a proxy that is down is named, without its password', async () => {
  vi.stubEnv('HTTPS_PROXY', dead);
  expect(await probedRule('https://models.invalid/v1')).toBe(
    `models.invalid cannot be reached (ECONNREFUSED) ${names('models.invalid')}`,
  );
  const fault = await askedFault('https://models.invalid/v1');
  const unsent = `no connection (ECONNREFUSED) ${names('models.invalid')}`;
  expect(fault).toMatchObject({ unsent, message: `sim at https://models.invalid/v1: ${unsent}` });
});

test('a connection that goes around the proxy says nothing of it', async () => {
  vi.stubEnv('HTTP_PROXY', dead);
  vi.stubEnv('NO_PROXY', '127.0.0.1');
  expect(await probedRule('http://127.0.0.1:9/v1')).toMatch(/^nothing listens at 127\.0\.0\.1:9 /);
  expect(await askedFault('http://127.0.0.1:9/v1')).toMatchObject({ unsent: 'no connection (ECONNREFUSED)' });
});

// Red before: "connection lost (Request timed out.)", and perhaps billed, though nothing was sent.
test('a proxy that refuses the connection is named with its status, and nothing counts as sent', async () => {
  const { address } = await refusing(502);
  vi.stubEnv('HTTPS_PROXY', `http://${address}`);
  const refused =
    `(the proxy answers 502) through the proxy http://${address}, which refuses it: ` +
    'correct HTTPS_PROXY, or list models.invalid in NO_PROXY';
  expect(await probedRule('https://models.invalid/v1')).toBe(`models.invalid cannot be reached ${refused}`);
  const fault = await askedFault('https://models.invalid/v1');
  expect(fault).toMatchObject({ unsent: `no connection ${refused}`, maybeBilled: false });
});

// Red before: the check and the call waited without end.
test.each<[string, (socket: Duplex) => unknown]>([
  ['is silent', () => undefined],
  ['hangs up', (socket) => socket.destroy()],
])(
  'a proxy that %s is waited for no longer than an endpoint',
  async (_how, act) => {
    const proxy = createServer().on('connect', (_request, socket) => act(socket));
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${port}`);
    expect(await probedRule('http://models.invalid/v1')).toContain(
      ` through the proxy http://127.0.0.1:${port}, which may`,
    );
    expect((await askedFault('http://models.invalid/v1')).message).toMatch(/no complete answer within 2000 ms|lost/);
  },
  20_000,
);

// What is said agrees with what connections do: only those through the proxy reach it.
test.each<[string, Partial<Record<(typeof variables)[number] | 'NODE_USE_ENV_PROXY', string>>]>([
  ['http://a.invalid', { HTTP_PROXY: 'P' }],
  ['https://a.invalid', { HTTP_PROXY: 'P' }],
  ['http://a.invalid', { HTTPS_PROXY: 'P' }],
  ['http://a.invalid', { HTTP_PROXY: 'P', http_proxy: '' }],
  ['http://a.invalid', { HTTP_PROXY: 'P', NODE_USE_ENV_PROXY: '0' }],
  ['https://a.invalid', { HTTP_PROXY: 'P', HTTPS_PROXY: 'P', https_proxy: '' }],
  ['http://a.invalid', { HTTP_PROXY: 'P', NO_PROXY: 'b.invalid, A.invalid' }],
  ['http://x.a.invalid', { HTTP_PROXY: 'P', NO_PROXY: '*.a.invalid' }],
  ['http://xa.invalid', { HTTP_PROXY: 'P', NO_PROXY: 'a.invalid' }],
  ['http://a.invalid:81', { HTTP_PROXY: 'P', NO_PROXY: 'a.invalid:80' }],
  ['http://a.invalid', { HTTP_PROXY: 'P', NO_PROXY: 'a.invalid:80' }],
  ['http://a.invalid', { HTTP_PROXY: 'P', NO_PROXY: '*' }],
  ['http://a.invalid', { HTTP_PROXY: 'P', NO_PROXY: 'b.invalid,*' }],
  ['http://a.invalid', { HTTP_PROXY: 'P', NO_PROXY: '*', no_proxy: '' }],
  ['http://a.invalid', { HTTP_PROXY: 'P', NO_PROXY: '.' }],
  ['http://[::1]:9', { HTTP_PROXY: 'P', NO_PROXY: '[::1]' }],
])('whether a connection goes through a proxy: %s with %j', async (url, settings) => {
  const { address, asked } = await refusing(403);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value.replace('P', `http://u:p@${address}`));
  const { fetch, close } = createWholeReplyFetch(1_000);
  await expect(fetch(url)).rejects.toThrow();
  await close();
  expect(usedProxy(url)).toEqual(
    asked.length === 0 ? null : { address: `http://${address}`, variable: expect.stringMatching(/^HTTPS?_PROXY$/) },
  );
});
