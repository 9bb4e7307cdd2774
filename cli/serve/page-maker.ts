/** Orders pages from the process that makes them, which is started when needed and ended when it has nothing to do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism, totalmem } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bounds } from '../../analysis/database.ts';
import type { RunTables } from '../../analysis/run-folder.ts';
import type { MadePage, PageOrder } from './page-process.ts';

export interface PageMaker {
  /** The content of a run's page as HTML, made from what is stored now. Rejects with the reason in words. */
  make(tables: RunTables): Promise<string>;
  /** At once: what is being made is given up. */
  close(): void;
}

/** At most half of the machine: the run needs the rest. */
export const pageBounds: Bounds = {
  threads: Math.max(1, Math.floor(availableParallelism() / 2)),
  memory: Math.floor(totalmem() / 2 / 1024 / 1024),
};

const program = fileURLToPath(new URL(`./page-process${extname(import.meta.url)}`, import.meta.url));
/** A process without orders holds memory that the run may need. */
const idleMs = 60_000;

type Settle = (made: MadePage) => void;

export function createPageMaker(): PageMaker {
  const waiting = new Map<number, Settle>();
  let [child, orders, idle]: [ChildProcess | null, number, NodeJS.Timeout | undefined] = [null, 0, undefined];

  function end(fault: string): void {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = null;
    for (const [number, settle] of waiting) settle({ number, fault });
    waiting.clear();
  }

  function start(): ChildProcess {
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Ctrl-C is for this process, which ends that one.
      detached: true,
    });
    started.on('message', (made: MadePage) => {
      waiting.get(made.number)?.(made);
      waiting.delete(made.number);
      clearTimeout(idle);
      if (waiting.size === 0) idle = setTimeout(() => end(''), idleMs).unref();
    });
    started.once('error', ({ message }) => started === child && end(message));
    started.once('exit', (code, signal) => {
      if (started === child) end(`the process that makes the page ended (${signal ?? `status ${code}`})`);
    });
    return started;
  }

  return {
    async make(tables) {
      clearTimeout(idle);
      child ??= start();
      const order: PageOrder = { number: ++orders, tables, bounds: pageBounds };
      const made = await new Promise<MadePage>((resolve) => {
        waiting.set(order.number, resolve);
        child?.send(order);
      });
      if ('fault' in made) throw new Error(made.fault);
      return made.content;
    },
    close: () => end('stopped'),
  };
}
