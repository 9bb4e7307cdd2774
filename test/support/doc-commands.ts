/**
 * Commands in the documents: those in `sh` blocks and CI workflows, which a reader can copy, and those within lines of
 * text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

const markdownOf = (folder: string): string[] =>
  readdirSync(join(repository, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => name.endsWith('.md'))
    .sort();

/** In the order in which they are tested: the README makes a run that others name. */
export const documents: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...markdownOf('docs'),
  ...markdownOf('data'),
];

export interface DocCommand {
  readonly document: string;
  readonly text: string;
}

interface DocBlock {
  readonly document: string;
  readonly tag: string;
  readonly text: string;
}

const textOf = (document: string): string => readFileSync(join(repository, document), 'utf8');
/** Including indented and quoted ones. */
const fenced = /^[ \t>]*(`{3,}|~{3,})([^\n`]*)\n([\s\S]*?)^[ \t>]*\1[ \t]*$/gm;

const blocksOf = (document: string): DocBlock[] =>
  [...textOf(document).matchAll(fenced)].map(([, , tag = '', text = '']) => ({ document, tag: tag.trim(), text }));

/** A CI workflow: its steps are commands, too. */
const workflow = z.object({
  jobs: z.record(z.string(), z.object({ steps: z.array(z.object({ run: z.string().optional() })) })),
});

/** The commands of `sh` blocks, and the steps of workflows, in the order of the document. */
export const commandsOf = (document: string): DocCommand[] =>
  blocksOf(document)
    .flatMap(({ tag, text }) => (tag === 'sh' ? typedCommands(text) : tag === 'yaml' ? stepsOf(text) : []))
    .map((text) => ({ document, text }));

/** A command with a here-document, or a line that ends in a backslash, spans several lines. */
const typedCommands = (text: string): string[] =>
  [...text.matchAll(/^[^\n]*<<'EOF'\n[\s\S]*?^EOF$|^(?:[^\n]*\\\n)*[^\n]+$/gm)]
    .map(([one]) => one)
    .filter((one) => !/^\s*#/.test(one));

function stepsOf(text: string): string[] {
  const { data } = workflow.safeParse(parse(text));
  return Object.values(data?.jobs ?? {}).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
}

/** Lines in other blocks that look like commands. */
export const strayCommands = (): DocCommand[] =>
  documents
    .flatMap(blocksOf)
    .filter(({ tag, text }) => tag !== 'sh' && (tag !== 'yaml' || stepsOf(text).length === 0))
    .flatMap(({ document, text }) => text.split('\n').map((line) => ({ document, text: line })))
    .filter(({ text }) => /^[ \t>]*(?:\$ |(?:npx|npm|node|evenkeel|docker|curl|pip|python3?) )/.test(text));

/**
 * Texts in backticks or after `npx` that begin with a program of evenkeel, including patterns (`RUN` for some run).
 */
export const mentionedCommands = (): DocCommand[] =>
  documents.flatMap((document) =>
    [...textOf(document).matchAll(/(?:npx |`)(evenkeel [a-z][^`\n&|#]*)|`((?:npm|npx vitest|node) [^`\n]*)`/g)].map(
      ([, ours, other]) => ({
        document,
        text: (ours ?? other ?? '').trim(),
      }),
    ),
  );
