/**
 * A process that derives the tables of one large run: in the worker they would add to the memory that the sweep left,
 * and keep its event loop from its heartbeats. It ends with its parent.
 */
import { setFlagsFromString } from 'node:v8';
import type { EncodedTable } from '../storage/parts/encoded-tables.ts';
import { derivedTables } from './derived-tables.ts';
import type { DeriveOrder } from './source-tables.ts';

export type DeriveMessage =
  | { readonly kind: 'table'; readonly table: EncodedTable }
  | { readonly kind: 'done' }
  /** `name` is that of the error, by which a person's fault is told from ours. */
  | { readonly kind: 'fault'; readonly name: string; readonly message: string };

const send = (message: DeriveMessage): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

async function derive(order: DeriveOrder): Promise<void> {
  for await (const table of derivedTables(order)) await send({ kind: 'table', table });
}

function faultOf(error: unknown): DeriveMessage {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'fault', name, message };
}

setFlagsFromString('--heap-growing-percent=60');
process.once('message', (order: DeriveOrder) => {
  derive(order).then(
    () => send({ kind: 'done' }),
    (error: unknown) => send(faultOf(error)),
  );
});
process.on('disconnect', () => process.exit(0));
