/**
 * Files that this process has open as SQLite databases. By POSIX's rule a process loses all its locks on a file as soon
 * as it closes any descriptor of it: other programs, such as `sqlite3`, then remove the log with answers that are
 * nowhere else. So other descriptors of such a file stay open as long as the database does.
 */
import { closeSync, fstatSync, openSync, statSync, type Stats } from 'node:fs';

const held = new Map<string, { databases: number; readonly descriptors: number[] }>();

const keyOf = ({ dev, ino }: Stats): string => `${dev}/${ino}`;

/** Call when a database has been opened at `path`, and the function that it returns when it has been closed. */
export function holdFile(path: string): () => void {
  const key = keyOf(statSync(path));
  const file = held.get(key) ?? { databases: 0, descriptors: [] };
  held.set(key, file);
  file.databases += 1;
  return () => {
    file.databases -= 1;
    if (file.databases > 0) return;
    held.delete(key);
    for (const descriptor of file.descriptors) closeSync(descriptor);
  };
}

/** Opens any file, held or not, to read it. */
export function withDescriptor<T>(path: string, read: (descriptor: number) => T): T {
  const descriptor = openSync(path, 'r');
  try {
    return read(descriptor);
  } finally {
    const file = held.get(keyOf(fstatSync(descriptor)));
    if (file === undefined) closeSync(descriptor);
    else file.descriptors.push(descriptor);
  }
}
