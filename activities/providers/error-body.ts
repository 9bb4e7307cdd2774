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

/** Unchanged if it is in OpenAI's shape, or in none that is known. */
export function openAiError(text: string): string {
  const body = parsed(text);
  const one: unknown = Array.isArray(body) && body.length > 0 ? body[0] : body;
  if (z.object({ error: fields }).safeParse(one).success) return one === body ? text : JSON.stringify(one);
  const { data } = shapes.safeParse(one);
  return data === undefined ? text : JSON.stringify({ error: data });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
