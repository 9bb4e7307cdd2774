/** Starts the servers that the tests of remote stores share, before the first of them. */
import type { TestProject } from 'vitest/node';
import { requiredParts } from '../../../../scripts/parts.ts';
import { objectServerProgram, startObjectServer } from '../../../../scripts/cluster/object-server.ts';
import { postgresPrograms, startPostgres } from '../../../../scripts/cluster/postgres-server.ts';

/** What a test gets of a server, or why there is none. */
type Part<T> = { readonly there: T } | { readonly missing: string };

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: Part<string>;
    readonly objects: Part<{ readonly bucket: string; readonly env: Readonly<Record<string, string>> }>;
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** @returns what ends the servers */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const required = requiredParts(process.env);
  const [postgres, objects] = await Promise.all([
    // Nothing is to survive the machine.
    start(required.has('postgres'), () => startPostgres(postgresPrograms(), { settings: ['fsync=off'] })),
    start(required.has('objects'), async () => startObjectServer(await objectServerProgram(say))),
  ]);
  provide('postgres', 'there' in postgres ? { there: postgres.there.address } : postgres);
  provide(
    'objects',
    'there' in objects ? { there: { bucket: objects.there.bucket, env: objects.there.env } } : objects,
  );
  return async () => {
    for (const part of [postgres, objects]) if ('there' in part) await part.there.stop();
  };
}

async function start<T>(isRequired: boolean, starting: () => Promise<T>): Promise<Part<T>> {
  try {
    return { there: await starting() };
  } catch (error) {
    if (isRequired) throw error;
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}
