import { storeAt } from '../activities/storage/opened-store.ts';
import { quoted } from '../activities/storage/files/quoted.ts';

/** For commands to copy, with a space before it; nothing where the environment names the store. */
export const runsDirOption = (runsDir: string): string =>
  storeAt(runsDir) === null ? ` --runs-dir ${quoted(runsDir)}` : '';
