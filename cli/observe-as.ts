/** Options about what a command tells of its work, as the variables that its workers read too. */
import { InputError } from '../domain/errors.ts';
import { metricsAddress } from '../workers/metrics/address.ts';

/** Throws InputError for an option that its variable would not allow. */
export function observeAs({ metrics }: { readonly metrics?: string }): void {
  if (metrics === undefined) return;
  if (metricsAddress({ EVENKEEL_METRICS: metrics }) === null)
    throw new InputError('is empty: name a port', { field: '--metrics' });
  process.env['EVENKEEL_METRICS'] = metrics;
}
