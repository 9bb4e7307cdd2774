/**
 * PromptSE's less strict definition of invariance (section 2.1.3): parameters without a default may be renamed; those
 * with a default keep name and value. To check a variant, its parameters get their old names back; then all other rules
 * apply. Callers must pass arguments by position.
 */
import { pythonKeywords } from '../../domain/python/keywords.ts';
import { signatureNames } from './drift.ts';
import { passagesOf, promptParts, withPassages } from './prompt-parts.ts';

/** Old names to new ones. */
export type Renaming = ReadonlyMap<string, string>;

interface Parameter {
  readonly name: string;
  /** `before`: white space and stars before the name; `after`: its annotation and default. */
  readonly before: string;
  readonly after: string;
}

interface Signature {
  /** Offsets of the parameter list in the prompt, without the brackets. */
  readonly start: number;
  readonly end: number;
  readonly parameters: readonly Parameter[];
}

/**
 * The parameters that may be renamed: not those with a default or a star, those that look like English words (`a`), or
 * those used in an example or formula.
 */
export function renameable(prompt: string, entryPoint: string): string[] {
  const signature = signatureOf(prompt, entryPoint);
  if (signature === null) return [];
  const names = signatureNames(prompt, entryPoint);
  const parts = promptParts(prompt, entryPoint);
  const outside = withPassages(
    { segments: parts.segments },
    passagesOf(parts).map(() => ' '),
  ).replace(prompt.slice(signature.start, signature.end), ' ');
  return signature.parameters.flatMap(({ name, before, after }) =>
    names.has(name) && !before.includes('*') && !after.includes('=') && !wordOf(name).test(outside) ? [name] : [],
  );
}

/** The prompt with parameters renamed in the entry point's signature and in its passages. */
export function withRenamed(prompt: string, entryPoint: string, renaming: Renaming): string {
  const parts = promptParts(prompt, entryPoint);
  const words = passagesOf(parts).map((passage) => withNames(passage, renaming));
  return withSignature(withPassages(parts, words), entryPoint, renaming);
}

/** Renames parameters only in the signature, for passages that already use the new names. */
export function withSignature(prompt: string, entryPoint: string, renaming: Renaming): string {
  const signature = signatureOf(prompt, entryPoint);
  if (signature === null) return prompt;
  const parameters = signature.parameters.map(
    ({ name, before, after }) => `${before}${renaming.get(name) ?? name}${after}`,
  );
  return `${prompt.slice(0, signature.start)}${parameters.join(',')}${prompt.slice(signature.end)}`;
}

/** The variant with the original's parameter names, or the rule that its new names break. */
export function withOldNames(
  original: string,
  entryPoint: string,
  variant: string,
): { readonly prompt: string; readonly violation: null } | { readonly prompt: null; readonly violation: string } {
  const changed = [...renamingOf(original, entryPoint, variant)];
  if (changed.length === 0) return { prompt: variant, violation: null };
  const allowed = renameable(original, entryPoint);
  for (const [name, now] of changed) {
    if (!allowed.includes(name)) return { prompt: null, violation: `the parameter ${name} must keep its name` };
    if (!isNewName(now, original) || changed.filter(([, other]) => other === now).length > 1)
      return { prompt: null, violation: `${now} cannot be a parameter's new name` };
  }
  const left = changed.find(([name]) => wordOf(name).test(variant));
  if (left !== undefined) return { prompt: null, violation: `${left[0]} has another name in the signature only` };
  return { prompt: withNames(variant, new Map(changed.map(([name, now]) => [now, name]))), violation: null };
}

/** The parameters that have a new name in the variant; empty if the number of parameters differs. */
export function renamingOf(original: string, entryPoint: string, variant: string): Renaming {
  const [before, after] = [original, variant].map((prompt) => signatureOf(prompt, entryPoint)?.parameters ?? []);
  if (before === undefined || before.length !== after?.length) return new Map();
  return new Map(
    before.flatMap(({ name }, index) =>
      after[index]?.name === name ? [] : [[name, after[index]?.name ?? ''] as const],
    ),
  );
}

/** Whether a name is valid, not a keyword, and not used in the original. */
export const isNewName = (name: string, original: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !pythonKeywords.has(name) && !wordOf(name).test(original);

const wordOf = (name: string): RegExp => new RegExp(`(?<![\\w'’])${name}(?!\\w)`);

/** The text with old names replaced by new ones. */
export const withNames = (text: string, renaming: Renaming): string =>
  text.replace(/(?<!['’])\b[A-Za-z_]\w*/g, (word) => renaming.get(word) ?? word);

/**
 * The parameter list of the last definition of the entry point; null if there is none or it cannot be parsed.
 */
function signatureOf(prompt: string, entryPoint: string): Signature | null {
  const head = [...prompt.matchAll(new RegExp(`^(?:async )?def\\s+${entryPoint}\\s*\\(`, 'gm'))].at(-1);
  if (head === undefined) return null;
  const start = head.index + head[0].length;
  const commas: number[] = [];
  let depth = 1;
  for (let at = start; at < prompt.length; at += 1) {
    const character = prompt[at] as string;
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth === 0)
      return {
        start,
        end: at,
        parameters: parametersOf(prompt, [start, ...commas.map((comma) => comma + 1)], [...commas, at]),
      };
    if (character === ',' && depth === 1) commas.push(at);
  }
  return null;
}

const parametersOf = (prompt: string, starts: readonly number[], ends: readonly number[]): Parameter[] =>
  starts.map((start, index) => {
    const [, before = '', name = '', after = ''] =
      /^([\s*]*)(\w*)([\s\S]*)$/.exec(prompt.slice(start, ends[index])) ?? [];
    return { name, before, after };
  });
