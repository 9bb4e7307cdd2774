/** Makes writes to one file durable, in another thread while the event loop continues. */
import { close as closeDescriptor, fdatasync, openSync } from 'node:fs';

export interface FileSync {
  /** Resolves when everything written before the call is on disk. Rejects with the system's error. */
  sync(): Promise<void>;
  /** Calls in progress still finish. */
  close(): void;
}

/** @param path a file that is never replaced and exists by the first `sync` */
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
