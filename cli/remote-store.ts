/** Commands that do not work with a store on servers. */
import { InputError } from '../domain/errors.ts';

/** By verb: what keeps it from there. */
const onlyInFolders: Readonly<Record<string, string>> = {
  demo: 'its server of simulated models and its runs are of this machine',
  import: 'it makes a run in a folder',
  multiverse: 'it judges replies again in runs that it makes in folders',
  record: 'it writes next to runs of this machine',
  rescore: 'it makes a run from the folder of another',
  server: 'the Temporal server that it starts is of a folder',
  taxonomy: 'it reads labels from the folder of a run',
};

/** Throws `InputError` for a command that works with folders of runs only. */
export function refuseOnServers(verb: string): void {
  const why = onlyInFolders[verb];
  if (why !== undefined)
    throw new InputError(
      `names a store on servers, with which \`${verb}\` does not work: ${why}. Unset EVENKEEL_STORE and ` +
        'EVENKEEL_BLOBS for it, and name a folder with --runs-dir; `evenkeel move` takes a run to a folder and back',
      { field: 'EVENKEEL_STORE' },
    );
}
