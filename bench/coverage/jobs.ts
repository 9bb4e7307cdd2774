/**
 * The simulations, one for each kind of interval and each pair of tests. Each has its own random numbers, so that none
 * depends on which others run.
 */
import type { Interval } from '../../domain/statistics/intervals/interval.ts';
import { coefficients } from './coefficients.ts';
import { costKinds, costLines } from './costs.ts';
import { effects } from './effects.ts';
import { estimates, type SimulatedEstimate } from './estimates.ts';
import { leastHeld, type Line, mostAlarms, noise, percent } from './line.ts';
import { loopEstimates, loopIntervals, loopTask, loopTruth } from './loops.ts';
import { judgedEstimates } from './judges.ts';
import { geometric, type Simulated, simulatedMeans } from './means.ts';
import { jointRankKinds, jointRanksHold, posteriorKinds, posteriorRanksHeld } from './joint-ranks.ts';
import { type Random, randomOf } from './random.ts';
import {
  agreementIntervals,
  agreementKinds,
  agreementMethods,
  agreementTruth,
  placesHeld,
  scoreTable,
} from './rankings.ts';
import { variancePartEstimates } from './variance-parts.ts';
import { type LogRankCase, logRankRejections, signFlipKinds, signFlipRejections } from './tests.ts';

export const sizes = [5, 20, 60, 164];
export const abilities = [0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97];

export const partNames = [
  'means',
  'loops',
  'rankings',
  'coefficients',
  'estimates',
  'log-rank',
  'sign-flips',
  'effects',
  'ranks',
  'variance-parts',
  'judges',
  'costs',
] as const;
export type PartName = (typeof partNames)[number];

export interface Job {
  readonly part: PartName;
  /** Names of its rows. */
  readonly name: string;
  readonly lines: (random: Random, sets: number) => Line[];
}

const intervalColumns = ['n', ...abilities.map((p) => `p = ${p}`)];
const columnsByTitle: Readonly<Record<string, readonly string[]>> = {
  'log-rank': [
    'log-rank: tasks',
    'repetitions',
    'shared difficulty',
    'false alarms, paired',
    'unpaired',
    'power, paired',
    'unpaired',
  ],
  'sign flips': ['sign flips: values', 'n', 'false alarms', "Student's t", 'power', "Student's t"],
  'cost differences': [
    'costs of two models',
    'tasks',
    'holds',
    "Student's t",
    'false alarms',
    "Student's t",
    'power',
    "Student's t",
  ],
  'rank by ASL of six models, two of them equal': ['n', 'contains the true rank'],
  'posterior ranks': ['posterior rank of each model', ...sizes.map((n) => `n = ${n}`)],
  'joint ranks': ['all rank intervals together', ...sizes.map((n) => `n = ${n}`)],
};
export const columnsOf = (title: string): readonly string[] => columnsByTitle[title] ?? intervalColumns;

/** In the order of the tables. */
export const jobs: readonly Job[] = [
  ...[...simulatedMeans, geometric].map(
    (kind): Job => ({
      part: 'means',
      name: kind.name,
      lines: (random, sets) => meanLines(kind as Simulated<unknown>, random, sets),
    }),
  ),
  ...[1, 3].map(
    (repetitions): Job => ({
      part: 'loops',
      name: `${repetitions} of each task`,
      lines: (random, sets) => loopLines(repetitions, random, Math.ceil(sets / 2)),
    }),
  ),
  ...[5, 13, 30, 96].map(
    (models): Job => ({
      part: 'rankings',
      name: `${models} models`,
      lines: (random, sets) => agreementLines(models, random, sets),
    }),
  ),
  { part: 'rankings', name: 'places', lines: (random, sets) => placeLines(random, Math.ceil(sets / 2)) },
  ...estimateJobs('coefficients', coefficients),
  ...estimateJobs('estimates', estimates),
  ...[16, 60].flatMap((tasks) =>
    [1, 3, 10].flatMap((repetitions) =>
      [0, 0.5, 1].map(
        (shared): Job => ({
          part: 'log-rank',
          name: `${tasks} tasks x ${repetitions}, shared ${shared}`,
          lines: (random, sets) => [logRankLine({ tasks, repetitions, shared }, random, sets)],
        }),
      ),
    ),
  ),
  ...Object.entries(signFlipKinds).map(
    ([name, kind]): Job => ({
      part: 'sign-flips',
      name,
      lines: (random, sets) => sizes.map((n) => signFlipLine(name, kind, n, random, 4 * sets)),
    }),
  ),
  ...estimateJobs('effects', effects),
  ...Object.entries(jointRankKinds).map(
    ([name, rates]): Job => ({
      part: 'ranks',
      name,
      lines: (random, sets) => [jointRankLine(name, rates, random, sets)],
    }),
  ),
  ...estimateJobs('variance-parts', variancePartEstimates),
  ...posteriorKinds.map(
    (models): Job => ({
      part: 'ranks',
      name: `posterior, ${models} models`,
      lines: (random, sets) => [posteriorRankLine(models, random, sets)],
    }),
  ),
  ...estimateJobs('judges', judgedEstimates),
  ...Object.entries(costKinds).map(
    ([name, kind]): Job => ({ part: 'costs', name, lines: (random, sets) => costLines(name, kind, random, sets) }),
  ),
];

