/**
 * A process of bench/limits.ts that keeps asking. Arguments: cache folder, URL, seconds, and the limits that the spec
 * states, as JSON.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createAccounts, type GivenLimits } from '../activities/calls/accounts/accounts.ts';
import type { CallOutcome, Delivered } from '../activities/calls/accounts/call-outcome.ts';
import { accountStoreOf } from '../activities/calls/accounts/open-store.ts';
import { endpointConcurrency } from '../activities/calls/models.ts';
import { createOpenAiProvider } from '../activities/providers/openai.ts';
import { ProviderFault } from '../activities/providers/provider.ts';
import type { Allowances } from '../domain/accounts/allowance.ts';
import type { CallCoordinates } from '../schemas/chat.ts';
import { charactersPerToken } from './limited-endpoint.ts';

const [folder = '', url = '', seconds, stated = '{}'] = process.argv.slice(2);
const accounts = createAccounts(accountStoreOf(folder));
const account = accounts.open(
  { endpoint: url, keyVariable: null },
  JSON.parse(stated) as GivenLimits,
  endpointConcurrency,
);
const provider = createOpenAiProvider({ baseUrl: url, apiKey: null, timeoutMs: 60_000 });
const untilMs = performance.now() + Number(seconds) * 1000;
const isOver = (): boolean => performance.now() >= untilMs;
const unhurried = new AbortController().signal;
/** A quarter of an answer's limit of 1,024 tokens, as of a study's calls. */
const expectedOutput = 256;

/** 100 to 500 input tokens. */
const promptOf = (): string => 'x'.repeat(charactersPerToken * (100 + Math.floor(Math.random() * 401)));

async function call(content: string): Promise<CallOutcome> {
  if (isOver()) return 'unasked';
  try {
    let allowances: Allowances = {};
    const request = { model: 'm', messages: [{ role: 'user' as const, content }], parameters: {} };
    const heard = (said: Allowances): void => {
      allowances = said;
    };
    const replies: Delivered['replies'] = await provider.ask(request, {} as CallCoordinates, unhurried, heard);
    return { replies, allowances };
  } catch (error) {
    if (error instanceof ProviderFault) return error;
    throw error;
  }
}

async function keepAsking(): Promise<void> {
  while (!isOver()) {
    const content = promptOf();
    const tokens = () => ({ input: content.length / charactersPerToken, output: expectedOutput });
    if ((await account.use(() => call(content), tokens, isOver)) instanceof ProviderFault) await pause(100);
  }
}

await Promise.all(Array.from({ length: 128 }, keepAsking));
await provider.close();
await accounts.close();
