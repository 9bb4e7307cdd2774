/** Calls that were in flight when the process of a run ended: no spend has them before the next resume. */
import { counted } from '../../domain/counted.ts';
import { usdText } from '../../analysis/report/format.ts';
import { isSettled, type RunSnapshot } from './run-snapshot.ts';

export interface LeftInFlight {
  readonly calls: number;
  /** What the next resume charges for them, the most that they can cost; those of unknown price left out. */
  readonly usd: number;
  readonly callsOfUnknownPrice: number;
}

/** Null while a process works on the run, and if there are none. */
export function leftInFlight(seen: Pick<RunSnapshot, 'manifest' | 'owned' | 'calls'>): LeftInFlight | null {
  const open = isSettled(seen) ? seen.calls.filter(({ inFlight }) => inFlight > 0) : [];
  if (open.length === 0) return null;
  const unknown = open.filter(({ inFlightUsd }) => inFlightUsd === null);
  return {
    calls: sum(open.map(({ inFlight }) => inFlight)),
    usd: sum(open.map(({ inFlightUsd }) => inFlightUsd ?? 0)),
    callsOfUnknownPrice: sum(unknown.map(({ inFlight }) => inFlight)),
  };
}

/** A line; none if there is nothing to say. */
export function leftInFlightTexts(seen: Parameters<typeof leftInFlight>[0]): string[] {
  const left = leftInFlight(seen);
  if (left === null) return [];
  const { calls, usd, callsOfUnknownPrice: unknown } = left;
  const charges = [
    ...(usd > 0 ? [`up to ${usdText(usd)} more`] : []),
    ...(unknown > 0 ? [`the price of ${unknown === calls ? 'all' : unknown} is not known`] : []),
  ];
  const then =
    charges.length === 0 ? 'the next resume asks' : `${charges.join(', and ')}; charged at the next resume, which asks`;
  return [`${counted(calls, 'call')} ${calls === 1 ? 'was' : 'were'} in flight when its process ended: ${then} again`];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
