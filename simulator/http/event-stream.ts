/** A simulated answer as server-sent events: a chat completion in chunks, a response in the events of its API. */
import type { chatCompletion } from './chat-completion.ts';
import type { SimulatedResponse } from './response-body.ts';

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

/** Characters of a text in one chunk. */
const chunkLength = 40;
const piecesOf = (text: string): string[] => text.match(new RegExp(`[^]{1,${chunkLength}}`, 'g')) ?? [];

/** A comment first, as gateways send while they wait, and the usage in a last chunk without choices. */
export function completionEvents(completion: ReturnType<typeof chatCompletion>): string {
  const { choices, usage, ...head } = completion;
  const chunk = (more: object): string => event({ ...head, object: 'chat.completion.chunk', ...more });
  const chunks = choices.flatMap(({ index, message, finish_reason: reason, logprobs }) => {
    const piece = (delta: object, more: object = {}) =>
      chunk({ choices: [{ index, delta, finish_reason: null, ...more }] });
    const { content, refusal, reasoning_content: thoughts } = message;
    return [
      piece({ role: 'assistant', content: '' }),
      ...piecesOf(thoughts ?? '').map((text) => piece({ reasoning_content: text })),
      ...(refusal === null ? [] : [piece({ refusal })]),
      ...piecesOf(content ?? '').map((text, place) => piece({ content: text }, place === 0 ? { logprobs } : {})),
      piece({}, { finish_reason: reason }),
    ];
  });
  return `: working\n\n${chunks.join('')}${chunk({ choices: [], usage })}data: [DONE]\n\n`;
}

const textOf = (parts: readonly object[]): string =>
  parts.map((part) => ('text' in part ? String(part.text) : '')).join('');

/** The text comes in deltas, then whole in the last event. */
export function responseEvents(response: SimulatedResponse): string {
  const named = (type: string, more: object): string => `event: ${type}\n${event({ type, ...more })}`;
  const texts = piecesOf(response.output.map((item) => ('content' in item ? textOf(item.content) : '')).join(''));
  return [
    named('response.created', { response: { ...response, status: 'in_progress', output: [], usage: null } }),
    ...texts.map((delta) => named('response.output_text.delta', { delta })),
    named(`response.${response.status}`, { response }),
  ].join('');
}
