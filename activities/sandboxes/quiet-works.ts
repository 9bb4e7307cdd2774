/** Work that a sandbox does while it runs no program: what runs ends first, what comes waits. */
import { SandboxFault } from './sandbox.ts';

export interface QuietWorks {
  /** One work after another. `closing` aborts when the sandbox is closed. Rejects with `SandboxFault` when it is closed before. */
  add<T>(work: (closing: AbortSignal) => Promise<T>): Promise<T>;
  /** True while there is such work, which begins now if it can: no program may be started. */
  holdsBack(): boolean;
  /** Ends when no work goes on. */
  close(): Promise<void>;
}

/**
 * @param isIdle no program runs
 * @param onChange to look again
 */
export function createQuietWorks(isIdle: () => boolean, onChange: () => void): QuietWorks {
  const waiting: (() => Promise<void>)[] = [];
  const closing = new AbortController();
  let current: Promise<void> | null = null;
  return { add, holdsBack, close };

  function add<T>(work: (closing: AbortSignal) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const begin = (): Promise<T> => (closing.signal.aborted ? Promise.reject(closing.signal.reason as Error) : work(closing.signal));
      waiting.push(() => begin().then(resolve, reject));
      onChange();
    });
  }

  function holdsBack(): boolean {
    if (current !== null) return true;
    if (waiting.length === 0 || !isIdle()) return waiting.length > 0;
    current = waiting.shift()?.() ?? null;
    void current?.finally(() => {
      current = null;
      onChange();
    });
    return true;
  }

  async function close(): Promise<void> {
    closing.abort(new SandboxFault('the sandbox was closed while it timed programs'));
    await Promise.all([current, ...waiting.splice(0).map((work) => work())]);
  }
}
