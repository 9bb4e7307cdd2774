/** Finds out before any work begins whether a process could serve its metrics where it is told to. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { InputError } from '../../domain/errors.ts';
import type { Environment } from '../temporal/cache-folder.ts';
import { metricsAddress } from './address.ts';

/** Throws the system's error for an address that cannot be used, and `InputError` for an unknown name of a host. */
export async function checkMetricsAddress(env: Environment): Promise<void> {
  const address = metricsAddress(env);
  if (address === null || 'folder' in address) return;
  const probe = createServer();
  try {
    probe.listen(address);
    await once(probe, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'getaddrinfo') throw error;
    throw new InputError(`no address is known for "${address.host}": name an address of this machine, or a port only`, {
      field: 'EVENKEEL_METRICS',
    });
  }
  probe.close();
  await once(probe, 'close');
}
