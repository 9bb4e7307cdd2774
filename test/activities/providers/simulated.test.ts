import { afterEach, expect, test } from 'vitest';
import { createOpenAiProvider } from '../../../activities/providers/openai.ts';
import { ProviderFault } from '../../../activities/providers/provider.ts';
import { createSimulatedProvider } from '../../../activities/providers/simulated.ts';
import { transportFaults } from '../../../simulator/faults.ts';
import { simulatedProfile } from '../../../simulator/profile.ts';
import { startSimulatorServer } from '../../../simulator/server.ts';
import type { RunningSimulator } from '../../../simulator/server.ts';
import { codePrompt, madeUpTasks } from '../../simulator/tasks.ts';
import { coordinates, onlyOf, question, unhurried } from './questions.ts';

let server: RunningSimulator | undefined;
afterEach(() => server?.close());

test('in process and over HTTP the same replies come back, mishaps of content included', async () => {
  const profile = simulatedProfile({
    competence: 0.5,
    logprobs: true,
    faults: { empty: 0.2, refusal: 0.2, truncated: 0.2, wrongModel: 0.2 },
  });
  server = await startSimulatorServer({ models: [{ name: 'sim', profile }], tasks: madeUpTasks, port: 0 });
  const overHttp = createOpenAiProvider({ baseUrl: server.url, apiKey: null, timeoutMs: 5_000 });
  const inProcess = createSimulatedProvider({ name: 'sim', profile, tasks: madeUpTasks });
  const finishReasons = new Set<string>();
  for (const [seed, { description }] of madeUpTasks.entries()) {
    const request = {
      ...question,
      messages: [{ role: 'user' as const, content: codePrompt(description) }],
      parameters: { temperature: 1, seed, logprobs: true },
    };
    const reply = await onlyOf(inProcess.ask(request, coordinates, unhurried));
    const { requestId, ...same } = await onlyOf(overHttp.ask(request, coordinates, unhurried));
    expect(same).toEqual(reply);
    expect(requestId).toMatch(/^simulated-/);
    finishReasons.add(reply.finishReason);
  }
  expect(finishReasons).toEqual(new Set(['stop', 'length', 'refusal']));
});

test.each(transportFaults)('%s is a fault to retry, and the next attempt is answered', async (fault) => {
  const profile = simulatedProfile({ competence: 1, hangMs: 10, maxFaultsPerCall: 1, faults: { [fault]: 1 } });
  const provider = createSimulatedProvider({ name: 'sim', profile, tasks: madeUpTasks });
  const outcome = await provider.ask(question, coordinates, unhurried).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(ProviderFault);
  expect(outcome).toMatchObject({ kind: 'retry' });
  expect((await onlyOf(provider.ask(question, coordinates, unhurried))).text).toContain('def solve_0');
});

test('a hang is left by the caller’s signal, with its reason', async () => {
  const profile = simulatedProfile({ hangMs: 60_000, faults: { hang: 1 } });
  const provider = createSimulatedProvider({ name: 'sim', profile, tasks: madeUpTasks });
  const controller = new AbortController();
  const asked = provider.ask(question, coordinates, controller.signal);
  const reason = new Error('enough');
  setTimeout(() => controller.abort(reason), 20);
  await expect(asked).rejects.toBe(reason);
});

test('the endpoint identity changes with the profile', () => {
  const identity = (competence: number) =>
    createSimulatedProvider({ name: 'sim', profile: simulatedProfile({ competence }), tasks: [] }).endpointIdentity;
  expect(identity(0.5)).toBe(identity(0.5));
  expect(identity(0.5)).not.toBe(identity(0.6));
});
