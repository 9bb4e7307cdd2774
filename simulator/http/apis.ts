/** The two protocols of the server: how a request's body is read, and how an answer is written. */
import { chatBodySchema } from '../chat-body.ts';
import type { SimulatedAnswer } from '../model.ts';
import { chatCompletion } from './chat-completion.ts';
import { completionEvents, responseEvents } from './event-stream.ts';
import { chatBodyOf, responseBodySchema, responseOf } from './response-body.ts';

/** An answer as a body, and as events. */
export type Shape = (
  answer: SimulatedAnswer,
  id: string,
  createdS: number,
) => { readonly body: object; readonly events: () => string };

const chat = {
  read: (body: unknown) => chatBodySchema.safeParse(body),
  shape: ((answer, id, createdS) => {
    const body = chatCompletion(answer, id, createdS);
    return { body, events: () => completionEvents(body) };
  }) satisfies Shape,
};

const responses = {
  read: (body: unknown) => responseBodySchema.transform(chatBodyOf).safeParse(body),
  shape: ((answer, id, createdS) => {
    const body = responseOf(answer, id, createdS);
    return { body, events: () => responseEvents(body) };
  }) satisfies Shape,
};

export type SimulatedApi = typeof chat | typeof responses;

/** By the path of a request. */
export const simulatedApis = { '/v1/chat/completions': chat, '/v1/responses': responses } as const;
export type ApiPath = keyof typeof simulatedApis;
