/**
 * Extraction cases as text files: a line that starts with `@@` opens a case, one of its facts or one of its texts.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface ExtractionCase {
  readonly name: string;
  /** The model that writes such replies, with the source; absent if no model is known for it. */
  readonly seen?: string | undefined;
  readonly entryPoint: string;
  readonly prompt?: string | undefined;
  readonly reply: string;
  /**
   * `passes`: the program passes `asserts` and prints nothing; `code`: there is a program, right or wrong; `no_code`:
   * there is none.
   */
  readonly expect: 'passes' | 'code' | 'no_code';
  readonly asserts: string;
  /** The exact program, if the reply leaves no doubt. */
  readonly code?: string | undefined;
}

const folder = new URL('cases/', import.meta.url);

const disguises: Readonly<Record<string, (text: string) => string>> = {
  crlf: (text) => text.replaceAll('\n', '\r\n'),
  cr: (text) => text.replaceAll('\n', '\r'),
  tabs: (text) => text.replaceAll('    ', '\t'),
  bom: (text) => `\uFEFF${text}`,
};

function disguised(text: string, names: string): string {
  return names
    .split(' ')
    .filter((name) => name !== '')
    .reduce((changed, name) => {
      const disguise = disguises[name];
      if (!disguise)
        throw new Error(`"${name}" is no disguise of a reply; known are ${Object.keys(disguises).join(', ')}.`);
      return disguise(changed);
    }, text);
}

/** `key: value` on the line of the marker, or a text on the lines below it. */
function parts(text: string): Map<string, string> {
  const found = text.split(/^@@ /m).filter((part) => part !== '');
  return new Map(
    found.map((part) => {
      const line = part.slice(0, part.indexOf('\n'));
      const colon = line.indexOf(': ');
      return colon >= 0
        ? [line.slice(0, colon), line.slice(colon + 2)]
        : [line, part.slice(line.length + 1).replace(/\n{1,2}$/, '')];
    }),
  );
}

function readCase(text: string): ExtractionCase {
  const part = parts(text);
  const name = part.get('case') ?? '';
  const entryPoint = part.get('entry');
  const reply = part.get('reply');
  if (entryPoint === undefined || reply === undefined) throw new Error(`The case "${name}" lacks an entry or a reply.`);
  const expect = part.get('expect') ?? 'passes';
  if (expect !== 'passes' && expect !== 'code' && expect !== 'no_code')
    throw new Error(`The case "${name}" expects "${expect}".`);
  return {
    name,
    seen: part.get('seen'),
    entryPoint,
    prompt: part.get('prompt'),
    reply: disguised(reply, part.get('as') ?? ''),
    expect,
    asserts: part.get('asserts') ?? '',
    code: part.get('code'),
  };
}

export function extractionCases(): ExtractionCase[] {
  const files = readdirSync(folder).sort();
  return files.flatMap((file) =>
    readFileSync(new URL(file, folder), 'utf8')
      .split(/^(?=@@ case: )/m)
      .filter((text) => text !== '')
      .map(readCase),
  );
}
