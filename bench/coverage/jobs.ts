/** The simulations, one for each kind of interval and each pair of tests: each draws its own numbers, so that none depends on which others run. */
import type { Interval } from '../../domain/statistics/interval.ts';
import { coefficients } from './coefficients.ts';
import { effects } from './effects.ts';
import { estimates, type SimulatedEstimate } from './estimates.ts';
import { loopEstimates, loopIntervals, loopTask, loopTruth } from './loops.ts';
import { geometric, type Simulated, simulatedMeans } from './means.ts';
import { type Random, randomOf } from './random.ts';
import { agreementIntervals, agreementKinds, agreementMethods, agreementTruth, placesHeld, scoreTable } from './rankings.ts';
import { type LogRankCase, logRankRejections, signFlipKinds, signFlipRejections } from './tests.ts';

export const sizes = [5, 20, 60, 164];
export const abilities = [0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97];
/** Least share of intervals of a nominal 95 % that hold the truth, and most of tests at 5 % that reject without a cause. */
export const [leastHeld, mostAlarms] = [0.93, 0.06];

export const partNames = ['means', 'loops', 'rankings', 'coefficients', 'estimates', 'log-rank', 'sign-flips', 'effects'] as const;
export type PartName = (typeof partNames)[number];

export interface Job {
  readonly part: PartName;
  readonly lines: (random: Random, sets: number) => Line[];
}

/** A line of a table, and which of its cells break their promise. */
export interface Line {
  readonly text: string;
  readonly faults: readonly string[];
}

/** In the order of the tables. */
export const jobs: readonly Job[] = [
  ...[...simulatedMeans, geometric].map(
    (kind): Job => ({
      part: 'means',
      lines: (random, sets) => meanLines(kind as Simulated<unknown>, random, sets),
    }),
  ),
  ...[1, 3].map((repetitions): Job => ({ part: 'loops', lines: (random, sets) => loopLines(repetitions, random, Math.ceil(sets / 2)) })),
  ...[5, 13, 30, 96].map((models): Job => ({ part: 'rankings', lines: (random, sets) => agreementLines(models, random, sets) })),
  { part: 'rankings', lines: (random, sets) => [placeLine(random, Math.ceil(sets / 2))] },
  ...coefficients.map((kind): Job => ({ part: 'coefficients', lines: (random, sets) => estimateLines(kind, random, sets) })),
  ...estimates.map((kind): Job => ({ part: 'estimates', lines: (random, sets) => estimateLines(kind, random, sets) })),
  ...[16, 60].flatMap((tasks) =>
    [1, 3, 10].flatMap((repetitions) =>
      [0, 0.5, 1].map(
        (shared): Job => ({ part: 'log-rank', lines: (random, sets) => [logRankLine({ tasks, repetitions, shared }, random, sets)] }),
      ),
    ),
  ),
  ...Object.entries(signFlipKinds).map(
    ([name, kind]): Job => ({
      part: 'sign-flips',
      lines: (random, sets) => sizes.map((n) => signFlipLine(name, kind, n, random, 4 * sets)),
    }),
  ),
  ...effects.map((kind): Job => ({ part: 'effects', lines: (random, sets) => estimateLines(kind, random, sets) })),
];

/** The lines of one job, from a seed of its own. */
export const runJob = (index: number, seed: number, sets: number): Line[] =>
  (jobs[index] as Job).lines(randomOf(seed * 1_000 + index), sets);

/** Two standard errors of a share over so many draws. */
const noise = (share: number, draws: number): number => 2 * Math.sqrt((share * (1 - share)) / draws);

const percent = (share: number): string => (100 * share).toFixed(1);
const holds = (interval: Interval | null, truth: number): boolean =>
  interval !== null && interval.lo <= truth + 1e-12 && truth - 1e-12 <= interval.hi;

function lineOf(name: string, method: string, n: number, shares: readonly number[], draws: number): Line {
  return {
    text: `| ${name} | ${method} | ${n} | ${shares.map(percent).join(' | ')} |`,
    faults: shares.flatMap((share, at) =>
      share < leastHeld - noise(leastHeld, draws) ? [`${name}, n ${n}, column ${at + 1}: ${percent(share)} %`] : [],
    ),
  };
}

function meanLines<Task>({ name, method, task, value, interval }: Simulated<Task>, random: Random, sets: number): Line[] {
  const truths = abilities.map((p) => {
    const draws = 20_000;
    let sum = 0;
    for (let draw = 0; draw < draws; draw += 1) sum += value(task(random, p));
    return sum / draws;
  });
  return sizes.map((n) => {
    const shares = abilities.map((p, at) => {
      let held = 0;
      for (let set = 0; set < sets; set += 1)
        if (holds(interval(Array.from({ length: n }, () => task(random, p))), truths[at] as number)) held += 1;
      return held / sets;
    });
    return lineOf(name, method, n, shares, sets);
  });
}

