/** A slot's two streams and its life, whatever holds the zygote: a container, or a process behind bubblewrap. */

export interface ZygoteLink {
  write(bytes: Buffer): void;
  /** Who hears what the zygote writes. One listener. */
  listen(onChunk: (chunk: Buffer) => void): void;
  /** Resolves, with what is known about it, when the slot is gone for whatever reason. */
  readonly gone: Promise<string>;
  /** Once it is gone: by a signal that no program in it can send, so by somebody else, or by the kernel for want of memory. */
  wasKilled(): boolean;
  /** Ends the slot and everything in it; resolves when nothing is left. */
  stop(): Promise<void>;
}

/** What is first process of a slot: it runs programs, or it measures their text. */
export type SlotProgram = 'zygote.py' | 'quality.py';

/** What can start slots. */
export interface ZygoteHost {
  /** Starts the zygote of slot `index`, on one core only when that is given. Throws `SandboxFault` when it cannot. */
  start(index: number, core?: number | null): Promise<ZygoteLink>;
  /** A core that a slot can be bound to; null where slots cannot be bound. */
  dedicatedCore(): Promise<number | null>;
  /** Whether the host itself is well, so that the loss of a slot says something about the program in it. */
  isWell(): Promise<boolean>;
  close(): Promise<void>;
}
