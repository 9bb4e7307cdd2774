/** A reply as the ledger keeps it: values in order without their names, which would take a third of its room. */
import type { ChatReply } from '../../../../schemas/chat.ts';
import { packBody, type StoredBody, unpackBody } from './stored-body.ts';

/** What every reply has, in this order for good: replies of format 4 and later are stored so. Then the rest, if any. */
const always = [
  'text',
  'finishReason',
  'returnedModel',
  'fingerprint',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'reasoningTokens',
  'logprobs',
] as const satisfies readonly (keyof ChatReply)[];

type Rest = Omit<ChatReply, (typeof always)[number]>;

export function packReply(reply: ChatReply): StoredBody {
  const rest: Record<string, unknown> = { ...reply };
  for (const name of always) delete rest[name];
  const values = always.map((name) => reply[name]);
  return packBody(Object.keys(rest).length === 0 ? values : [...values, rest]);
}

/**
 * Reads replies of older formats, too. Throws `CorruptionError`, naming `what`, if the bytes do not match their hash.
 */
export function unpackReply(stored: StoredBody, what: string): ChatReply {
  const found = unpackBody<ChatReply | readonly unknown[]>(stored, what);
  if (!isList(found)) return found;
  const named = Object.fromEntries(always.map((name, place) => [name, found[place]]));
  return { ...named, ...(found[always.length] as Rest | undefined) } as ChatReply;
}

const isList = (found: ChatReply | readonly unknown[]): found is readonly unknown[] => Array.isArray(found);
