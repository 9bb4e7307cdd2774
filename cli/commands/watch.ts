/** `watch`: serves the report of a store's runs while they go. Reads only. */
import { counted } from '../../domain/counted.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import type { Terminal } from '../output/terminal.ts';
import { checkedPort } from '../port.ts';
import { storeName } from '../../activities/storage/opened-store.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import { createWatchApp } from '../serve/app.ts';
import { listen } from '../serve/listen.ts';
import { watchedRuns } from '../serve/watched-runs.ts';
import { stopSignal } from '../stop-signal.ts';

/** @param ids none for all runs of the folder */
export async function watch(
  ids: readonly string[],
  options: { readonly runsDir: string; readonly port: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  const wanted = checkedPort(options.port, '--port');
  for (const id of ids) await runCatalog(options.runsDir).find(id);
  const runs = watchedRuns(options.runsDir, [...new Set(ids)]);
  let port = wanted;
  const server = await listen(
    createWatchApp(runs, () => port),
    wanted,
  );
  ({ port } = server);
  const stopped = stopSignal();
  const url = `http://127.0.0.1:${port}/`;
  const what =
    ids.length === 0
      ? `the runs of ${storeName(options.runsDir)}`
      : ids.length === 1
        ? ids[0]
        : counted(ids.length, 'run');
  terminal.out(`${url} shows ${what}; Ctrl-C stops showing, and runs go on`);
  terminal.document({ url, port, runs: ids });
  try {
    await stopped;
  } finally {
    runs.close();
    server.close();
  }
  return exitStatus.done;
}
