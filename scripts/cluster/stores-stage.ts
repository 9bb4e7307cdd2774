/** The servers of stores beyond one machine: found, installed or built before their tests, so that none waits. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Stage } from '../stage.ts';
import { objectServerProgram } from './object-server.ts';
import { findPostgres, noPostgres } from './postgres-server.ts';

type Required = Pick<ReadonlySet<'postgres' | 'objects'>, 'has'>;

/**
 * Tests of a missing server are skipped, unless it is required. The object server is built from now on, in parallel
 * with the earlier stages.
 */
export function storesStage(required: Required, env: NodeJS.ProcessEnv): Stage {
  const objects = objectServerProgram(() => {}).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return {
    name: 'PostgreSQL and S3 server',
    run: async () => {
      const missing = { postgres: postgres(required.has('postgres'), env), objects: await objects };
      const notes = Object.values(missing).filter((why) => why !== null);
      for (const note of notes) console.log(note);
      const failed = (['postgres', 'objects'] as const).some((name) => required.has(name) && missing[name] !== null);
      return { result: failed ? 'failed' : notes.length === 0 ? 'passed' : 'not run', notes };
    },
  };
}

const installLimitMs = 300_000;

/** Why there is none; installs Debian's package, as root, where EVENKEEL_SETUP_ENGINE allows it. */
function postgres(isRequired: boolean, env: NodeJS.ProcessEnv): string | null {
  if (findPostgres() !== null) return null;
  const mayInstall = env['EVENKEEL_SETUP_ENGINE'] === '1' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!isRequired || !mayInstall) return noPostgres;
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'postgresql']]) {
    // RUNLEVEL=1 keeps the package from starting a server for the whole machine.
    const options = { ...env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    const { status, stderr } = spawnSync('apt-get', args, { encoding: 'utf8', env: options, timeout: installLimitMs });
    if (status !== 0) return `apt-get ${args[0]}: ${stderr.trim().split('\n').at(-1) ?? status}`;
  }
  return findPostgres() === null ? noPostgres : null;
}
