/** How often every kind of interval holds the truth, and how often tests raise false alarms: simulated, through the code that makes the tables. */
import { InputError } from '../domain/errors.ts';
import type { Interval } from '../domain/statistics/interval.ts';
import { coefficients } from './coverage/coefficients.ts';
import { estimates, type SimulatedEstimate } from './coverage/estimates.ts';
import { loopEstimates, loopIntervals, loopTask, loopTruth } from './coverage/loops.ts';
import { geometric, type Simulated, simulatedMeans } from './coverage/means.ts';
import { type Random, randomOf } from './coverage/random.ts';
import { agreementIntervals, agreementKinds, agreementMethods, agreementTruth, placesHeld, scoreTable } from './coverage/rankings.ts';
import { logRankRejections, signFlipKinds, signFlipRejections } from './coverage/tests.ts';

export interface CoverageOptions {
  readonly draws: string;
  readonly full: boolean;
  readonly seed: string;
  readonly only: string;
}

const sizes = [5, 20, 60, 164];
const abilities = [0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97];
/** Least share of intervals of a nominal 95 % that hold the truth, and most of tests at 5 % that reject without a cause. */
const [leastHeld, mostAlarms] = [0.93, 0.06];

/** Throws where a cell is below, or above, by more than two standard errors of so many draws. */
export function coverage({ draws, full, seed, only }: CoverageOptions, print: (line: string) => void): void {
  const random = randomOf(Number(seed));
  const sets = full ? 10_000 : wholeNumber(draws);
  const faults: string[] = [];
  const rows = (parts: readonly Line[]): void => {
    for (const line of parts) {
      print(line.text);
      faults.push(...line.faults);
    }
  };
  const parts: Readonly<Record<string, () => void>> = {
    means: () => {
      for (const kind of [...simulatedMeans, geometric]) rows(meanLines(kind as Simulated<unknown>, random, sets));
    },
    loops: () => {
      for (const repetitions of [1, 3]) rows(loopLines(repetitions, random, Math.ceil(sets / 2)));
    },
    rankings: () => {
      rows(agreementLines(random, 4 * sets));
      print(
        `| place by ASL of six models, two of them equal | paired t, Bonferroni | ${sizes.map((n) => `${n}: ${placeText(random, n, sets / 2, faults)}`).join(', ')} |`,
      );
    },
    coefficients: () => {
      for (const kind of coefficients) rows(estimateLines(kind, random, sets));
    },
    estimates: () => {
      for (const kind of estimates) rows(estimateLines(kind, random, sets));
    },
    'log-rank': () => logRankTable(random, sets, print, faults),
    'sign-flips': () => signFlipTable(random, 4 * sets, print, faults),
  };
  const names = only.split(',');
  const unknown = names.find((name) => !(name in parts));
  if (unknown !== undefined)
    throw new InputError(`has no part ${unknown}; parts are ${Object.keys(parts).join(', ')}`, { field: '--only' });
  if (names.some((name) => !['log-rank', 'sign-flips'].includes(name))) {
    print(`| interval | method | n | ${abilities.map((p) => `p = ${p}`).join(' | ')} |`);
    print(`|---|---|---|${abilities.map(() => '---|').join('')}`);
  }
  for (const name of names) parts[name]?.();
  for (const fault of faults) print(`breaks its promise: ${fault}`);
  if (faults.length > 0) throw new Error(`${faults.length} cells break their promise`);
  print(
    `every interval holds the truth in at least ${100 * leastHeld} % of draws, no test has more than ${100 * mostAlarms} % false alarms (less, or more, two standard errors)`,
  );
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!(Number.isSafeInteger(value) && value >= 100))
    throw new InputError(`needs a whole number from 100, got "${text}"`, { field: '--draws' });
  return value;
}

/** Two standard errors of a share over so many draws. */
const noise = (share: number, draws: number): number => 2 * Math.sqrt((share * (1 - share)) / draws);

interface Line {
  readonly text: string;
  readonly faults: readonly string[];
}

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
    const draws = 60_000;
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

function agreementLines(random: Random, sets: number): Line[] {
  return [5, 13, 30, 96].flatMap((models) => {
    const shares = new Map<string, number[]>();
    for (const r of abilities) {
      const [truth, held] = [agreementTruth(r), new Map<string, number>()];
      for (let set = 0; set < sets; set += 1) {
        const found = agreementIntervals(scoreTable(random, r, models));
        for (const kind of agreementKinds) if (holds(found[kind], truth[kind])) held.set(kind, (held.get(kind) ?? 0) + 1);
      }
      for (const kind of agreementKinds) shares.set(kind, [...(shares.get(kind) ?? []), (held.get(kind) ?? 0) / sets]);
    }
    return agreementKinds.map((kind) =>
      lineOf(`${kind}, models (p: their correlation)`, agreementMethods[kind], models, shares.get(kind) ?? [], sets),
    );
  });
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

function logRankTable(random: Random, sets: number, print: (line: string) => void, faults: string[]): void {
  print('');
  print('| log-rank: tasks | repetitions | shared difficulty | false alarms, paired | unpaired | power, paired | unpaired |');
  print('|---|---|---|---|---|---|---|');
  for (const tasks of [16, 60])
    for (const repetitions of [1, 3, 10])
      for (const shared of [0, 0.5, 1]) {
        const none = logRankRejections(random, { tasks, repetitions, shared, effect: 0 }, 4 * sets);
        const some = logRankRejections(random, { tasks, repetitions, shared, effect }, sets);
        const [alarms, unpairedAlarms] = [none.paired / (4 * sets), none.unpaired / (4 * sets)];
        const [power, unpairedPower] = [some.paired / sets, some.unpaired / sets];
        print(`| ${[tasks, repetitions, shared, ...[alarms, unpairedAlarms, power, unpairedPower].map(percent)].join(' | ')} |`);
        const where = `log-rank, ${tasks} tasks x ${repetitions}, shared ${shared}`;
        if (alarms > mostAlarms + noise(mostAlarms, 4 * sets)) faults.push(`${where}: ${percent(alarms)} % false alarms`);
        // A test with too many false alarms has no power to compare with.
        const comparable = shared >= 0.5 && unpairedAlarms <= mostAlarms;
        if (comparable && power < unpairedPower - noise(0.5, sets)) faults.push(`${where}: less power than the unpaired test`);
      }
}

function signFlipTable(random: Random, sets: number, print: (line: string) => void, faults: string[]): void {
  print('');
  print("| sign flips: values | n | false alarms | Student's t | power | Student's t |");
  print('|---|---|---|---|---|---|');
  for (const [name, kind] of Object.entries(signFlipKinds))
    for (const n of sizes) {
      const [alarms, studentAlarms] = signFlipRejections(random, kind, n, 0, sets);
      const [power, studentPower] = signFlipRejections(random, kind, n, 0.3, sets);
      print(`| ${[name, n, ...[alarms, studentAlarms, power, studentPower].map((count) => percent(count / sets))].join(' | ')} |`);
      if (alarms / sets > mostAlarms + noise(mostAlarms, sets))
        faults.push(`sign flips, ${name}, n ${n}: ${percent(alarms / sets)} % false alarms`);
    }
}
