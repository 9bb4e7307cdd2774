/** A server of this machine's user: on the loopback address only. */
import { type ServerType, serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { InputError } from '../../domain/errors.ts';

export interface Listening {
  readonly port: number;
  /** At once: open connections are cut. */
  close(): void;
}

/** @param port 0 picks a free one. Throws `InputError` for a port in use */
export async function listen(app: Pick<Hono, 'fetch'>, port: number): Promise<Listening> {
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port });
  return {
    port: await listeningPort(server, port),
    close: () => {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}

const listeningPort = (server: ServerType, wanted: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portFault(error, wanted) ?? error));
    server.once('listening', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used by this user',
};

function portFault({ code = '' }: NodeJS.ErrnoException, port: number): InputError | null {
  const reason = reasons[code];
  if (reason === undefined) return null;
  return new InputError(`${port} ${reason}: name another port, or 0 for a free one`, { field: '--port' });
}