/** Sets without an estimate are not counted: there is nothing to show an interval of. */
function estimateLines({ name, method, truth, interval, sizes: own = sizes }: SimulatedEstimate, random: Random, sets: number): Line[] {
  return own.map((n) => {
    const shares = abilities.map((p) => {
      const value = truth(random, p, n);
      let [held, made] = [0, 0];
      for (let set = 0; set < sets; set += 1) {
        const found = interval(random, p, n);
        if (found === undefined) continue;
        made += 1;
        if (found !== null && holds({ lo: found.lo, hi: found.hi ?? Number.MAX_VALUE }, value)) held += 1;
      }
      return made === 0 ? 1 : held / made;
    });
    return lineOf(name, method, n, shares, sets);
  });
}

function loopLines(repetitions: number, random: Random, sets: number): Line[] {
  const truths = abilities.map((p) => loopTruth(random, p));
  const held = sizes.map((n) =>
    abilities.map((p, at) => {
      const counts = Object.fromEntries(loopEstimates.map((name) => [name, { held: 0, made: 0 }]));
      for (let set = 0; set < sets; set += 1) {
        const found = loopIntervals(Array.from({ length: n }, () => loopTask(random, p, repetitions)));
        for (const name of loopEstimates) {
          const count = counts[name] as { held: number; made: number };
          // Where no task comes to the loop there is no hazard to look at.
          if (found[name] == null) continue;
          count.made += 1;
          if (holds(found[name], truths[at]?.[name] as number)) count.held += 1;
        }
      }
      return counts;
    }),
  );
  const names: Readonly<Record<string, string>> = { survival: 'survival after loop 3', hazard: 'hazard of loop 3' };
  return loopEstimates.flatMap((name) =>
    sizes.map((n, size) => {
      const shares = (held[size] ?? []).map((counts) =>
        counts[name]?.made === 0 ? 1 : (counts[name]?.held ?? 0) / (counts[name]?.made ?? 1),
      );
      return lineOf(`${names[name] ?? name}, ${repetitions} of each task`, 'Gaffke', n, shares, sets);
    }),
  );
}

function agreementLines(models: number, random: Random, sets: number): Line[] {
  const shares = abilities.map((r) => {
    const [truth, held] = [agreementTruth(r), new Map<string, number>()];
    for (let set = 0; set < sets; set += 1) {
      const found = agreementIntervals(scoreTable(random, r, models));
      for (const kind of agreementKinds) if (holds(found[kind], truth[kind])) held.set(kind, (held.get(kind) ?? 0) + 1);
    }
    return held;
  });
  return agreementKinds.map((kind) =>
    lineOf(
      `${kind}, models (p: their correlation)`,
      agreementMethods[kind],
      models,
      shares.map((held) => (held.get(kind) ?? 0) / sets),
      sets,
    ),
  );
}

function placeLine(random: Random, sets: number): Line {
  const faults: string[] = [];
  const texts = sizes.map((n) => `${n}: ${placeText(random, n, sets, faults)}`);
  return { text: `| place by ASL of six models, two of them equal | paired t, Bonferroni | ${texts.join(', ')} |`, faults };
}

function placeText(random: Random, tasks: number, sets: number, faults: string[]): string {
  let [held, all] = [0, 0];
  for (let set = 0; set < sets; set += 1) {
    const [own, models] = placesHeld(random, tasks);
    [held, all] = [held + own, all + models];
  }
  if (held / all < leastHeld - noise(leastHeld, all)) faults.push(`places, n ${tasks}: ${percent(held / all)} %`);
  return percent(held / all);
}

/** The effect at which power is looked at, in log-odds of each loop. */
const effect = 0.8;

function logRankLine({ tasks, repetitions, shared }: Omit<LogRankCase, 'effect'>, random: Random, sets: number): Line {
  const none = logRankRejections(random, { tasks, repetitions, shared, effect: 0 }, 4 * sets);
  const some = logRankRejections(random, { tasks, repetitions, shared, effect }, sets);
  const [alarms, unpairedAlarms] = [none.paired / (4 * sets), none.unpaired / (4 * sets)];
  const [power, unpairedPower] = [some.paired / sets, some.unpaired / sets];
  const where = `log-rank, ${tasks} tasks x ${repetitions}, shared ${shared}`;
  const faults = alarms > mostAlarms + noise(mostAlarms, 4 * sets) ? [`${where}: ${percent(alarms)} % false alarms`] : [];
  // A test with too many false alarms has no power to compare with.
  const comparable = shared >= 0.5 && unpairedAlarms <= mostAlarms;
  if (comparable && power < unpairedPower - noise(0.5, sets)) faults.push(`${where}: less power than the unpaired test`);
  return {
    text: `| ${[tasks, repetitions, shared, ...[alarms, unpairedAlarms, power, unpairedPower].map(percent)].join(' | ')} |`,
    faults,
  };
}

function signFlipLine(name: string, kind: (random: Random) => number, n: number, random: Random, sets: number): Line {
  const [alarms, studentAlarms] = signFlipRejections(random, kind, n, 0, sets);
  const [power, studentPower] = signFlipRejections(random, kind, n, 0.3, sets);
  const share = alarms / sets;
  return {
    text: `| ${[name, n, ...[alarms, studentAlarms, power, studentPower].map((count) => percent(count / sets))].join(' | ')} |`,
    faults: share > mostAlarms + noise(mostAlarms, sets) ? [`sign flips, ${name}, n ${n}: ${percent(share)} % false alarms`] : [],
  };
}
