/** What a run has stored so far, as a text to compare with an earlier one. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import { sha256 } from '../../domain/ids.ts';

/** Changes with every page that the run stores; null if there is no run to read. */
export async function storedState(home: RunHome): Promise<string | null> {
  if (!home.isOnServers) return stateOfFolder(home.folder);
  const { state, parts } = await home.manifest();
  return sha256([state, ...parts.map(({ path }) => path)].join('\n'));
}

/** A look at a file: this is asked every second. */
function stateOfFolder(folder: string): string | null {
  const file = statSync(join(folder, 'manifest.json'), { throwIfNoEntry: false });
  return file === undefined ? null : [file.ino, file.size, file.mtimeMs].join(' ');
}
