/** Moments to kill at: random ones of a sweep, and short phases in which a kill would do most damage. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerNumber } from '../ledger-look.ts';
import type { Moment } from './kill-study.ts';

/** Once this share of all calls has been asked, and up to a tenth of a second later. */
function atShare(share: number, calls: number, random: () => number): Moment {
  const wanted = Math.floor(share * calls);
  return {
    what: `at ${wanted} of ${calls} calls`,
    reached: ({ received }) => received >= wanted,
    thenMs: Math.floor(random() * 100),
  };
}

/** Ascending moments of one sweep, anywhere from its first call to its last but ten. */
export function randomMoments(count: number, calls: number, random: () => number): Moment[] {
  const shares = Array.from({ length: count }, () => random() * (1 - 10 / calls)).sort((a, b) => a - b);
  return shares.map((share) => atShare(share, calls, random));
}

export const atOnce: Moment = { what: 'at once', reached: () => true, thenMs: 0 };

/** Up to thirty calls after the previous moment, or at the last but one call if fewer are left. */
export function soon(calls: number, random: () => number): Moment {
  const more = 1 + Math.floor(random() * 30);
  let wanted: number | undefined;
  const reached: Moment['reached'] = ({ received }) => {
    wanted ??= Math.min(received + more, calls - 1);
    return received >= wanted;
  };
  return { what: `${more} calls later`, reached, thenMs: 0 };
}

/** Within the first seconds of a command: while it plans, starts its server, starts its workers. */
export function inStart(random: () => number): Moment {
  const ms = Math.floor(random() * 4_000);
  return { what: `${ms} ms after its start`, reached: ({ elapsedMs }) => elapsedMs >= ms, thenMs: 0 };
}

/** While the Temporal server starts: its process may exist but not be recorded yet. */
export const whileServerStarts = (random: () => number): Moment => ({
  what: 'while the server starts',
  reached: ({ output }) => output.includes('Temporal:'),
  thenMs: Math.floor(random() * 400),
});

export const whilePreparing = (random: () => number): Moment => ({
  what: 'while references are run',
  reached: ({ folder }) => (ledgerNumber(folder, 'select count(*) from reference') ?? 0) > 0,
  thenMs: Math.floor(random() * 200),
});

/** As soon as the first table of a page is being written. */
export const whileSealing = (random: () => number): Moment => ({
  what: 'while a page is sealed',
  reached: ({ folder }) => globSync(join(folder, '*', 'study=*', '*', '*')).length > 0,
  thenMs: Math.floor(random() * 30),
});

/** As soon as the first table of the whole run exists. */
export const whileFinishing = (random: () => number): Moment => ({
  what: 'while the run is finished',
  reached: ({ folder }) => existsSync(join(folder, 'models')),
  thenMs: Math.floor(random() * 60),
});
