/** Reads the body of a chat completions request back into evenkeel's request: the inverse of `requestBody`. */
import { z } from 'zod';
import type { ChatRequest } from '../../schemas/chat.ts';
import { sentNames } from '../../schemas/spec/parameters.ts';

/** The names of parameters in a spec, by the names that are sent. */
const specNames: ReadonlyMap<string, string> = new Map(
  Object.entries(sentNames).map(([inSpec, sent]): [string, string] => [sent, inSpec]),
);

/** How an answer comes, and how many at once: no part of what was asked. */
const transport: ReadonlySet<string> = new Set(['n', 'stream', 'stream_options']);

const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1),
  n: z.int().min(1).nullish(),
});

export interface RequestRead {
  /** Without `n`. */
  readonly request: ChatRequest;
  readonly n: number;
}

export const notOfStudy = 'a request that no study sends';

/** Or why a study could not have sent this body. */
export function requestOfBody(body: unknown): RequestRead | string {
  const checked = bodySchema.safeParse(body);
  if (!checked.success) return notOfStudy;
  const { model, messages, n, ...rest } = checked.data;
  const sent = Object.entries(rest).filter(([name]) => !transport.has(name));
  const extraBody = sent.filter(([name]) => !specNames.has(name));
  const parameters = {
    ...Object.fromEntries(
      sent.flatMap(([name, value]) => {
        const inSpec = specNames.get(name);
        return inSpec === undefined ? [] : [[inSpec, value]];
      }),
    ),
    ...(extraBody.length > 0 && { extraBody: Object.fromEntries(extraBody) }),
  };
  return { request: { model, messages, parameters }, n: n ?? 1 };
}
