/**
 * A process of bench/limits.ts that keeps asking. Arguments: cache folder, URL, seconds, requests per minute if stated.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createAccounts } from '../activities/calls/accounts.ts';
import { accountFileIn } from '../activities/calls/closed-accounts.ts';
import { endpointConcurrency } from '../activities/calls/models.ts';
import { createOpenAiProvider } from '../activities/providers/openai.ts';
import { ProviderFault } from '../activities/providers/provider.ts';
import type { CallCoordinates } from '../schemas/chat.ts';

const [folder = '', url = '', seconds, perMinute] = process.argv.slice(2);
const accounts = createAccounts(accountFileIn(folder));
const account = accounts.open(
  { endpoint: url, keyVariable: null },
  { requestsPerMinute: perMinute === undefined ? undefined : Number(perMinute) },
  endpointConcurrency,
);
const provider = createOpenAiProvider({ baseUrl: url, apiKey: null, timeoutMs: 60_000 });
const untilMs = performance.now() + Number(seconds) * 1000;
const isOver = (): boolean => performance.now() >= untilMs;
const unhurried = new AbortController().signal;
const request = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }], parameters: {} };

async function call(): Promise<
  { readonly replies: Awaited<ReturnType<typeof provider.ask>> } | 'unasked' | ProviderFault
> {
  if (isOver()) return 'unasked';
  try {
    return { replies: await provider.ask(request, {} as CallCoordinates, unhurried) };
  } catch (error) {
    if (error instanceof ProviderFault) return error;
    throw error;
  }
}

await Promise.all(
  Array.from({ length: 128 }, async () => {
    while (!isOver()) if ((await account.use(call, 2, isOver)) instanceof ProviderFault) await pause(100);
  }),
);
await provider.close();
accounts.close();
