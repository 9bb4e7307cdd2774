/**
 * The body of a failed request in OpenAI's shape, `{ error: { message, code, param } }`, which the client reads.
 * Endpoints send others: a list of one (Gemini), the error's fields at the top (vLLM, SGLang), a `detail` (FastAPI),
 * or the message alone (Ollama, LM Studio).
 */
import { z } from 'zod';

const fields = z.object({ message: z.string() }).loose();
const shapes = z.union([
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error })),
  fields,
  z.object({ detail: z.string() }).transform(({ detail }) => ({ message: detail })),
]);

const withUsage = z.object({ usage: z.looseObject({}) });
const usageOf = (body: unknown): { usage: object } | undefined => withUsage.safeParse(body).data;

/**
 * Unchanged if it is in OpenAI's shape, or in none that is known. A usage, which the client would drop, moves into the
 * error.
 */
export function openAiError(text: string): string {
  const body = parsed(text);
  const one: unknown = Array.isArray(body) && body.length > 0 ? body[0] : body;
  const own = z.object({ error: fields }).safeParse(one).data;
  if (own !== undefined) {
    const usage = usageOf(one);
    if (usage !== undefined) return JSON.stringify({ error: { ...own.error, ...usage } });
    return one === body ? text : JSON.stringify(one);
  }
  const { data } = shapes.safeParse(one);
  return data === undefined ? text : JSON.stringify({ error: { ...data, ...usageOf(one) } });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
