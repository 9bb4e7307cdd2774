/** The roles of worker processes and the names of their task queues. */
import { InputError } from '../domain/errors.ts';
import { sha256 } from '../domain/ids.ts';
import type { Pinning } from './build/pinning.ts';

/** `seal` is a part of `io` that other processes may share: any process with spare time seals pages. */
export const roles = ['workflow', 'llm', 'sandbox', 'io', 'seal'] as const;
export type Role = (typeof roles)[number];

/**
 * A queue belongs to one store of runs (store.ts), so that workers of another store never take its steps; and to one
 * build of the program where the server does not keep builds apart itself (build/pinning.ts).
 */
export const taskQueue = (store: string, { build, isVersioned }: Pinning, role: Role): string =>
  `${queuePrefix(store)}${isVersioned ? '' : `${build}-`}${role}`;

export const queuePrefix = (store: string): string => `evenkeel-${store}-`;

/** For programs of one sandbox. */
export const sandboxQueue = (store: string, pinning: Pinning, imageDigest: string): string =>
  `${taskQueue(store, pinning, 'sandbox')}-${sandboxMark(imageDigest)}`;

/**
 * The part of a sandbox queue's name that identifies the image: a run's programs wait for a worker with exactly the
 * sandbox that the run was planned for.
 */
export const sandboxMark = (imageDigest: string): string => sha256(imageDigest).slice(0, 8);

/** `io` includes `seal`. */
export function parseRoles(text: string): Role[] {
  const wanted = text.split(',').map((part) => part.trim());
  const unknown = wanted.find((role) => !roles.includes(role as Role));
  if (unknown !== undefined)
    throw new InputError(`expected a comma-separated list of ${roles.join(', ')}; got "${unknown}"`, {
      field: '--roles',
    });
  return [...new Set([...(wanted as Role[]), ...(wanted.includes('io') ? (['seal'] as const) : [])])];
}
