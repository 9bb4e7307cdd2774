/** Tasks that a sandbox does only while no program runs: running programs finish first, new ones wait. */
import { SandboxFault } from './sandbox.ts';

export interface ExclusiveTasks {
  /**
   * Runs tasks one after another. `closing` aborts when the sandbox is closed.
   * Rejects with `SandboxFault` if it is closed before.
   */
  add<T>(work: (closing: AbortSignal) => Promise<T>): Promise<T>;
  /** True while a task runs or waits: no program may start. Starts a waiting task if the sandbox is idle. */
  holdsBack(): boolean;
  /** Resolves when no task runs. */
  close(): Promise<void>;
}

/**
 * @param isIdle whether no program runs
 * @param onChange called when the sandbox should check `holdsBack` again
 */
export function createExclusiveTasks(isIdle: () => boolean, onChange: () => void): ExclusiveTasks {
  const waiting: (() => Promise<void>)[] = [];
  const closing = new AbortController();
  let current: Promise<void> | null = null;
  return { add, holdsBack, close };

  function add<T>(work: (closing: AbortSignal) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const begin = (): Promise<T> =>
        closing.signal.aborted ? Promise.reject(closing.signal.reason as Error) : work(closing.signal);
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
