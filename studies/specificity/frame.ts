/**
 * A prompt as preamble, signature and description (section 3.3): variants differ only in the description.
 */
import { signatureLines } from '../../domain/benchmarks/signature-prompt.ts';
import { commentBeforeSignature } from '../../domain/extraction/cpp-text.ts';
import { boundNames, definesName, dedent, statementsOf } from '../../domain/extraction/statements.ts';
import type { Task } from '../../schemas/task.ts';
import { describedRange } from '../variants/prompt-parts.ts';

export interface PromptFrame {
  readonly language: Task['language'];
  /** Everything before the description's line: preamble and signature; in C++ only the preamble. */
  readonly head: string;
  readonly indentation: string;
  /** The opening quotes with their prefix: `"""`, `r'''`; in C++ the start of the comment. */
  readonly opening: string;
  /** The benchmark's own description, without the common indentation of its lines. */
  readonly description: string;
  /** The text after the closing quotes; in C++ the signature. */
  readonly tail: string;
  /** The benchmark's own description in this frame; the verbatim prompt if it has a signature. */
  readonly original: string;
}

/**
 * Null if a task has no description or no signature: neither its prompt nor its reference defines the entry point with
 * `def`. If the prompt has only words, the signature is taken from the reference, with the imports that it uses.
 */
export function promptFrame(
  task: Pick<Task, 'prompt' | 'entryPoint' | 'reference'> & Partial<Pick<Task, 'language'>>,
): PromptFrame | null {
  const { prompt, entryPoint, reference } = task;
  if (task.language === 'cpp') return cppFrame(prompt);
  const { start, end } = describedRange(prompt, entryPoint);
  const words = prompt.slice(start, end);
  if (words.trim() === '') return null;
  if (!definesName(prompt, entryPoint)) return frameFromReference(words, entryPoint, reference);
  const opened = /([ \t]*)([rR]?(?:"""|'''))$/.exec(prompt.slice(0, start));
  if (opened === null) return null;
  const [quotes, indentation = '', opening = '"""'] = opened;
  return {
    language: 'python',
    head: prompt.slice(0, start - quotes.length),
    indentation,
    opening,
    description: withoutMargin(words),
    tail: prompt.slice(end + 3),
    original: prompt,
  };
}

/** The frame of a C++ prompt, which ends in a comment and a signature. */
function cppFrame(prompt: string): PromptFrame | null {
  const range = commentBeforeSignature(prompt);
  const words = range === null ? '' : prompt.slice(range.start, range.end);
  if (range === null || words.trim() === '') return null;
  return {
    language: 'cpp',
    head: prompt.slice(0, range.start - 2),
    indentation: '   ',
    opening: '/* ',
    description: withoutMargin(words),
    tail: prompt.slice(range.end + 2),
    original: prompt,
  };
}

function frameFromReference(words: string, entryPoint: string, reference: string): PromptFrame | null {
  const signature = signatureLines(reference, entryPoint);
  if (signature === null) return null;
  const frame = {
    language: 'python' as const,
    head: [...importsFor(signature, reference), signature, ''].join('\n'),
    indentation: '    ',
    opening: '"""',
    description: withoutMargin(words),
    tail: '\n',
  };
  return { ...frame, original: framed(frame, escaped(frame.description, frame.language)) };
}

/** Imports whose names the signature uses, in annotations or defaults. */
function importsFor(signature: string, reference: string): string[] {
  const named = new Set(signature.match(/\w+/g));
  return statementsOf(reference)
    .filter(({ head }) => /^(?:import|from)\s/.test(head))
    .filter((statement) => boundNames(statement).some((name) => named.has(name)))
    .map(({ head, text }) => text.slice(text.indexOf(head)));
}

/** Removes the common indentation; the first line of a docstring follows the quotes and has none. */
function withoutMargin(words: string): string {
  const [first = '', ...others] = words.trimEnd().split('\n');
  return (
    first.trim() === '' ? dedent(others.join('\n')) : [first.trim(), dedent(others.join('\n'))].join('\n')
  ).trim();
}

/**
 * The prompt with another description, given as the text of a docstring or comment; null gives the minimal prompt,
 * without a description.
 */
export function framed(
  {
    language,
    head,
    indentation,
    opening,
    tail,
  }: Pick<PromptFrame, 'language' | 'head' | 'indentation' | 'opening' | 'tail'>,
  description: string | null,
): string {
  if (description === null) return language === 'cpp' ? `${head}${tail.trimStart()}` : `${head.trimEnd()}\n`;
  const lines = description
    .split('\n')
    .map((line, index) => (index === 0 || line.trim() === '' ? line.trim() : indentation + line));
  if (language === 'cpp') return `${head}${opening}${lines.join('\n')}\n*/${tail}`;
  return `${head}${indentation}${opening}${lines.join('\n')}\n${indentation}${opening.slice(-3)}${tail}`;
}

/**
 * Escapes words of a model or a person for a docstring or comment, so that nothing closes it or is an escape sequence.
 * Text that is already escaped does not change: models see docstrings and quote from them.
 */
export const escaped = (words: string, language: Task['language']): string =>
  language === 'cpp'
    ? words.replaceAll('*/', '* /').replaceAll('/*', '/ *')
    : words
        .replaceAll(/\\+/g, (run) => (run.length % 2 === 0 ? run : `${run}\\`))
        .replaceAll('"""', "'''")
        .replaceAll("'''", "''");
