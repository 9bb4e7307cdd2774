/**
 * The Temporal server of a runs directory: a named cluster, or evenkeel's own server, which is kept alive while in use.
 */
import { join } from 'node:path';
import { openedStore } from '../activities/storage/opened-store.ts';
import { InputError } from '../domain/errors.ts';
import { chooseServer } from './temporal/choose-server.ts';
import { ensureServer, stopUnusedServer } from './temporal/embedded-server.ts';
import type { Environment } from './temporal/cache-folder.ts';
import { heldLeases } from './temporal/leases.ts';
import { leaseFolder } from './temporal/server-files.ts';
import type { TemporalSettings } from './temporal/settings.ts';
import { watchServer } from './temporal/watch-server.ts';

export interface OpenTemporal {
  readonly settings: TemporalSettings;
  readonly pid: number | null;
  /** Whether other processes may use the server too: it gives each step of a run to whichever worker is free. */
  isShared(): Promise<boolean>;
  close(): Promise<void>;
}

export interface OpenTemporalOptions {
  readonly runsDir: string;
  readonly env: Environment;
  readonly onLine: (line: string) => void;
  /** The embedded server cannot be kept alive. */
  readonly onGiveUp: (error: Error) => void;
}

/** Throws `InputError` for a store on servers: a Temporal server of this machine would be of no use to other hosts. */
export function refuseWithoutCluster(): void {
  if (openedStore() === null) return;
  throw new InputError(
    'must name a Temporal server that all hosts reach, as host:port, where EVENKEEL_STORE names servers',
    { field: 'TEMPORAL_ADDRESS' },
  );
}

export async function openTemporal({ runsDir, env, onLine, onGiveUp }: OpenTemporalOptions): Promise<OpenTemporal> {
  const choice = await chooseServer({ env, onProgress: onLine });
  if (choice.kind !== 'cluster') refuseWithoutCluster();
  onLine(choice.line);
  if (choice.kind === 'cluster')
    return { settings: choice.settings, pid: null, isShared: async () => true, close: async () => {} };
  const server = { stateDir: stateFolder(runsDir), executable: choice.executable, onProgress: onLine };
  const { address, namespace, pid, lease } = await ensureServer(server);
  const watch = watchServer({ ...server, onGiveUp });
  return {
    settings: { address, namespace, apiKey: null, tls: null },
    pid,
    isShared: async () => (await heldLeases(leaseFolder(server.stateDir))) > 1,
    close: async () => {
      await watch.stop();
      await lease.release();
    },
  };
}

/** To call after a run has ended: a killed command may have left its server running. */
export const closeUnusedTemporal = (runsDir: string): Promise<void> => stopUnusedServer(stateFolder(runsDir));

const stateFolder = (runsDir: string): string => join(runsDir, '.temporal');
