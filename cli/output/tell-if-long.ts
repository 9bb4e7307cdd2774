/** Says what a command is at, if that takes long. */
import type { Terminal } from './terminal.ts';

const longMs = 2_000;

/** @param what for example "writing the report" */
export async function tellIfLong<T>(
  terminal: Pick<Terminal, 'progress'>,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => terminal.progress(what), longMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
