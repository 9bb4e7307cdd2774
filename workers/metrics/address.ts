/** Where a process serves its metrics. */
import { InputError } from '../../domain/errors.ts';
import type { Environment } from '../temporal/cache-folder.ts';

/** A port of this machine; or a folder in which each worker of a run makes a socket for the run's owner. */
export type MetricsAddress = { readonly host: string; readonly port: number } | { readonly folder: string };

const folderPrefix = 'unix:';

/** `EVENKEEL_METRICS`: `[HOST:]PORT`, on the loopback address unless a host is named; null if it is not set. */
export function metricsAddress(env: Environment): MetricsAddress | null {
  const text = env['EVENKEEL_METRICS'] ?? '';
  if (text === '') return null;
  if (text.startsWith(folderPrefix)) return { folder: text.slice(folderPrefix.length) };
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  if (port !== '' && Number(port) <= 65_535) return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
  throw new InputError(`must be PORT or HOST:PORT, such as 9464, with a port up to 65535; got "${text}"`, {
    field: 'EVENKEEL_METRICS',
  });
}

export const folderAddress = (folder: string): string => `${folderPrefix}${folder}`;

/** For the person who asked. */
export const metricsLine = (host: string, port: number): string =>
  `metrics: http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`;
