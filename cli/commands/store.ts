/** `store prepare`: makes the tables of a store on PostgreSQL. */
import { postgresAddress } from '../../activities/storage/postgres/address.ts';
import { isPostgresAddress } from '../../activities/storage/servers.ts';
import { prepareStore } from '../../activities/storage/postgres/prepare.ts';
import { InputError } from '../../domain/errors.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import type { Terminal } from '../output/terminal.ts';

export async function store(
  action: string,
  { role }: { readonly role?: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  if (action !== 'prepare') throw new InputError(`the action must be "prepare"; got "${action}"`);
  const address = process.env['EVENKEEL_STORE'] ?? '';
  if (!isPostgresAddress(address))
    throw new InputError('must name the database to prepare, as postgres://user@host/database', {
      field: 'EVENKEEL_STORE',
    });
  const { from, to } = await prepareStore(address, role === undefined ? {} : { role });
  const { name } = postgresAddress(address);
  terminal.out(`${name}: its tables have version ${to}${from === to ? ', as before' : ` (before: ${from})`}`);
  if (role !== undefined) terminal.out(`role ${role} may read and write their rows, and nothing else`);
  terminal.document({ store: name, from, to });
  return exitStatus.done;
}
