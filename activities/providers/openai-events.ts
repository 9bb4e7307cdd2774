/**
 * Reads an answer that an endpoint sent as server-sent events, requested or not: whole in one event, in pieces, as the
 * events of the Responses API, or as a body followed by the end marker.
 */
import { z } from 'zod';
import { endReason, readableOf, sideText } from '../../schemas/lenient.ts';
import { billSigns } from './failures/begun.ts';

const piece = z.object({
  index: z.coerce.number().int().min(0).catch(0),
  delta: z
    .object({
      content: z.string().nullish(),
      refusal: sideText,
      reasoning_content: sideText,
      reasoning: sideText,
    })
    .nullish(),
  finish_reason: endReason,
  logprobs: z
    .object({ content: z.array(z.unknown()).nullish().catch(null) })
    .nullish()
    .catch(null),
});
const chunk = z.object({
  id: sideText,
  model: sideText,
  system_fingerprint: sideText,
  provider: sideText,
  usage: z.unknown().optional(),
  choices: readableOf(piece).nullish(),
});
type Piece = z.infer<typeof piece>;
type Chunk = z.infer<typeof chunk>;

const endMark = /\s*^data: ?\[DONE\]\s*$/m;

/** The body assembled from the events; null if the text has no events or they are incomplete. */
export function bodyOfEvents(given: string): unknown {
  if (!/^data:/m.test(given)) return null;
  const text = given.replaceAll(/\r\n?/g, '\n');
  const whole = parsed(text.replace(endMark, ''));
  if (whole !== null) return whole;
  const events = text.split(/\n{2,}/).flatMap(valuesIn);
  const failure = events.find((event) => isObject(event) && failedEvent.safeParse(event).success);
  if (failure !== undefined) return { error: failedEvent.parse(failure).error, ...billSigns(events) };
  const other = events.find((event) => isObject(event) && ('error' in event || hasMessage(event)));
  return (
    endedResponse(events, billSigns(events)) ??
    other ??
    joined(
      events.flatMap((event) => chunk.safeParse(event).data ?? []),
      endMark.test(text),
    )
  );
}

/** Of one event. Its lines are one text by the standard; some endpoints leave out the empty line between events. */
function valuesIn(event: string): unknown[] {
  const lines = event.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []));
  const each = lines.map(parsed);
  const whole = each.includes(null) ? parsed(lines.join('\n')) : null;
  return (whole === null ? each : [whole]).filter((value) => value !== null);
}

/** An endpoint that fails after its answer has begun says so in an event (OpenRouter, vLLM, OpenAI). */
const failedEvent = z.union([
  z.object({ error: z.object({ message: z.string() }).loose() }),
  z
    .object({ type: z.literal('error'), message: z.string() })
    .loose()
    .transform(({ message, code }) => ({ error: { message, code } })),
]);

const responseEvent = z.object({
  type: z.enum(['response.completed', 'response.incomplete', 'response.failed']),
  response: z.unknown(),
});

/** The last event of the Responses API has the whole answer; null without it. */
function endedResponse(events: readonly unknown[], bill: ReturnType<typeof billSigns>): unknown {
  const last = events.flatMap((event) => responseEvent.safeParse(event).data ?? []).at(-1);
  return isObject(last?.response) ? { ...bill, ...last.response } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const hasMessage = (event: object): boolean =>
  z.object({ choices: z.array(z.object({ message: z.object({}) })).min(1) }).safeParse(event).success;

function joined(chunks: readonly Chunk[], isEnded: boolean): unknown {
  const pieces = chunks.flatMap(({ choices }) => choices ?? []);
  const choices = [...Map.groupBy(pieces, ({ index }) => index)]
    .toSorted(([a], [b]) => a - b)
    .map(([, own]) => choiceOf(own));
  const hasEnd = isEnded || (choices.length > 0 && choices.every(({ finish_reason }) => finish_reason !== null));
  if (!hasEnd || choices.length === 0) return null;
  const last = <Field extends keyof Chunk>(field: Field): Chunk[Field] | null =>
    chunks.findLast((one) => one[field] != null)?.[field] ?? null;
  return {
    id: last('id'),
    model: last('model'),
    system_fingerprint: last('system_fingerprint'),
    provider: last('provider'),
    usage: last('usage'),
    choices,
  };
}

function choiceOf(pieces: readonly Piece[]) {
  const text = (field: keyof NonNullable<Piece['delta']>): string =>
    pieces.map(({ delta }) => delta?.[field] ?? '').join('');
  return {
    finish_reason: pieces.findLast(({ finish_reason: reason }) => reason)?.finish_reason ?? null,
    message: {
      content: text('content'),
      refusal: text('refusal') || null,
      reasoning: text('reasoning') || text('reasoning_content') || null,
    },
    logprobs: { content: pieces.flatMap(({ logprobs }) => logprobs?.content ?? []) },
  };
}
