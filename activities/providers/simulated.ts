/** A simulated model in this process: no server and no network, with the same answers and faults as over HTTP. */
import { setTimeout as delay } from 'node:timers/promises';
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import type { ChatReply, ChatRequest } from '../../schemas/chat.ts';
import type { ChatBody } from '../../simulator/chat-body.ts';
import { createFaultSource, hasTransportFaults, latencyOf } from '../../simulator/faults.ts';
import type { TransportFault } from '../../simulator/faults.ts';
import { createSimulatedModel, profileHashOf } from '../../simulator/model.ts';
import type { SimulatedAnswer, SimulatedChoice, SimulatedTask } from '../../simulator/model.ts';
import type { SimulatedProfile } from '../../simulator/profile.ts';
import { refusalOf } from '../../simulator/refusals.ts';
import { noTokens, replyWithout, requestBody } from './openai-body.ts';
import { httpFault, isTooLong } from './openai-fault.ts';
import { ProviderFault } from './provider.ts';
import type { Provider } from './provider.ts';

export interface SimulatedProviderOptions {
  readonly name: string;
  readonly profile: SimulatedProfile;
  readonly tasks: readonly SimulatedTask[];
}

export function createSimulatedProvider(options: SimulatedProviderOptions): Provider {
  const { name, profile } = options;
  const model = createSimulatedModel(options);
  const faults = createFaultSource(profile);
  const plain = profile.latencyMs === 0 && !hasTransportFaults(profile);

  async function ask(request: ChatRequest, _coordinates: unknown, signal: AbortSignal): Promise<ChatReply[]> {
    signal.throwIfAborted();
    const body = requestBody(request);
    const n = request.n ?? 1;
    const refused = refusalOf(profile, body);
    const failure = refused === null ? null : { ...refused, headers: undefined };
    if (failure !== null && isTooLong(failure))
      return Array.from({ length: n }, () => replyWithout('prompt_too_long', 0));
    if (failure !== null) throw httpFault(failure, n, `${request.model}, simulated`, Date.now());
    if (!plain) await meetTransport(body, signal);
    const answer = model.answer(body);
    return answer.choices
      .slice(0, n)
      .map((choice, index) => ({ ...replyOf(answer, choice), ...(index > 0 && noTokens) }));
  }

  async function meetTransport(body: ChatBody, signal: AbortSignal): Promise<void> {
    const bodySha256 = sha256(canonicalJson(body));
    const fault = faults.next(bodySha256);
    const waitMs = fault === 'hang' || fault === 'drip' ? profile.hangMs : latencyOf(profile, bodySha256);
    if (waitMs > 0) await abortable(delay(waitMs, undefined, { signal }), signal);
    if (fault !== null) throw faultOf[fault](`simulated ${name}`, profile);
  }

  return {
    kind: 'simulated',
    endpointIdentity: `simulated:${profileHashOf(profile)}`,
    simulated: true,
    ask,
    close: async () => {},
  };
}

const faultOf: Readonly<Record<TransportFault, (where: string, profile: SimulatedProfile) => ProviderFault>> = {
  rateLimited: (where, { retryAfterMs }) =>
    new ProviderFault('retry', `${where}: 429 rate limit reached`, { httpStatus: 429, retryAfterMs }),
  serverError: (where) => new ProviderFault('retry', `${where}: 500 server error`, { httpStatus: 500 }),
  requestTimeout: (where) =>
    new ProviderFault('retry', `${where}: 408 the request took too long to arrive`, { httpStatus: 408 }),
  conflict: (where) =>
    new ProviderFault('retry', `${where}: 409 another request changed the same resource`, { httpStatus: 409 }),
  drip: (where) => new ProviderFault('retry', `${where}: no complete answer in time`, { maybeBilled: true }),
  broken: (where) => new ProviderFault('retry', `${where}: connection lost`, { maybeBilled: true }),
  malformed: (where) => new ProviderFault('retry', `${where}: the answer is not complete JSON`, { maybeBilled: true }),
  noChoices: (where) => new ProviderFault('retry', `${where}: the answer has no choices`, { maybeBilled: true }),
  hang: (where) => new ProviderFault('retry', `${where}: no complete answer in time`, { maybeBilled: true }),
};

/** Rejects with the caller's own reason when the wait was aborted. */
const abortable = (wait: Promise<void>, signal: AbortSignal): Promise<void> =>
  wait.catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });

function replyOf(answer: SimulatedAnswer, choice: SimulatedChoice): ChatReply {
  return {
    text: choice.refusal ?? choice.text,
    finishReason: choice.refusal === null ? choice.finishReason : 'refusal',
    returnedModel: answer.model,
    fingerprint: answer.fingerprint,
    inputTokens: answer.inputTokens,
    cachedTokens: 0,
    outputTokens: answer.outputTokens,
    reasoningTokens: answer.reasoningTokens,
    ...(choice.reasoning !== null && { reasoning: choice.reasoning }),
    logprobs: choice.logprobs,
  };
}
