/** What a worker process may serve, and the names of the task queues. */
import { InputError } from '../domain/errors.ts';

/** `seal` is a part of `io` that another process may share: its pages are sealed by whoever has time. */
export const roles = ['workflow', 'llm', 'sandbox', 'io', 'seal'] as const;
export type Role = (typeof roles)[number];

/** Queues belong to a store of runs (store.ts), so that workers of another one never take its steps. */
export const taskQueue = (store: string, role: Role): string => `evenkeel-${store}-${role}`;

/** `io` brings `seal`. */
export function parseRoles(text: string): Role[] {
  const wanted = text.split(',').map((part) => part.trim());
  const unknown = wanted.find((role) => !roles.includes(role as Role));
  if (unknown !== undefined)
    throw new InputError(`roles are any of ${roles.join(', ')}, separated by commas; got "${unknown}"`, { field: '--roles' });
  return [...new Set([...(wanted as Role[]), ...(wanted.includes('io') ? (['seal'] as const) : [])])];
}
