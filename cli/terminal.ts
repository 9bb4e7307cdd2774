/** Where text goes: results to stdout, everything else to stderr; with --json exactly one document on stdout. */
import { stripVTControlCharacters } from 'node:util';

export interface Terminal {
  readonly json: boolean;
  /** A result for a person; left out under --json. */
  out(text: string): void;
  /** The one document under --json; left out without it. */
  document(value: unknown): void;
  /** News for a person: what is going on, what was chosen. */
  note(line: string): void;
  /** Replaces itself on a terminal; an ordinary line now and then elsewhere. */
  progress(line: string): void;
  /** Resolves when whoever reads has taken everything, or reads no more. A command ends after that, never before. */
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
      if (!json) process.stdout.write(`${clear()}${text}\n`);
    },
    document: (value) => {
      if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
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

/** A write is called back after all those before it, and with an error once nobody reads. */
const taken = (stream: NodeJS.WriteStream): Promise<void> => new Promise((resolve) => stream.write('', () => resolve()));

/** Replies and names come from elsewhere: nothing of them may steer the terminal. Tabs and line ends stay. */
export const plain = (text: string): string =>
  /^[ -~]*$/.test(text)
    ? text
    : stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, (control) => ('\t\n'.includes(control) ? control : ''));
