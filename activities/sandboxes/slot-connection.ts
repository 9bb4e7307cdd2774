/**
 * Watches a slot's stream: splits it into frames, and stops the slot if it sends invalid data, or nothing while an
 * answer is due. The same for every program that a slot may run.
 */
import { SandboxFault } from './sandbox.ts';
import { createFrameSplitter, encodeFrame, type Frame, magic } from './zygote/zygote-frames.ts';
import type { ZygoteLink } from './zygote/zygote-link.ts';

export interface SlotConnection<Ready> {
  /** The slot's first message. Rejects with `SandboxFault` if it does not start within a minute. */
  readonly ready: Promise<Ready>;
  /** Resolves with the slot's last words when it has ended, after `Listener.lost`. */
  readonly gone: Promise<string>;
  isAlive(): boolean;
  wasKilled(): boolean;
  send(...frame: Parameters<typeof encodeFrame>): void;
  /** Starts measuring silence: an idle slot was asked something. */
  expectAnswer(): void;
  stop(): Promise<void>;
}

export interface Listener<Ready> {
  /** Handles a frame; throwing stops the slot, for an invalid answer. */
  hear(frame: Frame, onReady: (ready: Ready) => void): void;
  isAnswerDue(): boolean;
  /** The slot has ended: no more answers come. */
  lost(): void;
}

const startTimeoutMs = 60_000;
/** A working slot reports once a second; after this silence it counts as lost. */
const usualSilenceMs = 20_000;
const lookEveryMs = 1000;

export function openConnection<Ready>(
  link: ZygoteLink,
  listener: Listener<Ready>,
  silenceMs = usualSilenceMs,
): SlotConnection<Ready> {
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
  return {
    ready: firstMessage(up.promise, gone, stop),
    gone,
    isAlive: () => alive,
    wasKilled: link.wasKilled,
    send,
    expectAnswer,
    stop,
  };
}

/** Waits for the slot's first message, up to the time limit for starting. */
async function firstMessage<T>(ready: Promise<T>, gone: Promise<string>, stop: () => Promise<void>): Promise<T> {
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
