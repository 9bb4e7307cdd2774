/**
 * Examples as one block of JSON inside the page: a plain index, and compressed chunks that the page unpacks when an
 * example is opened. The block cannot contain markup: `<` is escaped in the index, and chunks are base64.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Example, ExampleEntry, ExampleMessage } from './examples/example.ts';
import { visibleJson } from './html.ts';

export interface ExamplePack {
  readonly json: string;
  /** Ids of the examples that fitted. */
  readonly ids: ReadonlySet<string>;
}

const examplesPerChunk = 40;
/** Keeps the file, with charts and tables, below 15 MB. */
const mostBytesOfChunks = 11_000_000;

/** Packs examples in order until the chunks would exceed `mostBytes` in total. */
export async function packExamples(examples: readonly Example[], mostBytes = mostBytesOfChunks): Promise<ExamplePack> {
  const groups = chunksOf(examples, examplesPerChunk);
  const chunks = await Promise.all(groups.map(packChunk));
  const fitting = chunks.slice(0, countFitting(chunks, mostBytes));
  const packed = groups.slice(0, fitting.length).flat();
  const index = { examplesPerChunk, examples: packed.map(indexEntry), chunks: fitting };
  return { json: safeJson(index), ids: new Set(packed.map(({ id }) => id)) };
}

/** For a page that asks its server for what it opens: by its id after `from`. */
export const servedExamples = (entries: readonly ExampleEntry[], from: string): ExamplePack => ({
  json: safeJson({ from, examples: entries.map(indexEntry) }),
  ids: new Set(entries.map(({ id }) => id)),
});

/** How many of the first chunks fit into `mostBytes` in total. */
function countFitting(chunks: readonly string[], mostBytes: number): number {
  let left = mostBytes;
  const over = chunks.findIndex(({ length }) => {
    left -= length;
    return left < 0;
  });
  return over === -1 ? chunks.length : over;
}

/** The fields that the list shows and filters by, without long texts. */
const indexEntry = ({ steps: _steps, ...entry }: ExampleEntry & Partial<Pick<Example, 'steps'>>): ExampleEntry => entry;

async function packChunk(examples: readonly Example[]): Promise<string> {
  const texts = new Map<string, number>();
  const place = (text: string): number => {
    if (!texts.has(text)) texts.set(text, texts.size);
    return texts.get(text) as number;
  };
  const placed = (messages: readonly ExampleMessage[]): object[] =>
    messages.map(({ role, content }) => ({ role, content: place(content) }));
  const steps = examples.map((example) =>
    example.steps.map((step) => ({
      ...step,
      messages: placed(step.messages),
      original: step.original === null ? null : placed(step.original),
      reply: place(step.reply),
      solution: step.solution === null ? null : place(step.solution),
    })),
  );
  const bytes = await promisify(gzip)(visibleJson({ steps, texts: [...texts.keys()] }));
  return bytes.toString('base64');
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** JSON that cannot close the script element that contains it. */
const safeJson = (value: unknown): string => visibleJson(value).replaceAll('<', '\\u003c');
