/** `move`: takes a run from a folder of this machine to servers, or back. */
import { resolve } from 'node:path';
import { moveRun, type Place } from '../../../activities/runs/move/move-run.ts';
import { repairFinished } from '../../../activities/runs/repair-run.ts';
import { folderCatalog } from '../../../activities/storage/catalog/folder-catalog.ts';
import { openedStore } from '../../../activities/storage/opened-store.ts';
import { openServers } from '../../../activities/storage/postgres/open-servers.ts';
import { copiesFolder, isPostgresAddress, type Servers, serversIn } from '../../../activities/storage/servers.ts';
import { InputError } from '../../../domain/errors.ts';
import { cacheFolder } from '../../../workers/temporal/cache-folder.ts';
import { commandName } from '../../command-name.ts';
import { type ExitStatus, exitStatus } from '../../exit-status.ts';
import type { Terminal } from '../../output/terminal.ts';

export interface MoveOptions {
  /** Of folders of runs. */
  readonly runsDir: string;
  readonly to: string;
  readonly blobs?: string;
}

export async function move(id: string, options: MoveOptions, terminal: Terminal): Promise<ExitStatus> {
  const { from, to, isToServers } = await ends(options);
  const moved = await moveRun(id, from, to);
  const manifest = await to.catalog.home(id).manifest();
  if (!isToServers && manifest.state === 'complete') await repairFinished(to.name, id);
  terminal.out(`${moved === 'there' ? 'was moved before' : 'moved'}: run "${id}" is in ${to.name} now`);
  terminal.note(`the copy in ${from.name} stays and can only be read; a move back replaces it`);
  if (manifest.state !== 'complete')
    terminal.out(
      isToServers
        ? `with EVENKEEL_STORE and EVENKEEL_BLOBS set, continue it from any host: ${commandName()} resume ${id}`
        : `continue it without EVENKEEL_STORE: ${commandName()} resume ${id} --runs-dir ${to.name}`,
    );
  terminal.document({ run: id, from: from.name, to: to.name, state: manifest.state, moved });
  return exitStatus.done;
}

interface Ends {
  readonly from: Place;
  readonly to: Place;
  readonly isToServers: boolean;
}

async function ends({ runsDir, to, blobs }: MoveOptions): Promise<Ends> {
  if (isPostgresAddress(to)) {
    const bucket = blobs ?? process.env['EVENKEEL_BLOBS'] ?? '';
    if (!bucket.startsWith('s3://'))
      throw new InputError(`must name the bucket for the run's files, as s3://bucket/prefix; got "${bucket}"`, {
        field: '--blobs',
      });
    const servers = serversIn({ EVENKEEL_STORE: to, EVENKEEL_BLOBS: bucket });
    return { from: { catalog: folderCatalog(runsDir), name: runsDir }, to: await opened(servers), isToServers: true };
  }
  if (blobs !== undefined)
    throw new InputError('goes with --to postgres://..., to servers; here the target is a folder', {
      field: '--blobs',
    });
  const servers = serversIn(process.env);
  if (servers === null)
    throw new InputError(
      `must be a database as postgres://user@host/database, with --blobs s3://bucket/prefix; got "${to}". To a ` +
        'folder a run is moved from servers, which EVENKEEL_STORE and EVENKEEL_BLOBS name; between folders use mv',
      { field: '--to' },
    );
  const folder = resolve(to);
  return { from: await opened(servers), to: { catalog: folderCatalog(folder), name: folder }, isToServers: false };
}

async function opened(servers: Servers | null): Promise<Place> {
  if (servers !== null) await openServers(servers, copiesFolder(servers, resolve(cacheFolder(process.env))), 'command');
  const store = openedStore();
  if (store === null) throw new InputError('names no database', { field: '--to' });
  return store;
}
