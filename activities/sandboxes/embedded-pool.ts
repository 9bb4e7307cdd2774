/** The warm processes of the embedded sandbox: one more than are taken, so that a killed one is replaced at once. */
import type { EmbeddedProcess } from './embedded-process.ts';
import { SandboxFault } from './sandbox.ts';

export interface EmbeddedPool {
  /** A warm process; starts one when none waits. Throws `SandboxFault` when it cannot be started. */
  take(): Promise<EmbeddedProcess>;
  /** A process that has run nothing yet. */
  takeFresh(): Promise<EmbeddedProcess>;
  /** Back for the next program, dead or alive. */
  give(process: EmbeddedProcess): void;
  /** Kills every process, also those that are starting, and waits until they are gone. */
  close(): Promise<void>;
}

export function createEmbeddedPool(start: (signal: AbortSignal) => Promise<EmbeddedProcess>): EmbeddedPool {
  const all = new Set<EmbeddedProcess>();
  const launches = new Set<Promise<EmbeddedProcess>>();
  const closing = new AbortController();
  let idle: EmbeddedProcess[] = [];
  let spare: Promise<EmbeddedProcess> | null = null;
  return { take, takeFresh, give, close };

  async function take(): Promise<EmbeddedProcess> {
    idle = idle.filter((process) => process.isAlive());
    return await claim(idle.pop() ?? null);
  }

  async function takeFresh(): Promise<EmbeddedProcess> {
    return await claim(null);
  }

  async function claim(waiting: EmbeddedProcess | null): Promise<EmbeddedProcess> {
    if (closing.signal.aborted) throw new SandboxFault('the embedded sandbox is closed');
    if (waiting === null) {
      const pending = spare ?? launch();
      spare = null;
      const process = await pending;
      keepSpare();
      return process;
    }
    keepSpare();
    return waiting;
  }

  function give(process: EmbeddedProcess): void {
    if (process.isAlive()) idle.push(process);
    keepSpare();
  }

  function keepSpare(): void {
    if (closing.signal.aborted || idle.length > 0 || spare !== null) return;
    const launched = launch();
    spare = launched;
    launched.then(
      (process) => settleSpare(launched, process),
      // Whoever needs a process next starts one and hears why it fails.
      () => settleSpare(launched, null),
    );
  }

  function settleSpare(launched: Promise<EmbeddedProcess>, process: EmbeddedProcess | null): void {
    if (spare !== launched) return;
    spare = null;
    if (process !== null) idle.push(process);
  }

  function launch(): Promise<EmbeddedProcess> {
    const launched = start(closing.signal).then((process) => {
      all.add(process);
      void process.gone.then(() => all.delete(process));
      return process;
    });
    launches.add(launched);
    void launched.catch(() => undefined).then(() => launches.delete(launched));
    return launched;
  }

  async function close(): Promise<void> {
    closing.abort();
    await Promise.allSettled([...launches]);
    await Promise.all([...all].map((process) => process.kill()));
  }
}
