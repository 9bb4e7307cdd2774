/**
 * Keeps each run's calls on the keys of its own command: commands share the workers of a runs directory, and each
 * worker has the environment of whoever started it.
 */
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import type { RunRef } from '../../schemas/steps.ts';
import type { Spec } from '../../schemas/spec.ts';
import { otherKeys } from '../failures.ts';
import type { Runs } from '../runs/runs.ts';
import type { Handover } from './handover.ts';

/**
 * Marks the values of all environment variables that the spec's accounts name: equal for equal values, null if it names
 * none. The mark travels with the run, so it has 32 bits only, from which no key can be told.
 */
export function keysMark(spec: Spec, uuid: string, env: NodeJS.ProcessEnv): string | null {
  const names = keyNames(spec);
  if (names.length === 0) return null;
  const values = names.map((name) => [name, env[name] ?? null]);
  return sha256(canonicalJson([uuid, values])).slice(0, 8);
}

/** Whether the environment has any of the keys that the spec's accounts name. */
export const hasKeys = (spec: Spec, env: NodeJS.ProcessEnv): boolean =>
  keyNames(spec).some((name) => env[name] !== undefined);

const keyNames = ({ providers }: Spec): string[] =>
  [
    ...new Set(
      Object.values(providers).flatMap(({ apiKeyEnv, headersEnv = {} }) => [
        ...(apiKeyEnv === undefined ? [] : [apiKeyEnv]),
        ...Object.values(headersEnv),
      ]),
    ),
  ].sort();

export interface KeyCheckOptions {
  readonly runs: Pick<Runs, 'open'>;
  readonly env: NodeJS.ProcessEnv;
  readonly handover: Pick<Handover, 'refused'>;
  /** Takes a line for the person who started this worker; undefined if another command did. */
  readonly say: ((line: string) => void) | undefined;
}

const firstDelayMs = 100;
const longestDelayMs = 5_000;

/** Throws a failure that Temporal retries, here or elsewhere, if the command of the run has other keys. */
export function createKeyCheck({ runs, env, handover, say }: KeyCheckOptions) {
  const told = new Set<string>();
  return async (ref: RunRef, attempt: number): Promise<void> => {
    if (ref.keys === undefined) return;
    const { spec } = await runs.open(ref);
    if (keysMark(spec, ref.uuid, env) === ref.keys) return;
    handover.refused();
    if (!told.has(ref.uuid))
      say?.(
        `note: run ${ref.runId} was started with other keys than this worker has, so its calls are left to its own ` +
          'workers; start this worker with the same environment variables to share them',
      );
    told.add(ref.uuid);
    throw otherKeys(Math.min(longestDelayMs, firstDelayMs * 2 ** Math.max(0, attempt - 8)));
  };
}
