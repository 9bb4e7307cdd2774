/** `accounts`: lists the accounts that their endpoints have closed, and opens one by hand. */
import { accountFileIn, closedAccounts, closedText, openAccounts } from '../../activities/calls/closed-accounts.ts';
import { InputError } from '../../domain/errors.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { plain, type Terminal } from '../output/terminal.ts';

export function accounts({ open }: { readonly open?: string }, terminal: Terminal): ExitStatus {
  const file = accountFileIn(cacheFolder(process.env));
  if (open !== undefined && openAccounts(file, open) === 0)
    throw new InputError(
      `no account at ${open} was used on this machine in the last week; give the baseUrl exactly as in the spec`,
      {
        field: '--open',
      },
    );
  const closed = closedAccounts(file, Date.now());
  for (const account of closed) terminal.out(plain(closedText(account)));
  if (open !== undefined) terminal.out(`opened: ${open}; runs continue within 30 s`);
  else if (closed.length === 0) terminal.out('no account is closed');
  terminal.document({ closed });
  return exitStatus.done;
}
