/** A slot's two streams and its lifetime, whether the zygote runs in a container or under bubblewrap. */

export interface ZygoteLink {
  write(bytes: Buffer): void;
  /** Sets the listener for the zygote's output, one at a time. */
  listen(onChunk: (chunk: Buffer) => void): void;
  /** Resolves with the slot's last words when it has ended, for any reason. */
  readonly gone: Promise<string>;
  /**
   * After its end: whether it was ended by a signal that no program in it can send; that is, by someone else, or by the
   * kernel for lack of memory.
   */
  wasKilled(): boolean;
  /** Ends the slot and everything in it; resolves when all of it has ended. */
  stop(): Promise<void>;
}

/** First process of a slot: runs programs, or measures their text. */
export type SlotProgram = 'zygote.py' | 'quality.py';

/** Starts slots. */
export interface ZygoteHost {
  /** Starts the zygote of slot `index`, on one core only if `core` is given. Throws `SandboxFault` if it cannot. */
  start(index: number, core?: number | null): Promise<ZygoteLink>;
  /** A core that a slot can be bound to; null if slots cannot be bound. */
  dedicatedCore(): Promise<number | null>;
  /** Whether the host itself is up, so that the loss of a slot says something about the program in it. */
  isWell(): Promise<boolean>;
  /**
   * Processes that the kernel has ended so far for lack of memory other than the slots' own. Absent if all memory of a
   * slot is limited: then its own programs are the reason.
   */
  memoryKills?(): number;
  /** Bytes that the machine, or the control group in which evenkeel runs, has left. Absent: not known. */
  memoryFree?(): number;
  close(): Promise<void>;
}
