import { describe, inject } from 'vitest';

const server = inject('objects');

/** In this process, and in those that it starts. */
if ('there' in server) Object.assign(process.env, server.there.env);

let stores = 0;

/** A place in the bucket without anything in it. */
export function newObjects(): string {
  if ('missing' in server) throw new Error(server.missing);
  stores += 1;
  return `${server.there.bucket}/t-${process.pid}-${stores}-${Date.now()}`;
}

/** Tests that need an S3 server: skipped, with the reason in their name, on a machine without one. */
export function onObjects(name: string, tests: () => void): void {
  if ('missing' in server) describe.skip(`${name} (${server.missing})`, tests);
  else describe(name, tests);
}
