/** Extracts code from a model's reply, for all studies. The raw reply is always stored with the result. */
import { bareBody, bareCode, behindContinuation } from './bare-code.ts';
import { type Block, fencedBlocks } from './fences.ts';
import { answerText } from './reply-text.ts';
import { tidied, withHelpers } from './solution.ts';
import { boundNames, dedent, definesName, statementsOf } from './statements.ts';

/** How the code was found, or, from `empty` on, why there is none. */
export const extractions = [
  /** In one fenced block. */
  'fenced',
  /** In several blocks, or completed by helpers and imports of the prompt. */
  'joined',
  /** In a block that the reply never closed. */
  'unclosed_fence',
  /** The whole reply is code. */
  'bare',
  /** Between lines of prose, without a fence. */
  'in_prose',
  /** Only a body for the prompt's signature. */
  'body',
  /** In a string of a JSON reply. */
  'json',
  /** In a recording whose authors had extracted it from the reply. */
  'recorded',
  'empty',
  'prose_only',
  /** Only blocks of another language. */
  'other_language',
  /** Only tests or example calls. */
  'tests_only',
  /** No block, or several, under a rule that wants exactly one. */
  'not_one_block',
] as const;
export type Extraction = (typeof extractions)[number];

export interface ExtractionContext {
  readonly entryPoint: string;
  /**
   * The benchmark's prompt, if it is Python that ends in the entry point's signature;
   * needed for answers that only give a body.
   */
  readonly prompt?: string | undefined;
}

export interface ExtractedCode {
  /** A module that ends in one newline; null if the reply has no code. */
  readonly code: string | null;
  readonly how: Extraction;
  /** Number of top-level tests, example calls and `__main__` blocks that were removed. */
  readonly removed: number;
}

/** A text chosen from a reply. */
export interface FoundCode {
  readonly text: string;
  readonly how: Extraction;
}

/** Never throws; linear in the reply's length. */
export function extractCode(reply: string, context: ExtractionContext): ExtractedCode {
  const answer = answerText(reply);
  if (answer === '') return { code: null, how: reply.trim() === '' ? 'empty' : 'prose_only', removed: 0 };
  const found = fromJson(answer, context) ?? fromText(answer, context);
  if (typeof found === 'string') return { code: null, how: found, removed: 0 };
  const { code, removed } = tidied(withoutEntities(found.text), context.entryPoint);
  return code === '' ? { code: null, how: 'tests_only', removed } : { code, how: found.how, removed };
}

function fromText(answer: string, context: ExtractionContext): FoundCode | 'prose_only' | 'other_language' {
  const { blocks, outside } = fencedBlocks(withTagsAsFences(answer));
  const fenced = fromBlocks(blocks, context) ?? fromJsonBlock(blocks, context);
  if (fenced !== null) return fenced;
  const behind = behindContinuation(outside);
  // If the whole function follows a helper's body, the function is the answer.
  const isWholeBehind = behind !== null && implementsName(behind, context.entryPoint);
  const continued = isWholeBehind ? null : continuation(outside, behind, context);
  if (continued !== null) return continued;
  const bare = bareCode(isWholeBehind ? behind : outside);
  if (bare !== null)
    return withPrompt({ text: bare.text, how: bare.prose || blocks.length > 0 ? 'in_prose' : 'bare' }, [], context);
  const body = bodyAnswer([outside], context);
  if (body !== null) return body;
  return blocks.some((block) => isForeign(block.tag)) ? 'other_language' : 'prose_only';
}

/** The body of the prompt's function, with helpers from the text after it. */
function continuation(outside: string, behind: string | null, context: ExtractionContext): FoundCode | null {
  if (behind === null && !/^\s*\n?[ \t]/.test(outside)) return null;
  const body = bodyAnswer([outside], context);
  return body === null ? null : withPrompt(body, [behind ?? outside], context);
}

/** Some models mark code with tags instead of fences. */
function withTagsAsFences(text: string): string {
  if (text.includes('```') || !/\[PYTHON\]|<(?:code|python|solution|answer)\b/i.test(text)) return text;
  return text
    .replace(/\[PYTHON\]|<(?:code|python|solution|answer)\b[^<>\n]{0,80}>/gi, '\n```\n')
    .replace(/\[\/PYTHON\]|<\/(?:code|python|solution|answer)>/gi, '\n```\n');
}

const pythonTags = new Set([
  '',
  'python',
  'python3',
  'python2',
  'py',
  'py3',
  'ipython',
  'pycon',
  'plaintext',
  'text',
  'txt',
  'code',
  'plain',
]);
export const isForeign = (tag: string): boolean => !pythonTags.has(tag);

function fromBlocks(all: readonly Block[], context: ExtractionContext): FoundCode | null {
  const blocks = all.map((block) => ({ ...block, text: withoutShellPrompts(block.text) }));
  const defining = blocks.filter(({ text }) => implementsName(withoutEntities(text), context.entryPoint));
  const chosen = best(defining) ?? null;
  const python = blocks.filter(({ tag }) => !isForeign(tag));
  if (chosen !== null) return withPrompt(foundIn(chosen), othersOf(python, chosen), context);
  const body = bodyAnswer(
    python.map(({ text }) => text),
    context,
  );
  if (body !== null) return body;
  const other =
    longest(python.filter(({ text }) => /^(?:(?:async\s+)?def|class)\s|^\w+\s*=\s*lambda\b/m.test(text))) ??
    python.find(hasStatements);
  return other === undefined ? null : withPrompt(foundIn(other), othersOf(python, other), context);
}

