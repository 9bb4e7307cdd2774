/** RobuNFR on a model's card: pass@1 without a requirement, STDEV over phrasings, and the change of a new version. */
import type { CardSource } from '../../../analysis/card/card-source.ts';
import { worseList } from '../../../analysis/card/worse-versions.ts';
import { passMetric } from '../../../analysis/card/first-passes.ts';
import { isFirstAnswer } from '../../../analysis/first-answers.ts';
import { isSame, type Sides } from '../../../analysis/gate/compared.ts';
import { decimals, percentEnd, percentNumber } from '../../../analysis/report/format.ts';
import type { CardMeasure, ModelEstimate, ModelMeasure, TaskMeasure } from '../../../domain/card/card-measure.ts';
import { type CardMetric, onSuite, type SaidEstimate, withoutParentheses } from '../../../domain/card/card-metric.ts';
import { phrasingSpread } from '../../../domain/metrics/phrasing-values.ts';
import { type Extremes, openShares } from '../../../domain/metrics/sides/extremes.ts';
import { openSpreadInterval } from '../../../domain/metrics/sides/open-spread.ts';
import { meanValues, type SideParts } from '../../../domain/metrics/sides/side-values.ts';
import { allOpen, boundedMeanInterval, boundedMeanMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { deviationMethod } from '../../../domain/statistics/intervals/deviation-interval.ts';
import { hullOf, type Interval } from '../../../domain/statistics/intervals/interval.ts';
import { difference } from '../../../domain/statistics/rounding.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import type { RobunfrStudy } from '../steps.ts';
import { passCells, type SharedPasses, sharedPasses } from './pass-cells.ts';
import { nfrSolutions } from './solutions.ts';

export const spread: CardMetric = {
  ...{ name: 'phrasing_spread', title: 'Spread over phrasings', trait: 'requirements' },
  ...{ direction: 'lower', unit: 'points' },
  meaning:
    'How far pass@1 varies between phrasings of the same requirement, as a standard deviation; the mean over ' +
    'requirements, which may differ, and over workflows',
  text: (value) => decimals(value, 2),
  says: (said) =>
    `has a pass@1${onSuite(said)} that varies by ${said.text} between phrasings of the same requirement, ` +
    'in the mean over requirements and workflows',
};

const change: CardMetric = {
  ...{ name: 'version_change', title: 'Change of version', trait: 'versions', direction: 'higher', unit: 'points' },
  meaning: 'pass@1 of this version minus that of the older one, both asked without a requirement',
  text: percentNumber,
  endText: percentEnd,
  says: changeText,
};

/** What the study shows to be worse comes first: pass@1 without a requirement may stay as it is. */
function changeText(said: SaidEstimate): string {
  const old = said.condition.replace(/^.*, against /, '');
  const { worse = [] } = said;
  if (worse.length === 0)
    return `${findingOf(said)} ${old} without a requirement (pass@1${onSuite(said)}: ${withoutParentheses(said)})`;
  return (
    `is shown to be worse than ${old} in ${worseList(worse)}, while pass@1${onSuite(said)} without a requirement ` +
    `changed by ${said.text}`
  );
}

function findingOf({ interval }: SaidEstimate): string {
  if (interval !== null && interval.lo > 0) return 'passes more than';
  return interval !== null && (interval.hi ?? 0) < 0 ? 'passes less than' : 'is not shown to differ from';
}

/** Of pass@1 on each suite; of a new version, against the old one. Only for the same templates. */
export const requirementsCard: CardSource<RobunfrStudy> = {
  metrics: [passMetric, spread, change],
  passes: { where: isFirstAnswer(null), prompts: 'without a requirement' },
  read: async (database, { sides, changed, changedRecords = changed, withoutReference = new Map() }) => {
    if (!isSame(sides, ({ settings }) => settings.prompts)) return [];
    const models = [];
    // One model at a time, so that only its solutions are in memory.
    for (const { manifest, study, model } of sides)
      models.push(passCells(await nfrSolutions(database, { run: manifest.runId, study: study.name, model })));
    const shared = sharedPasses(models, changedRecords, withoutReference);
    const suites = [...new Set(shared.map(({ suite }) => suite))];
    return suites.flatMap((suite): CardMeasure[] => {
      const own = shared.filter((cells) => cells.suite === suite);
      const plain = own.filter(({ dimension }) => dimension === 'function-only');
      const asked = own.filter(({ dimension, parts }) => dimension !== 'function-only' && isSpread(parts));
      return [
        ...plain.map((cells) => passMeasure(cells)),
        ...(asked.length === 0 ? [] : [spreadMeasure(suite, asked)]),
        ...plain.flatMap((cells) => changeMeasures(sides, cells)),
      ];
    });
  },
};

const isSpread = ([first]: SharedPasses['parts']): boolean => (first?.[0]?.length ?? 0) > 1;

/** An answer that is not there yet may be anything, as one that could not be judged. */
function passMeasure({ suite, taskIds, prompts, parts }: SharedPasses): TaskMeasure {
  const tasks = byTask(parts);
  const open = openShares(tasks, allAsked(tasks), 100, prompts);
  const found = meanValues(tasks, 100, prompts);
  const mapsOf = (places: readonly number[], rows: readonly (readonly (number | null)[])[]) =>
    rows.map((own) => new Map(own.flatMap((value, place) => (value === null ? [] : [[idAt(places, place), value]]))));
  const idAt = (places: readonly number[], place: number): string => taskIds[places[place] as number] as string;
  return {
    ...{ metric: passMetric, condition: suite, range: { kind: 'bounded', lo: 0, hi: 100 } },
    values: open === null ? mapsOf(found.tasks, found.values) : mapsOf(open.tasks, open.own),
    ...(open !== null && { extremes: { least: mapsOf(open.tasks, open.least), most: mapsOf(open.tasks, open.most) } }),
  };
}

const allAsked = (tasks: readonly SideParts[]) => tasks.map((sides) => sides.map((own) => own.map(() => true)));

const changesOf = (old: readonly number[] = [], now: readonly number[] = []): number[] =>
  old.map((before, task) => difference(now[task] as number, before));

const openChanges = ({ least, most }: Extremes): readonly [number[], number[]] => [
  changesOf(most[0], least[1]),
  changesOf(least[0], most[1]),
];

const byTask = (parts: SharedPasses['parts']) => (parts[0] ?? []).map((_, task) => parts.map((own) => own[task] ?? []));

/**
 * The mean of a model's STDEVs over its requirements. Its interval is the mean of their ends, each at a level so high
 * that all hold together; with one requirement it is STDEV's own.
 */
function spreadMeasure(suite: string, conditions: readonly SharedPasses[]): ModelMeasure {
  const models = conditions[0]?.parts.length ?? 0;
  const judgedIn = ({ parts }: SharedPasses, model: number): number =>
    (parts[model] ?? []).filter((own) => own.some((part) => part !== null)).length;
  const isOpen = conditions.some(({ parts }) => parts.some((tasks) => tasks.some((own) => own.includes(null))));
  return {
    ...{ metric: spread, condition: suite },
    method:
      (conditions.length === 1 ? deviationMethod : `${deviationMethod}, Bonferroni over requirements`) +
      (isOpen ? `, ${allOpen}` : ''),
    estimates: (level) => {
      const each = 1 - (1 - level) / conditions.length;
      return Array.from({ length: models }, (_, model): ModelEstimate => {
        const found = conditions.map(({ parts }) => ({
          value: phrasingSpread(parts[model] ?? [], 100).stdev,
          interval: openSpreadInterval(parts[model] ?? [], each),
        }));
        const values = found.flatMap(({ value }) => value ?? []);
        const intervals = found.flatMap(({ interval }) => interval ?? []);
        const reason = whyNoSpread(conditions, intervals.length, model);
        const tasks = Math.min(...conditions.map((cells) => judgedIn(cells, model)));
        return {
          ...{ value: reason === null ? mean(values) : null, interval: reason === null ? meanEnds(intervals) : null },
          ...{ tasks, ownTasks: tasks, reason },
        };
      });
    },
  };
}

/** Where nothing passes, nothing can vary: that is no merit. Null if the model has a spread. */
function whyNoSpread(conditions: readonly SharedPasses[], known: number, model: number): string | null {
  if (known < conditions.length) return 'fewer than two phrasings of a requirement count';
  const passes = conditions.some(({ parts }) => parts[model]?.flat().some((part) => (part?.numerator ?? 0) > 0));
  return passes ? null : 'no answer passes with any phrasing, so pass@1 cannot vary';
}

const meanEnds = (intervals: readonly Interval[]): Interval => ({
  lo: mean(intervals.map(({ lo }) => lo)) as number,
  hi: mean(intervals.map(({ hi }) => hi)) as number,
});

/** One measure for each older version; the models that are not compared with it have no entry. */
function changeMeasures(sides: Sides<RobunfrStudy>['sides'], cells: SharedPasses): ModelMeasure[] {
  const { suite } = cells;
  const pairs = sides.flatMap(({ manifest, study, model }, now) =>
    study.kind === 'robunfr-regression'
      ? study.settings.pairs.flatMap(([before, after]) => {
          const old = sides.findIndex((side) => side.manifest === manifest && side.model === before);
          return after === model && old >= 0 ? [{ old, now, name: before }] : [];
        })
      : [],
  );
  return [...Map.groupBy(pairs, ({ name }) => name)].map(([name, own]) => ({
    ...{ metric: change, condition: `${suite}, against ${name}`, method: boundedMeanMethod },
    estimates: (level) =>
      sides.map((_, model) => {
        const pair = own.find(({ now }) => now === model);
        return pair === undefined ? null : changeOf(cells, pair, level);
      }),
  }));
}

/** As in `compare`: by task, the difference of the means of each version's judged answers. */
function changeOf(
  { parts, prompts }: SharedPasses,
  { old, now }: { readonly old: number; readonly now: number },
  level: number,
): ModelEstimate {
  const tasks = byTask([parts[old] ?? [], parts[now] ?? []]);
  const { values } = meanValues(tasks, 100, prompts);
  const changes = changesOf(values[0], values[1]);
  const intervalOf = (some: readonly number[]) => boundedMeanInterval(some, { lo: -100, hi: 100 }, { level });
  const judged = intervalOf(changes);
  const open = openShares(tasks, allAsked(tasks), 100, prompts);
  const [lowest, highest] = open === null ? [judged, judged] : openChanges(open).map(intervalOf);
  const interval = lowest && highest && judged ? hullOf({ lo: lowest.lo, hi: highest.hi }, judged) : null;
  return {
    ...{ value: mean(changes), interval },
    ...{
      tasks: changes.length,
      ownTasks: changes.length,
      reason: changes.length === 0 ? 'no task counts for both' : null,
    },
  };
}
