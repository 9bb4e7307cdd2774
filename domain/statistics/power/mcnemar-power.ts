/** The exact power of McNemar's exact test. */
import { bdtr, bdtrc, compiled } from 'cephes';
import { normalQuantile } from '../special.ts';

await compiled;

/** Shares of tasks that only the new model passes, and only the old one. */
export interface ChangedShares {
  readonly gained: number;
  readonly lost: number;
}

/** Numbers of changed tasks further from their mean than this many standard deviations are not considered. */
const widest = 9;

/**
 * The probability that the test finds the new model better: for each number of changed tasks, which is binomial, the
 * probability that enough of them were gained. Exact but for numbers of changed tasks with a probability below 1e-18.
 */
export function mcnemarPower(tasks: number, { gained, lost }: ChangedShares, alpha: number): number {
  const changed = Math.min(1, gained + lost);
  if (changed <= 0 || tasks < 1) return 0;
  const up = gained / (gained + lost);
  const reach = widest * Math.sqrt(tasks * changed * (1 - changed)) + widest ** 2;
  const [least, most] = [
    Math.max(1, Math.floor(tasks * changed - reach)),
    Math.min(tasks, Math.ceil(tasks * changed + reach)),
  ];
  let power = 0;
  let enough = fewestGained(least, alpha);
  let below = bdtr(least - 1, tasks, changed);
  for (let discordant = least; discordant <= most; discordant += 1) {
    while (enough <= discordant && !isSignificant(enough, discordant, alpha)) enough += 1;
    const upTo = discordant >= tasks ? 1 : bdtr(discordant, tasks, changed);
    if (enough <= discordant) power += (upTo - below) * chanceOfAtLeast(enough, discordant, up);
    below = upTo;
  }
  return power;
}

const isSignificant = (gained: number, discordant: number, alpha: number): boolean =>
  2 * chanceOfAtLeast(gained, discordant, 0.5) <= alpha;

/** P(X >= least) of the binomial distribution. */
function chanceOfAtLeast(least: number, trials: number, rate: number): number {
  if (least <= 0) return 1;
  if (rate >= 1) return 1;
  if (rate <= 0) return 0;
  return bdtrc(least - 1, trials, rate);
}

/** The least significant number of gained tasks, or more than there are. */
function fewestGained(discordant: number, alpha: number): number {
  const far = Math.ceil(discordant / 2 + ((normalQuantile(1 - alpha / 2) + 2) * Math.sqrt(discordant)) / 2) + 1;
  let [not, enough] = [Math.floor(discordant / 2), Math.min(far, discordant + 1)];
  while (enough - not > 1) {
    const middle = Math.floor((not + enough) / 2);
    if (isSignificant(middle, discordant, alpha)) enough = middle;
    else not = middle;
  }
  return enough;
}