/** Whether the source binds the name other than by an import, which only shows how to use it. */
export const implementsName = (source: string, name: string): boolean =>
  source.includes(name) &&
  statementsOf(source).some(
    (statement) => !/^(?:import|from)\s/.test(statement.head) && boundNames(statement).includes(name),
  );

const foundIn = ({ text, closed }: Block): FoundCode => ({ text, how: closed ? 'fenced' : 'unclosed_fence' });
const othersOf = (blocks: readonly Block[], chosen: Block): string[] =>
  blocks.filter((block) => block !== chosen).map(({ text }) => text);

/** The last definition, usually the corrected one; but a complete block goes before a cut-off one or a stub. */
function best(blocks: readonly Block[]): Block | undefined {
  const full = blocks.filter(({ text }) => !isStub(text));
  return full.findLast(({ closed }) => closed) ?? full.at(-1) ?? blocks.at(-1);
}

/** A signature without a real body, shown for explanation. */
const isStub = (text: string): boolean =>
  /:\s*(?:#.*)?\n\s*(?:\.\.\.|pass)\s*(?:#.*)?$/.test(text.trimEnd()) && text.trimEnd().split('\n').length <= 3;

function longest(blocks: readonly Block[]): Block | undefined {
  return blocks.reduce<Block | undefined>(
    (a, b) => (a === undefined || b.text.length > a.text.length ? b : a),
    undefined,
  );
}

/** Whether an untagged block is code rather than an example's output. */
function hasStatements({ tag, text }: Block): boolean {
  return tag.startsWith('py')
    ? text.trim() !== ''
    : statementsOf(text).some((statement) => boundNames(statement).length > 0);
}

/** The prompt, whose last definition is the entry point, followed by the first of `texts` that begins like a body. */
export function bodyAnswer(texts: readonly string[], { prompt, entryPoint }: ExtractionContext): FoundCode | null {
  if (prompt === undefined || !definesName(prompt, entryPoint)) return null;
  for (const text of texts) {
    const body = bareBody(text);
    if (body !== null && !/^ {4}(?:def|class)\s/.test(body))
      return { text: `${prompt.trimEnd()}\n${body}`, how: 'body' };
  }
  return null;
}

/** Adds what the code uses from other blocks and from the prompt's own imports and helpers. */
export function withPrompt(
  found: FoundCode,
  otherBlocks: readonly string[],
  { prompt, entryPoint }: ExtractionContext,
): FoundCode {
  const promptCode = prompt !== undefined && definesName(prompt, entryPoint) ? [prompt] : [];
  const { code, joined } = withHelpers(dedent(found.text), [...promptCode, ...otherBlocks], entryPoint);
  return joined ? { text: code, how: 'joined' } : found;
}

/** The input lines of an interactive session, without its outputs. */
function withoutShellPrompts(text: string): string {
  if (!/^>>> (?:(?:async )?def|class|import|from|@)/m.test(text)) return text;
  return text
    .split('\n')
    .filter((line) => /^(?:>>>|\.\.\.)(?: |$)/.test(line))
    .map((line) => line.slice(4))
    .join('\n');
}

const entities: readonly (readonly [entity: RegExp, char: string])[] = [
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&quot;/g, '"'],
  [/&#0?39;|&#x27;|&apos;/g, "'"],
  [/&amp;/g, '&'],
];

/** Undoes HTML escaping, recognised by an entity whose plain character does not occur. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return entities.reduce((code, [entity, char]) => {
    const plain = code.replace(entity, char === '&' ? char : '');
    const escaped =
      plain !== code && (char === '&' ? !/&(?!(?:amp|lt|gt|quot|apos|#\w+);)/.test(code) : !plain.includes(char));
    return escaped ? code.replace(entity, char) : code;
  }, text);
}

const codeFields = [
  'code',
  'solution',
  'python',
  'program',
  'function',
  'answer',
  'completion',
  'response',
  'content',
  'output',
  'result',
];

/** A reply that is JSON from end to end. */
function fromJson(answer: string, context: ExtractionContext): FoundCode | null {
  const text = answer.trim();
  if (!/^[[{"]/.test(text) || !/[\]}"]$/.test(text) || text.startsWith('[PYTHON]') || text.startsWith('"""'))
    return null;
  const inner = codeField(parsedJson(text), 0);
  if (inner === null) return null;
  const found = fromText(answerText(inner), context);
  return typeof found === 'string' ? null : { text: found.text, how: 'json' };
}

function fromJsonBlock(blocks: readonly Block[], context: ExtractionContext): FoundCode | null {
  const block = blocks.find(({ tag }) => tag === 'json');
  return block === undefined ? null : fromJson(block.text, context);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The string with the code: under a usual name, else the first one that defines something. */
function codeField(json: unknown, depth: number): string | null {
  if (typeof json === 'string') return json;
  if (json === null || typeof json !== 'object' || depth > 3) return null;
  const fields = Object.entries(json);
  const named = codeFields
    .map((name) => fields.find(([key]) => key.toLowerCase() === name)?.[1])
    .find((value) => value !== undefined);
  if (named !== undefined) return codeField(named, depth + 1);
  const defining = fields
    .map(([, value]) => codeField(value, depth + 1))
    .find((text) => text !== null && /\bdef\s/.test(text));
  return defining ?? null;
}