function estimateJobs(part: PartName, kinds: readonly SimulatedEstimate[]): Job[] {
  return kinds.map((kind) => ({ part, name: kind.name, lines: (random, sets) => estimateLines(kind, random, sets) }));
}

/** The lines of one job, with its own seed. */
export const runJob = (index: number, seed: number, sets: number): Line[] =>
  (jobs[index] as Job).lines(randomOf(seed * 1_000 + index), sets);

const holds = (interval: Interval | null, truth: number): boolean =>
  interval !== null && interval.lo <= truth + 1e-12 && truth - 1e-12 <= interval.hi;

function lineOf(title: string, method: string, n: number, shares: readonly number[], draws: number): Line {
  return {
    ...{ title, method, sets: draws, cells: [String(n), ...shares.map(percent)] },
    faults: shares.flatMap((share, at) =>
      share < leastHeld - noise(leastHeld, draws) ? [`${title}, n ${n}, column ${at + 1}: ${percent(share)} %`] : [],
    ),
  };
}

function meanLines<Task>(
  { name, method, task, value, interval }: Simulated<Task>,
  random: Random,
  sets: number,
): Line[] {
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
function estimateLines(
  { name, method, truth, interval, sizes: own = sizes }: SimulatedEstimate,
  random: Random,
  sets: number,
): Line[] {
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

const placeLines = (random: Random, sets: number): Line[] =>
  sizes.map((n) => {
    let [held, all] = [0, 0];
    for (let set = 0; set < sets; set += 1) {
      const [own, models] = placesHeld(random, n);
      [held, all] = [held + own, all + models];
    }
    const share = percent(held / all);
    return {
      title: 'rank by ASL of six models, two of them equal',
      ...{ method: 'paired t, Bonferroni', sets, cells: [String(n), share] },
      faults: held / all < leastHeld - noise(leastHeld, all) ? [`places, n ${n}: ${share} %`] : [],
    };
  });

/** The effect at which power is looked at, in log-odds of each loop. */
const effect = 0.8;

function logRankLine({ tasks, repetitions, shared }: Omit<LogRankCase, 'effect'>, random: Random, sets: number): Line {
  const none = logRankRejections(random, { tasks, repetitions, shared, effect: 0 }, 4 * sets);
  const some = logRankRejections(random, { tasks, repetitions, shared, effect }, sets);
  const [alarms, unpairedAlarms] = [none.paired / (4 * sets), none.unpaired / (4 * sets)];
  const [power, unpairedPower] = [some.paired / sets, some.unpaired / sets];
  const where = `log-rank, ${tasks} tasks x ${repetitions}, shared ${shared}`;
  const faults =
    alarms > mostAlarms + noise(mostAlarms, 4 * sets) ? [`${where}: ${percent(alarms)} % false alarms`] : [];
  // A test with too many false alarms has no power to compare with.
  const comparable = shared >= 0.5 && unpairedAlarms <= mostAlarms;
  if (comparable && power < unpairedPower - noise(0.5, sets))
    faults.push(`${where}: less power than the unpaired test`);
  const shares = [alarms, unpairedAlarms, power, unpairedPower].map(percent);
  const cells = [...[tasks, repetitions, shared].map(String), ...shares];
  return { title: 'log-rank', method: null, sets: null, cells, faults };
}

function signFlipLine(name: string, kind: (random: Random) => number, n: number, random: Random, sets: number): Line {
  const [alarms, studentAlarms] = signFlipRejections(random, kind, n, 0, sets);
  const [power, studentPower] = signFlipRejections(random, kind, n, 0.3, sets);
  const share = alarms / sets;
  const shares = [alarms, studentAlarms, power, studentPower].map((count) => percent(count / sets));
  return {
    ...{ title: 'sign flips', method: null, sets: null, cells: [name, String(n), ...shares] },
    faults:
      share > mostAlarms + noise(mostAlarms, sets)
        ? [`sign flips, ${name}, n ${n}: ${percent(share)} % false alarms`]
        : [],
  };
}

const jointRankLine = (name: string, rates: readonly number[], random: Random, sets: number): Line =>
  rankLine('joint ranks', name, sets, (n) => Number(jointRanksHold(random, rates, n)));

const posteriorRankLine = (models: number, random: Random, sets: number): Line =>
  rankLine('posterior ranks', `${models} models`, sets, (n) => posteriorRanksHeld(random, models, n) / models);

/** @param heldOf the share of the intervals of one set of n tasks that hold */
function rankLine(title: string, name: string, sets: number, heldOf: (n: number) => number): Line {
  const shares = sizes.map((n) => {
    let held = 0;
    for (let set = 0; set < sets; set += 1) held += heldOf(n);
    return held / sets;
  });
  return {
    ...{ title, method: null, sets, cells: [name, ...shares.map(percent)] },
    faults: shares.flatMap((share, at) =>
      share < leastHeld - noise(leastHeld, sets) ? [`${title}, ${name}, n ${sizes[at]}: ${percent(share)} %`] : [],
    ),
  };
}
