/** Names the tasks that were lost or gained. */
import type { GateCheck } from './evaluate.ts';

/** Most names in a line of text; the JSON document has all of them. */
const mostNames = 20;

/** Up to two lines: tasks lost, tasks gained. */
export function flipsOf({ tasks }: GateCheck): string[] {
  if (tasks === undefined) return [];
  return [named('lost', tasks.lostIds), named('gained', tasks.gainedIds)].filter((line) => line !== null);
}

function named(what: string, ids: readonly string[]): string | null {
  if (ids.length === 0) return null;
  const more = ids.length - mostNames;
  return `${what}: ${ids.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
