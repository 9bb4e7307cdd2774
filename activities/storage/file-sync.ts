/** Makes what was written to one file durable, in a thread of its own while the event loop goes on. */
import { close as closeDescriptor, fdatasync, openSync } from 'node:fs';

export interface FileSync {
  /** Resolves when all that was written before the call is on disk. Rejects with the system's error. */
  sync(): Promise<void>;
  /** Calls under way still end. */
  close(): void;
}

/** @param path of a file that is never replaced by another, and exists by the first `sync` */
export function createFileSync(path: string): FileSync {
  let descriptor: number | null = null;
  let underWay = 0;
  let isClosed = false;

  function closeWhenIdle(): void {
    if (!isClosed || underWay > 0 || descriptor === null) return;
    closeDescriptor(descriptor, () => {});
    descriptor = null;
  }

  function sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      descriptor ??= openSync(path, 'r');
      underWay += 1;
      fdatasync(descriptor, (error) => {
        underWay -= 1;
        closeWhenIdle();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  function close(): void {
    isClosed = true;
    closeWhenIdle();
  }

  return { sync, close };
}
