/** A slot's stream under watch: cut into frames, and ended when nonsense comes or nothing at all while an answer is due. The same for every program that a slot may hold. */
import { SandboxFault } from './sandbox.ts';
import { createFrameSplitter, encodeFrame, type Frame, magic } from './zygote-frames.ts';
import type { ZygoteLink } from './zygote-link.ts';

export interface SlotLine<Ready> {
  /** What it said when it came up. Rejects with `SandboxFault` when it does not within a minute. */
  readonly ready: Promise<Ready>;
  /** Resolves with what is known about it when the slot is gone, after `Listener.lost`. */
  readonly gone: Promise<string>;
  isAlive(): boolean;
  wasKilled(): boolean;
  send(...frame: Parameters<typeof encodeFrame>): void;
  /** Silence counts from now on: something was asked of a slot that had nothing to do. */
  expectAnswer(): void;
  stop(): Promise<void>;
}

export interface Listener<Ready> {
  /** A throw ends the slot: what it says is no answer. */
  hear(frame: Frame, comesUp: (ready: Ready) => void): void;
  isAnswerDue(): boolean;
  /** The slot is gone: no answer comes any more. */
  lost(): void;
}

const startTimeoutMs = 60_000;
/** A slot that is at work says so once a second; after this silence it is lost. */
const usualSilenceMs = 20_000;
const lookEveryMs = 1000;

export function openLine<Ready>(link: ZygoteLink, listener: Listener<Ready>, silenceMs = usualSilenceMs): SlotLine<Ready> {
  let alive = true;
  let heardAt = performance.now();
  const up = Promise.withResolvers<Ready>();
  const stop = async (): Promise<void> => {
    alive = false;
    await link.stop();
  };
  const gone = link.gone.then((why) => {
    alive = false;
    listener.lost();
    return why;
  });
  const watch = setInterval(() => {
    if (listener.isAnswerDue() && performance.now() - heardAt > silenceMs) void stop();
  }, lookEveryMs);
  watch.unref();
  void gone.then(() => clearInterval(watch));

  const split = createFrameSplitter();
  link.listen((chunk) => {
    heardAt = performance.now();
    try {
      for (const frame of split(chunk)) listener.hear(frame, up.resolve);
    } catch {
      void stop();
    }
  });
  link.write(magic);
  const send = (...frame: Parameters<typeof encodeFrame>): void => link.write(encodeFrame(...frame));
  const expectAnswer = (): void => {
    heardAt = performance.now();
  };
  return { ready: comesUp(up.promise, gone, stop), gone, isAlive: () => alive, wasKilled: link.wasKilled, send, expectAnswer, stop };
}

/** Its first word, within the time that a slot has for it. */
async function comesUp<T>(ready: Promise<T>, gone: Promise<string>, stop: () => Promise<void>): Promise<T> {
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
