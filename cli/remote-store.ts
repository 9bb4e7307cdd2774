import { InputError } from '../domain/errors.ts';

/** Throws `InputError` where the environment asks for a store that runs cannot be kept in yet. */
export function refuseRemoteStore(verb: string, env: Readonly<Record<string, string | undefined>>): void {
  // `store` prepares one, `doctor` checks it.
  if (['store', 'doctor'].includes(verb)) return;
  for (const [name, example] of [
    ['EVENKEEL_STORE', 'postgres://...'],
    ['EVENKEEL_BLOBS', 's3://...'],
  ] as const)
    if (/^[\w+]+:\/\//.test(env[name] ?? ''))
      throw new InputError(
        `names a store on servers (${example}), in which this version cannot keep runs yet; unset it, and name a ` +
          'folder with --runs-dir or EVENKEEL_RUNS',
        { field: name },
      );
}
