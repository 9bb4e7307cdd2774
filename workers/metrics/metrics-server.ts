/** Serves a process's metrics by HTTP, and reads those of another process. */
import { once } from 'node:events';
import { createServer, get, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';

/** Of Prometheus' text format 0.0.4. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8';

export interface MetricsServer {
  /** The port in use; 0 for a socket. */
  readonly port: number;
  close(): void;
}

/** Throws the system's error if the address cannot be used. Answers `GET /metrics` and nothing else. */
export async function serveMetrics(
  address: { readonly host: string; readonly port: number } | { readonly path: string },
  render: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end('GET /metrics\n');
      return;
    }
    render().then(
      (body) => response.writeHead(200, { 'content-type': contentType }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(address);
  await once(server, 'listening');
  // A process must be able to end although somebody scrapes it.
  server.unref();
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const limitMs = 2_000;

/** Empty if nobody serves there, or does not answer within two seconds: a worker may be starting or ending. */
export function readMetrics(from: Pick<RequestOptions, 'host' | 'port' | 'socketPath'>): Promise<string> {
  return new Promise((resolve) => {
    const request = get({ ...from, path: '/metrics', agent: false, timeout: limitMs }, (response) => {
      text(response).then(resolve, () => resolve(''));
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(''));
  });
}
