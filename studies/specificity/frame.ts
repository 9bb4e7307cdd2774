/** A prompt as preamble, signature and description (section 3.3): only the description changes from variant to variant. */
import { signatureLines } from '../../domain/benchmarks/signature-prompt.ts';
import { commentBeforeSignature } from '../../domain/extraction/cpp-text.ts';
import { boundNames, definesName, dedent, statementsOf } from '../../domain/extraction/statements.ts';
import type { Task } from '../../schemas/task.ts';
import { describedRange } from '../variants/prompt-parts.ts';

export interface PromptFrame {
  readonly language: Task['language'];
  /** Everything before the description's line: preamble and signature, in C++ the preamble alone. */
  readonly head: string;
  readonly indentation: string;
  /** The quotes as they open, with their prefix: `"""`, `r'''`; in C++ the comment's mark. */
  readonly opening: string;
  /** The benchmark's own description, without the margin that its lines share. */
  readonly description: string;
  /** What stands behind the closing quotes; in C++ the signature. */
  readonly tail: string;
  /** The benchmark's own words in this frame: verbatim where they come with a signature. */
  readonly original: string;
}

/**
 * Null where a task has no description, or no signature: neither its prompt nor its reference defines the entry point by `def`. Where the
 * prompt has words only, the signature is the reference's, with those of its imports that the signature names.
 */
export function promptFrame(task: Pick<Task, 'prompt' | 'entryPoint' | 'reference'> & Partial<Pick<Task, 'language'>>): PromptFrame | null {
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

/** A comment right before the signature that ends the prompt. */
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

/** The first line of a docstring stands behind the quotes, without the others' margin. */
function withoutMargin(words: string): string {
  const [first = '', ...others] = words.trimEnd().split('\n');
  return (first.trim() === '' ? dedent(others.join('\n')) : [first.trim(), dedent(others.join('\n'))].join('\n')).trim();
}

/** The prompt with another description, given as the text of a docstring or comment; null is the minimal prompt, without one. */
export function framed(
  { language, head, indentation, opening, tail }: Pick<PromptFrame, 'language' | 'head' | 'indentation' | 'opening' | 'tail'>,
  description: string | null,
): string {
  if (description === null) return language === 'cpp' ? `${head}${tail.trimStart()}` : `${head.trimEnd()}\n`;
  const lines = description.split('\n').map((line, index) => (index === 0 || line.trim() === '' ? line.trim() : indentation + line));
  if (language === 'cpp') return `${head}${opening}${lines.join('\n')}\n*/${tail}`;
  return `${head}${indentation}${opening}${lines.join('\n')}\n${indentation}${opening.slice(-3)}${tail}`;
}

/**
 * Words of a model or a person as the text of a docstring or comment: nothing that would close it, no escapes. What is that already stays as it is, since models are shown
 * docstrings and quote from them.
 */
export const escaped = (words: string, language: Task['language']): string =>
  language === 'cpp'
    ? words.replaceAll('*/', '* /').replaceAll('/*', '/ *')
    : words
        .replaceAll(/\\+/g, (run) => (run.length % 2 === 0 ? run : `${run}\\`))
        .replaceAll('"""', "'''")
        .replaceAll("'''", "''");
