/** Reads the body of a request to the Responses API back into evenkeel's request: the inverse of `responseBody`. */
import { z } from 'zod';
import { notOfStudy, type RequestRead } from './openai-request.ts';

const bodySchema = z.looseObject({
  model: z.string(),
  input: z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1),
  reasoning: z.looseObject({ effort: z.string().optional() }).optional(),
  text: z.looseObject({ verbosity: z.string().optional() }).optional(),
  include: z.tuple([z.literal('message.output_text.logprobs')]).optional(),
  store: z.boolean().optional(),
});

/** The names in a spec of keys that are sent as they are. A limit is a study's `maxTokens`, or a model's. */
const specNames: ReadonlyMap<string, string> = new Map([
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['max_output_tokens', 'maxTokens'],
  ['service_tier', 'serviceTier'],
]);

/** Or why a study could not have sent this body. */
export function requestOfResponsesBody(body: unknown): RequestRead | string {
  const checked = bodySchema.safeParse(body);
  if (!checked.success) return notOfStudy;
  const { model, input, reasoning = {}, text = {}, include, store, stream: _transport, ...rest } = checked.data;
  const { effort, ...otherReasoning } = reasoning;
  const { verbosity, ...otherText } = text;
  const known = Object.entries(rest).flatMap(([name, value]) => {
    const inSpec = specNames.get(name);
    return inSpec === undefined ? [] : [[inSpec, value]];
  });
  const extraBody = {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !specNames.has(name))),
    ...(Object.keys(otherReasoning).length > 0 && { reasoning: otherReasoning }),
    ...(Object.keys(otherText).length > 0 && { text: otherText }),
    ...(store === true && { store }),
  };
  const parameters = {
    ...Object.fromEntries(known),
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(verbosity !== undefined && { verbosity }),
    ...(include !== undefined && { logprobs: true }),
    ...(Object.keys(extraBody).length > 0 && { extraBody }),
  };
  return { request: { model, messages: input, parameters }, n: 1 };
}
