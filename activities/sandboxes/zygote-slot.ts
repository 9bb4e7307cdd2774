/** One slot: a started zygote that runs one request after another and says how each program ended. */
import { createFrameSplitter, encodeFrame, type Frame, magic, type ProgramReply, type RunHeader } from './zygote-frames.ts';
import type { ZygoteLink } from './zygote-link.ts';
import type { SuiteInUse } from './zygote-suites.ts';
import { SandboxFault } from './sandbox.ts';

export interface SlotRun {
  readonly programs: readonly ProgramReply[];
  /** Encoded outputs of all programs, one after another, as the replies' sizes cut them. */
  readonly bodies: Buffer;
}

export interface Slot {
  readonly pythonVersion: string;
  /** Memory of a process that has added none, bytes. */
  readonly residentBytes: number;
  readonly runs: number;
  isAlive(): boolean;
  /** Null when the slot was lost before it answered. Requests queue inside; the first of them is the one that runs. */
  run(suite: SuiteInUse, lane: RunHeader['lane'], sources: readonly string[]): Promise<SlotRun | null>;
  readonly gone: Promise<string>;
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;
/** A zygote that runs something says so once a second; after this silence it is lost. */
export const usualSilenceMs = 20_000;
/** Suites that a zygote remembers. */
const suitesKept = 16;

/** Waits until the zygote is warm. Throws `SandboxFault` when it does not come up. */
export async function openSlot(link: ZygoteLink, silenceMs = usualSilenceMs): Promise<Slot> {
  const pending = new Map<number, (run: SlotRun | null) => void>();
  const known = new Set<number>();
  let alive = true;
  let runs = 0;
  let heardAt = performance.now();
  let onReady: (ready: { version: string; residentBytes: number }) => void = () => undefined;
  const ready = new Promise<{ version: string; residentBytes: number }>((resolve) => {
    onReady = resolve;
  });
  const stop = async () => {
    alive = false;
    await link.stop();
  };
  const gone = link.gone.then((why) => {
    alive = false;
    for (const settle of pending.values()) settle(null);
    pending.clear();
    return why;
  });
  const watch = setInterval(() => {
    if (pending.size > 0 && performance.now() - heardAt > silenceMs) void stop();
  }, 1000);
  watch.unref();
  void gone.then(() => clearInterval(watch));

  const split = createFrameSplitter();
  link.listen((chunk) => {
    heardAt = performance.now();
    try {
      for (const frame of split(chunk)) hear(frame);
    } catch {
      void stop();
    }
  });
  link.write(magic);
  const { version, residentBytes } = await comesUp(ready, gone, stop);
  return {
    pythonVersion: version,
    residentBytes,
    get runs() {
      return runs;
    },
    isAlive: () => alive,
    run,
    gone,
    stop,
  };

  function hear({ header, bodies }: Frame): void {
    if ('ready' in header) onReady(header.ready);
    else if ('run' in header) {
      const settle = pending.get(header.run);
      pending.delete(header.run);
      settle?.({ programs: header.programs, bodies });
    }
  }

  function run(suite: SuiteInUse, lane: RunHeader['lane'], sources: readonly string[]): Promise<SlotRun | null> {
    if (!alive) return Promise.resolve(null);
    const id = ++runs;
    const answer = new Promise<SlotRun | null>((resolve) => pending.set(id, resolve));
    if (pending.size === 1) heardAt = performance.now();
    teach(suite);
    link.write(encodeFrame({ run: id, suite: suite.id, lane }, sources));
    return answer;
  }

  /** The zygote gets a suite's cases once, and again after it had to make room for others. */
  function teach(suite: SuiteInUse): void {
    const isNew = !known.delete(suite.id);
    known.add(suite.id);
    if (!isNew) return;
    const forget = [...known].slice(0, Math.max(0, known.size - suitesKept));
    for (const id of forget) known.delete(id);
    link.write(encodeFrame({ ...suite.header, forget }, suite.cases));
  }
}

/** Its first word, within the time that a slot has for it. */
export async function comesUp<T>(ready: Promise<T>, gone: Promise<string>, stop: () => Promise<void>): Promise<T> {
  const timer = setTimeout(() => void stop(), startTimeoutMs);
  try {
    return await Promise.race([
      ready,
      gone.then((why): never => {
        throw new SandboxFault(`a sandbox slot did not start: ${why || 'no message'}`);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
