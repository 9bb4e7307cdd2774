/**
 * Checks whether a variant asks for the same function: everything except its passages is unchanged, and the passages
 * keep their meaning.
 */
import { driftFrom, signatureNames } from './drift.ts';
import { passagesOf, type PromptParts, promptParts } from './prompt-parts.ts';
import { withOldNames } from './renaming.ts';

/** The original prompt, in the form against which variants are checked. */
export interface Original {
  readonly parts: PromptParts;
  /** Names of its signature. */
  readonly names: ReadonlySet<string>;
  /** By passage: why another text in its place differs in meaning; null if it does not. */
  readonly drifts: readonly ((passage: string) => string | null)[];
  readonly prompt: string;
  readonly entryPoint: string;
  /** Whether a variant may rename parameters; see renaming.ts. */
  readonly renameParameters: boolean;
}

export function originalOf(prompt: string, entryPoint: string, renameParameters = false): Original {
  const parts = promptParts(prompt, entryPoint);
  const names = signatureNames(prompt, entryPoint);
  const drifts = passagesOf(parts).map((passage) => driftFrom(passage, names));
  return { parts, names, drifts, prompt, entryPoint, renameParameters };
}

export type Checked =
  | { readonly passages: readonly string[]; readonly violation: null }
  | { readonly passages: null; readonly violation: string };

/**
 * Checks a whole variant against the original prompt. Signature, annotations, imports, helpers, examples, bullets and
 * quotes must be in it verbatim and in order, with words only where the original has words. If parameters may be
 * renamed, the returned passages have the old names, because a new name is not a change of wording.
 */
export function checkVariant(original: Original, variant: string): Checked {
  if (!original.renameParameters) return checkVerbatim(original, variant);
  const { prompt, violation } = withOldNames(original.prompt, original.entryPoint, variant);
  return prompt === null ? { passages: null, violation } : checkVerbatim(original, prompt);
}

function checkVerbatim({ parts, names, drifts }: Original, variant: string): Checked {
  const passages = passagesBetween(parts, variant);
  if (typeof passages === 'string') return { passages: null, violation: passages };
  for (const [index, passage] of passages.entries()) {
    if (passage.trim() === '') return { passages: null, violation: 'a passage is empty' };
    const drift = (drifts[index] ?? driftFrom('', names))(passage);
    if (drift !== null) return { passages: null, violation: drift };
  }
  return { passages, violation: null };
}

/** The texts between the fixed segments; or a violation that names a missing segment. */
function passagesBetween({ segments }: PromptParts, variant: string): string[] | string {
  const passages: string[] = [];
  let at = 0;
  for (const [index, { kind, text }] of segments.entries()) {
    if (kind === 'passage') continue;
    const last = index === segments.length - 1;
    const found = last ? variant.lastIndexOf(text) : variant.indexOf(text, at);
    const reached = found >= at && (index > 0 || found === 0) && (!last || found + text.length === variant.length);
    if (!reached) return `changed or lost outside the description: ${JSON.stringify(text.trim().slice(0, 60))}`;
    if (index > 0) passages.push(variant.slice(at, found));
    at = found + text.length;
  }
  if (segments.at(-1)?.kind === 'passage') passages.push(variant.slice(at));
  return passages;
}
