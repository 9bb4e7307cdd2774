/** Whether an answer that failed had begun: what was generated until then is billed. */
import { z } from 'zod';

/** Marks the body of such an answer, put together from events. */
const begun = Symbol('begun');

export const hasBegun = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && (begun in body || responseOutput.safeParse(body).success);

/** A failed response of the Responses API may have parts of its answer. */
const responseOutput = z.object({ output: z.array(z.unknown()).min(1) });

/** Of a chunk of a chat completion, or of a whole one. */
const said = z.object({ choices: z.array(z.unknown()) });
const choice = z.object({ delta: z.unknown().optional(), message: z.unknown().optional() });
const generated: ReadonlySet<string> = new Set([
  ...['content', 'refusal', 'reasoning', 'reasoning_content', 'reasoning_details', 'thinking'],
  ...['tool_calls', 'function_call', 'audio'],
]);

/** Of the Responses API: the events before an item of the answer are named for the response itself. */
const responseItem = z.object({ type: z.string().regex(/^response\.[a-z_]+\.[a-z_.]+$/) });

/** Whether the event has a part of an answer. The first chunk may have only a role and an empty text. */
function isGenerated(event: unknown): boolean {
  if (responseItem.safeParse(event).success) return true;
  const { choices = [] } = said.safeParse(event).data ?? {};
  return choices.some((one) => {
    const { delta, message } = choice.safeParse(one).data ?? {};
    return [delta, message].some(isFilledPart);
  });
}

const isFilledPart = (part: unknown): boolean =>
  isObject(part) && Object.entries(part).some(([name, value]) => generated.has(name) && isFilled(value));
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isFilled = (value: unknown): boolean =>
  typeof value === 'string' ? value !== '' : isObject(value) && Object.keys(value).length > 0;

const withUsage = z.object({ usage: z.looseObject({}) });
const withResponse = z.object({ response: withUsage });

/** The usage that an event reports; null without one. */
function usageIn(event: unknown): object | null {
  return withUsage.safeParse(event).data?.usage ?? withResponse.safeParse(event).data?.response.usage ?? null;
}

/** What a stream of events that failed says of its bill. A usage from before the last part does not count it. */
export function billSigns(events: readonly unknown[]): { readonly usage?: object; readonly [begun]?: true } {
  const usageAt = events.findLastIndex((event) => usageIn(event) !== null);
  const usage = usageAt === -1 || usageAt < events.findLastIndex(isGenerated) ? null : usageIn(events[usageAt]);
  return { ...(events.some(isGenerated) && { [begun]: true }), ...(usage !== null && { usage }) };
}
