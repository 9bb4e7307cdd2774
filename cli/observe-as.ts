/** Options about what a command tells of its work, as the variables that its workers read too. */
import { resolve } from 'node:path';
import { InputError } from '../domain/errors.ts';
import { metricsAddress } from '../workers/metrics/address.ts';

export interface ObserveOptions {
  readonly metrics?: string;
  readonly log?: string;
}

/** Throws InputError for an option that its variable would not allow. */
export function observeAs({ metrics, log }: ObserveOptions): void {
  if (log !== undefined) process.env['EVENKEEL_LOG_FILE'] = resolve(log);
  if (metrics === undefined) return;
  if (metricsAddress({ EVENKEEL_METRICS: metrics }) === null)
    throw new InputError('is empty: name a port', { field: '--metrics' });
  process.env['EVENKEEL_METRICS'] = metrics;
}
