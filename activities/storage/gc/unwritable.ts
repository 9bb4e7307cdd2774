/** What a disk or the rights of a folder keep: `gc` lists it as staying, and promises nothing of it. */
import { dirname } from 'node:path';
import { isWritable } from '../files/is-writable.ts';
import type { Collection, Removable } from './removable.ts';

/** Why nothing can be removed from these folders, null if it can. */
export function unwritable(folders: Iterable<string>): string | null {
  for (const folder of folders)
    if (!isWritable(folder))
      return `cannot be removed: ${folder} is read-only for you (its disk, or the rights of the folder)`;
  return null;
}

/** Files and folders that go with one rename each: what lies in a read-only folder stays. */
export function withoutUnwritable(found: readonly Removable[]): Collection {
  const seen = found.map((one) => ({ one, why: unwritable([dirname(one.path)]) }));
  return {
    removable: seen.flatMap(({ one, why }) => (why === null ? [one] : [])),
    kept: seen.flatMap(({ one: { kind, name, path, bytes }, why }) =>
      why === null ? [] : [{ kind, name, path, bytes, why }],
    ),
  };
}
