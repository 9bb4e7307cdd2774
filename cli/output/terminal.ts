/** Writes results to stdout and everything else to stderr; with --json, exactly one document to stdout. */
import { stripVTControlCharacters } from 'node:util';
import { jsonParts } from './json-text.ts';

export interface Terminal {
  readonly json: boolean;
  /** A result for a person; not written with --json. */
  out(text: string): void;
  /** The one document of --json; not written without it. */
  document(value: unknown): void;
  /** A message for a person: what is going on, what was chosen. */
  note(line: string): void;
  /** On a terminal replaces the previous progress line; elsewhere a line at most every ten seconds. */
  progress(line: string): void;
  /** Resolves when all output is read or the reader has closed it. A command must not end before. */
  flush(): Promise<void>;
}

const quietMs = 10_000;

export function createTerminal(json: boolean): Terminal {
  const live = process.stderr.isTTY;
  let shown = '';
  let lastLine = -Infinity;
  const clear = (): string => (live && shown !== '' ? '\r\x1b[2K' : '');
  const note = (line: string): void => {
    process.stderr.write(`${clear()}${line}\n`);
    shown = '';
  };
  return {
    json,
    out: (text) => {
      if (json) return;
      // The progress line is on stderr, and stdout may be a file.
      process.stderr.write(clear());
      shown = '';
      process.stdout.write(`${text}\n`);
    },
    document: (value) => {
      if (!json) return;
      for (const part of jsonParts(value)) process.stdout.write(part);
      process.stdout.write('\n');
    },
    note,
    progress: (line) => {
      if (live) {
        process.stderr.write(`\r\x1b[2K${line.slice(0, (process.stderr.columns ?? 120) - 1)}`);
        shown = line;
      } else if (performance.now() - lastLine > quietMs) {
        lastLine = performance.now();
        note(line);
      }
    },
    flush: async () => void (await Promise.all([taken(process.stdout), taken(process.stderr)])),
  };
}

/** The callback comes after those of all earlier writes, with an error if the reader closed the stream. */
const taken = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));

/** Control characters, and those that turn the direction of what follows. */
const unsafe = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Removes control characters except tabs and line ends, and those that turn the direction of what follows: replies and
 * names are not to be trusted.
 */
export const plain = (text: string): string =>
  /^[ -~]*$/.test(text)
    ? text
    : stripVTControlCharacters(text).replaceAll(unsafe, (control) => ('\t\n'.includes(control) ? control : ''));

/** As `plain`, but what it would remove is shown, as `\x1b`: for texts that somebody asked to see. */
export const escaped = (text: string): string =>
  text.replaceAll(unsafe, (control) => ('\t\n'.includes(control) ? control : escapeOf(control)));

/** Tabs and line ends at the end of a text, which nobody would see, are shown as `\x09`. */
export const withShownEnd = (text: string): string =>
  text.replace(/[\t\n\v\f\r]+$/, (end) => [...end].map(escapeOf).join(''));

function escapeOf(control: string): string {
  const code = control.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code}`;
}

/** As `plain`; a text from elsewhere cannot pass for further lines. */
export const inOneLine = (text: string): string => plain(text).replaceAll(/[\t\n]+/g, ' ');
