/**
 * A check against changes of meaning, as far as possible: numbers, identifiers, quoted values and symbols must be kept,
 * and none may be added.
 */

const numberWords = [
  'zero',
  '',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/**
 * The tokens of a passage that no rewriting may change. `names`: entry point and parameters of the signature.
 */
export function guardedTokens(text: string, names: ReadonlySet<string>): Set<string> {
  const quoted = text.match(/(?<!\w)(?:'[^'\n]{1,60}'(?!\w)|"[^"\n]{1,60}"|`[^`\n]{1,60}[`'])/g) ?? [];
  const numbers = text.match(/(?<![\w.])\d+(?:\.\d+)*/g) ?? [];
  const words = text.match(/(?<![\p{L}\p{N}_'’])[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  const spelled = words.flatMap((word) => spelledNumber(word) ?? []);
  const symbols = text.match(/<=|>=|[-+*/%^]=?(?=\s)|[<>≤≥≠=[\]{}|&^]/g) ?? [];
  return new Set([
    ...quoted,
    ...numbers,
    ...spelled,
    ...words.filter((word) => names.has(word) || isIdentifier(word)),
    ...symbols,
  ]);
}

/** The number that a word spells: 2 for `two`. `one` is not a number here, since it is often a pronoun. */
function spelledNumber(word: string): string | null {
  const at = numberWords.indexOf(word.toLowerCase());
  return at === -1 ? null : String(at);
}

/** snake_case, camelCase, capitals (XOR), a word with digits (xs2), and Python's constants. */
const isIdentifier = (word: string): boolean =>
  /_|\d/.test(word) || /^[A-Z]{2,}$/.test(word) || /[a-z][A-Z]/.test(word) || ['True', 'False', 'None'].includes(word);

/**
 * Tells why a text differs in meaning from `before`, in a few words; null if no difference was found. The words of
 * `before` are read once for all texts, and not at all for the same text.
 */
export function driftFrom(before: string, names: ReadonlySet<string>): (after: string) => string | null {
  let tokens: ReadonlySet<string> | null = null;
  return (after) => {
    if (after === before) return addedCode(after);
    tokens ??= guardedTokens(before, names);
    return movedTokens(tokens, guardedTokens(after, names)) ?? addedCode(after);
  };
}

function movedTokens(old: ReadonlySet<string>, now: ReadonlySet<string>): string | null {
  const lost = [...old].filter((token) => !now.has(token));
  const added = [...now].filter((token) => !old.has(token));
  if (lost.length > 0) return `lost ${lost.join(' ')}`;
  return added.length > 0 ? `added ${added.join(' ')}` : null;
}

const addedCode = (text: string): string | null =>
  /"""|'''|```|>>>|(?:^|\s)(?:def \w+\(|assert )/.test(text) ? 'code or quotes were added' : null;

/**
 * The names in a prompt's signature: the entry point and its parameters, except `a`, `A` and `I`, which are also
 * English words.
 */
export function signatureNames(prompt: string, entryPoint: string): Set<string> {
  const signature = new RegExp(`def\\s+${entryPoint}\\s*\\(([^)]*)\\)`).exec(prompt)?.[1] ?? '';
  const parameters = signature.split(',').map((part) => /^\s*\*{0,2}(\w+)/.exec(part)?.[1] ?? '');
  return new Set(
    [entryPoint, ...parameters.filter((name) => name.length > 1 || /[^aAI]/.test(name))].filter((name) => name !== ''),
  );
}
