/** An HTTP server for programs on this machine. */
import { serve } from '@hono/node-server';

export interface LocalServer {
  readonly port: number;
  /** Closes open connections. */
  close(this: void): Promise<void>;
}

/** Serves on 127.0.0.1 only; port 0 picks a free one. Rejects if the port is in use. */
export async function serveLocally(
  fetch: Parameters<typeof serve>[0]['fetch'],
  wantedPort: number,
): Promise<LocalServer> {
  const server = serve({ fetch, hostname: '127.0.0.1', port: wantedPort });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    if ('closeAllConnections' in server) server.closeAllConnections();
    await closed;
  };
  return { port, close };
}
