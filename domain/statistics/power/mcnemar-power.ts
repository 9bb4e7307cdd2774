/** The exact power of McNemar's exact test. */
import { bdtrc, compiled, lgam } from 'cephes';
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
 * One number of changed tasks after the other, the probabilities follow from those before: each takes a few additions.
 */
export function mcnemarPower(tasks: number, { gained, lost }: ChangedShares, alpha: number): number {
  const changed = Math.min(1, gained + lost);
  if (changed <= 0 || gained <= 0 || tasks < 1) return 0;
  const up = gained / (gained + lost);
  const reach = widest * Math.sqrt(tasks * changed * (1 - changed)) + widest ** 2;
  // With fewer changed tasks, even all of them are not significant.
  const likely = changed === 1 ? tasks : Math.floor(tasks * changed - reach);
  const first = Math.max(1, likely, Math.ceil(Math.log2(2 / alpha)));
  const last = Math.min(tasks, Math.ceil(tasks * changed + reach));
  let enough = Math.min(first, fewestGained(first, alpha));
  const [byChance, truly] = [tailFrom(enough, first, 0.5), tailFrom(enough, first, up)];
  let [chance, power] = [binomialChance(first, tasks, changed), 0];
  for (let discordant = first; discordant <= last; discordant += 1) {
    while (2 * byChance.tail > alpha && enough < discordant) {
      moreNeeded(byChance, enough, discordant);
      moreNeeded(truly, enough, discordant);
      enough += 1;
    }
    power += chance * truly.tail;
    oneMoreTrial(byChance, enough, discordant);
    oneMoreTrial(truly, enough, discordant);
    chance *= ((tasks - discordant) / (discordant + 1)) * (changed / (1 - changed));
  }
  return Math.min(1, power);
}

/** P(X >= least) and P(X = least) of a binomial distribution. */
interface BinomialTail {
  readonly rate: number;
  tail: number;
  edge: number;
}

const tailFrom = (least: number, trials: number, rate: number): BinomialTail => ({
  rate,
  tail: chanceOfAtLeast(least, trials, rate),
  edge: binomialChance(least, trials, rate),
});

/** From `least` to `least` + 1. */
function moreNeeded(one: BinomialTail, least: number, trials: number): void {
  one.tail = one.rate === 1 ? 1 : one.tail - one.edge;
  one.edge *= one.rate === 1 ? 1 : ((trials - least) / (least + 1)) * (one.rate / (1 - one.rate));
}

/** From `trials` to `trials` + 1. */
function oneMoreTrial(one: BinomialTail, least: number, trials: number): void {
  if (one.rate === 1) return;
  one.tail += (one.edge * least * (1 - one.rate)) / (trials - least + 1);
  one.edge *= ((trials + 1) / (trials + 1 - least)) * (1 - one.rate);
}

function binomialChance(successes: number, trials: number, rate: number): number {
  if (successes > trials) return 0;
  if (rate === 1) return Number(successes === trials);
  const ways = lgam(trials + 1) - lgam(successes + 1) - lgam(trials - successes + 1);
  return Math.exp(ways + successes * Math.log(rate) + (trials - successes) * Math.log1p(-rate));
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
