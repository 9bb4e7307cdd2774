/** The warm processes of the embedded sandbox: one more than in use, so that a killed one is replaced at once. */
import type { EmbeddedProcess } from './embedded-process.ts';
import { SandboxFault } from '../sandbox.ts';

export interface EmbeddedPool {
  /** A warm process; starts one if none is idle. Throws `SandboxFault` if it cannot be started. */
  take(): Promise<EmbeddedProcess>;
  /** A process that has run nothing yet. */
  takeFresh(): Promise<EmbeddedProcess>;
  /** Returns a process to the pool, dead or alive. */
  give(process: EmbeddedProcess): void;
  /** Kills every process, including those that are starting, and waits until they have ended. */
  close(): Promise<void>;
}

export function createEmbeddedPool(start: (signal: AbortSignal) => Promise<EmbeddedProcess>): EmbeddedPool {
  return new WarmProcesses(start);
}

class WarmProcesses implements EmbeddedPool {
  readonly #start: (signal: AbortSignal) => Promise<EmbeddedProcess>;
  readonly #all = new Set<EmbeddedProcess>();
  readonly #launches = new Set<Promise<EmbeddedProcess>>();
  readonly #closing = new AbortController();
  #idle: EmbeddedProcess[] = [];
  #spare: Promise<EmbeddedProcess> | null = null;

  constructor(start: (signal: AbortSignal) => Promise<EmbeddedProcess>) {
    this.#start = start;
  }

  readonly take = async (): Promise<EmbeddedProcess> => {
    this.#idle = this.#idle.filter((process) => process.isAlive());
    return await this.#claim(this.#idle.pop() ?? null);
  };

  readonly takeFresh = async (): Promise<EmbeddedProcess> => {
    return await this.#claim(null);
  };

  readonly give = (process: EmbeddedProcess): void => {
    if (process.isAlive()) this.#idle.push(process);
    this.#keepSpare();
  };

  readonly close = async (): Promise<void> => {
    this.#closing.abort();
    await Promise.allSettled([...this.#launches]);
    await Promise.all([...this.#all].map((process) => process.kill()));
  };

  async #claim(waiting: EmbeddedProcess | null): Promise<EmbeddedProcess> {
    if (this.#closing.signal.aborted) throw new SandboxFault('the embedded sandbox is closed');
    if (waiting === null) {
      const pending = this.#spare ?? this.#launch();
      this.#spare = null;
      const process = await pending;
      this.#keepSpare();
      return process;
    }
    this.#keepSpare();
    return waiting;
  }

  #keepSpare(): void {
    if (this.#closing.signal.aborted || this.#idle.length > 0 || this.#spare !== null) return;
    const launched = this.#launch();
    this.#spare = launched;
    launched.then(
      (process) => this.#settleSpare(launched, process),
      // The next `take` starts a process and reports the error.
      () => this.#settleSpare(launched, null),
    );
  }

  #settleSpare(launched: Promise<EmbeddedProcess>, process: EmbeddedProcess | null): void {
    if (this.#spare !== launched) return;
    this.#spare = null;
    if (process !== null) this.#idle.push(process);
  }

  #launch(): Promise<EmbeddedProcess> {
    const launched = this.#start(this.#closing.signal).then((process) => {
      this.#all.add(process);
      void process.gone.then(() => this.#all.delete(process));
      return process;
    });
    this.#launches.add(launched);
    void launched.catch(() => undefined).then(() => this.#launches.delete(launched));
    return launched;
  }
}
