/** The code in an answer, looked for once: a program is looked at when it is judged, run, recorded, and asked about again. */
import { extractCode } from '../domain/extraction/extract-code.ts';
import { definesName } from '../domain/extraction/statements.ts';
import type { ChatReply } from '../schemas/chat.ts';
import type { Answer, CellState, Extracted } from './study.ts';

/** What was found in a reply last, for which entry point. */
const extractions = new WeakMap<ChatReply, Extracted & { readonly entryPoint: string }>();

/** A prompt that ends in a signature completes answers that are a body only. */
export function codeOf({ task: { entryPoint, prompt } }: CellState, { reply }: Answer): Extracted {
  const known = extractions.get(reply);
  if (known?.entryPoint === entryPoint) return known;
  const { code, how } = extractCode(reply.text, { entryPoint, prompt: definesName(prompt, entryPoint) ? prompt : undefined });
  const extracted = { code, how, entryPoint };
  extractions.set(reply, extracted);
  return extracted;
}
