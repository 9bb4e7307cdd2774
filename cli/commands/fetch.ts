/** `fetch`: downloads benchmarks from their public sources and checks their SHA-256. */
import { benchmarkPath, catalogueEntries, readCatalogue } from '../../activities/benchmarks/catalogue.ts';
import { fetchFile } from '../../activities/benchmarks/fetch-file.ts';
import { benchmarksFolder, catalogueFolder } from '../benchmark-folders.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import type { Terminal } from '../output/terminal.ts';

export async function fetchBenchmarks(
  names: readonly string[],
  options: { folder?: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  const folder = benchmarksFolder(options.folder);
  const fetched = [];
  for (const entry of catalogueEntries(readCatalogue(catalogueFolder), names)) {
    const path = benchmarkPath(folder, entry);
    terminal.note(`${entry.name}: ${entry.file.url} (licence: ${entry.licence})`);
    const end = await fetchFile(entry.file, path);
    terminal.out(`${entry.name}: ${end}, ${path}`);
    fetched.push({ name: entry.name, path, end });
  }
  terminal.document({ fetched });
  return exitStatus.done;
}
