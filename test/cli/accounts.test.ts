/** Closed accounts are listed and can be opened by hand. */
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createAccounts } from '../../activities/calls/accounts/accounts.ts';
import { closedAccountsOf } from '../../activities/calls/accounts/closed-accounts.ts';
import { accountStoreOf } from '../../activities/calls/accounts/open-store.ts';
import { ProviderFault } from '../../activities/providers/provider.ts';
import { clockText, progressLine } from '../../cli/follow/progress-line.ts';
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import { admit } from '../../domain/accounts/account-state.ts';
import { noTokens } from '../../domain/accounts/counted-units.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import { type CommandEnd, runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const endpoint = 'http://one.example/v1';
let folder: string;
const evenkeel = (...args: readonly string[]): Promise<CommandEnd> =>
  runCommand(args, { ...process.env, EVENKEEL_RUNS: join(folder, 'runs'), EVENKEEL_CACHE: folder });

beforeEach(async () => {
  folder = temporaryFolder();
  const accounts = createAccounts(accountStoreOf(folder));
  const account = accounts.open({ endpoint, keyVariable: 'KEY' }, {}, 8);
  const decades = new ProviderFault('retry', 'come back later', { httpStatus: 429, retryAfterMs: 999_999_999_000 });
  await account.use(
    async () => decades,
    () => ({ input: 1, output: 0 }),
    () => false,
  );
  await accounts.close();
});

const minutesUntil = (text: string): number =>
  (Date.parse(/closed until (\S+Z)/.exec(text)?.[1] ?? '') - Date.now()) / 60_000;

test('accounts says which are closed, until when and why; --open opens one', async () => {
  const seen = await evenkeel('accounts');
  expect(seen.stdout).toMatch(/one\.example\/v1 with the key of KEY \(come back later\)/);
  expect(minutesUntil(seen.stdout)).toBeGreaterThan(13);
  expect(minutesUntil(seen.stdout)).toBeLessThanOrEqual(15);
  expect((await evenkeel('accounts', '--open', `${endpoint.replace('http:', 'HTTP:')}/`)).status).toBe(0);
  expect((await evenkeel('accounts')).stdout).toBe('no account is closed\n');
  expect((await evenkeel('accounts', '--open', 'http://two.example/v1')).status).toBe(2);
});

// Red before: it said "opened", and nothing was.
test('--open says that a used-up limit per day of the spec stays', async () => {
  const store = accountStoreOf(folder);
  const limited = 'http://day.example/v1';
  await store.change({ endpoint: limited, keyVariable: null }, (state) => {
    state.name = { endpoint: limited, keyVariable: null };
    for (const _ of [1, 2]) admit(state, { concurrency: 9, requestsPerDay: 1 }, 'h', noTokens, Date.now());
  });
  await store.close();
  const { stdout } = await evenkeel('accounts', '--open', limited);
  expect(stdout).toContain(`not opened: ${limited} keeps to a limit per day of the spec`);
  expect(stdout).not.toMatch(/^opened/m);
});

test('doctor lists closed accounts too', async () => {
  expect((await evenkeel('doctor')).stdout).toMatch(/account +closed until .*one\.example/);
}, 60_000);

test('a run sees only its own closed accounts, and its progress line shows them in place of an ETA', async () => {
  const spec = (url: string, limits: string) =>
    parseSpec(
      `name: x
providers: { a: { kind: openai, baseUrl: "${url}", apiKeyEnv: KEY${limits} } }
models: [{ id: m, provider: a }]
benchmarks: { b: { format: evenkeel, path: b.jsonl } }
studies: [{ name: s, kind: evaloop, benchmark: b }]`,
      'x.yaml',
    );
  const closedOf = (url: string, limits = '') =>
    closedAccountsOf(spec(url, limits), accountStoreOf(folder), Date.now());
  const closed = await closedOf(endpoint);
  expect(closed).toMatchObject([{ endpoint, why: 'come back later' }]);
  expect(await closedOf('http://two.example/v1')).toEqual([]);
  expect(await closedOf(endpoint, ', limits: { maxClosedMs: 1000 }')).toEqual([]);
  const lane = { study: 's', model: 'm', cells: 10, cellsDone: 4, answered: 4 };
  const progress = {
    lanes: [lane],
    answered: 4,
    verdicts: 4,
    failedCalls: 0,
    preparing: [],
    failing: [],
    cutAnswers: [],
    stopped: [],
    spend: { reportedUsd: 0, estimatedUsd: 0, unknownUsdCalls: 0, tokens: 0 },
  };
  const line = progressLine(progress as unknown as Progress, { references: 1, callsPerCell: {} }, [], 60_000, closed);
  expect(line).toMatch(
    /account http:\/\/one\.example\/v1 closed until (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d \(come back later\)/,
  );
  expect(line).not.toContain('ETA');
});

// Red before: an account that is closed until tomorrow evening was "closed until 18:45:00".
test('a time of another day has its date', () => {
  const now = new Date(2026, 10, 29, 18, 33).getTime();
  expect(clockText(new Date(2026, 10, 29, 18, 45, 7).getTime(), now)).toBe('18:45:07');
  expect(clockText(new Date(2026, 10, 30, 18, 45, 7).getTime(), now)).toBe('2026-11-30 18:45:07');
});
