/** A worker tells the process that owns it that it lives and is not stuck. */
import { Socket } from 'node:net';

/** The descriptor on which a worker writes, and its owner reads. */
export const beatDescriptor = 3;
const beatMs = 2_000;

/** Does nothing in a worker that somebody else has started. Never waits: the owner may be suspended. */
export function beatToOwner(): void {
  if (process.env['EVENKEEL_OWNER'] === undefined) return;
  const owner = new Socket({ fd: beatDescriptor, readable: false, writable: true });
  // It may have died; `until-drained.ts` sees to that.
  owner.on('error', () => clearInterval(timer));
  owner.unref();
  const beat = (): void => {
    if (owner.writableLength === 0) owner.write('.');
  };
  const timer = setInterval(beat, beatMs).unref();
  beat();
}
