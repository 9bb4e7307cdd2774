/** The quantities of one study in one universe: each model's values, and the difference of every two models. */
import type { RunDatabase } from '../../analysis/database.ts';
import type { Side } from '../../analysis/gate/compared.ts';
import {
  type ChosenSource,
  type Measured,
  type MeasuredEffect,
  type MeasuredTasks,
  type Place,
  withoutOwnChoices,
} from '../../analysis/multiverse/measured.ts';
import { changeEstimate, changeInterval, openChanges } from '../../domain/compare/open-changes.ts';
import { modelInterval } from '../../domain/compare/standings.ts';
import { judgedValues } from '../../domain/metrics/sides/filled.ts';
import type { Finding, Subject } from '../../domain/multiverse/finding.ts';
import { type Choice, combinationsOf, type Options } from '../../domain/multiverse/universe.ts';
import { defaultLevel } from '../../domain/statistics/intervals/interval.ts';
import { difference, greatest } from '../../domain/statistics/rounding.ts';
import { mean } from '../../domain/statistics/spread.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { resultsOfKind } from '../results.ts';
import { onSidesWithValues, quantityName } from './sides-with-values.ts';

export interface InUniverse {
  readonly database: RunDatabase;
  readonly study: SpecStudy;
  /** At least one. */
  readonly sides: readonly [Side, ...Side[]];
  /** Options of the choices that all studies have. */
  readonly options: Options;
  /** Whether these options are the run's own. */
  readonly isOwn: boolean;
  /** Only this metric. */
  readonly metric?: string;
  readonly isSimulated: (model: string) => boolean;
  /** Number of a model's cells that lack an answer in this universe. */
  readonly notAsked: (model: string) => number;
}

const sourcesOf = ({ kind }: SpecStudy): readonly ChosenSource[] => {
  const { gate, multiverse } = resultsOfKind(kind);
  return multiverse ?? gate.map((source) => withoutOwnChoices(source));
};

/** A quantity, and the models that its differences leave out because they have no value of any task. */
export interface LeftOut extends Omit<Place, 'unit'> {
  readonly models: readonly string[];
  /** The only model with values, so that there is no difference at all. */
  readonly only?: string;
}

export interface Found {
  readonly findings: readonly Finding[];
  readonly left: readonly LeftOut[];
}

export async function findingsIn(universe: InUniverse): Promise<Found> {
  const found: Found[] = [];
  for (const source of sourcesOf(universe.study))
    for (const [index, own] of combinationsOf(choicesOf(source, universe.study)).entries()) {
      const options = { ...universe.options, ...own };
      found.push(await sourceFindings(source, { ...universe, options, isOwn: universe.isOwn && index === 0 }));
    }
  return { findings: found.flatMap(({ findings }) => findings), left: found.flatMap(({ left }) => left) };
}

/** The metrics of a study, and whether its run's own universe has a value of each. */
export async function metricsIn(
  database: RunDatabase,
  study: SpecStudy,
  sides: readonly [Side, ...Side[]],
): Promise<ReadonlyMap<string, boolean>> {
  const found = new Map<string, boolean>();
  for (const source of sourcesOf(study)) {
    const [own = {}] = combinationsOf(choicesOf(source, study));
    // Differences need all models; a value may be that of a single one.
    for (const some of [sides, ...sides.map((side): [Side] => [side])])
      for (const one of await source.read(database, some, own))
        found.set(one.metric, found.get(one.metric) === true || isKnown(one));
  }
  return found;
}

const isKnown = (one: Measured): boolean =>
  one.kind === 'effect'
    ? one.value !== null
    : one.tasks.values.some((_, place) => ownValues(one.tasks, place).length > 0);

const choicesOf = ({ choices }: ChosenSource, study: SpecStudy): Choice[] =>
  choices.map((choice) => ({ name: choice.name, options: choice.options(study) }));

async function sourceFindings(source: ChosenSource, universe: InUniverse): Promise<Found> {
  const { database, options, metric: wanted } = universe;
  const read = async (sides: InUniverse['sides']): Promise<Measured[]> =>
    (await source.read(database, sides, options)).filter((one) => wanted === undefined || one.metric === wanted);
  const findings: Finding[] = [];
  const known = new Map<string, readonly number[]>();
  const places = new Map<string, Omit<Place, 'unit'>>();
  for (const [index, side] of universe.sides.entries())
    for (const one of await read([side])) {
      if (one.kind !== 'tasks') continue;
      const value = modelValue(one, side, universe);
      findings.push(value);
      const name = quantityName(one);
      if (value.tasks === 0) continue;
      known.set(name, [...(known.get(name) ?? []), index]);
      places.set(name, { metric: one.metric, dimension: one.dimension, workflow: one.workflow });
    }
  if (universe.sides.length === 1) return { findings, left: [] };
  const left = [...places].flatMap(([name, place]) => onlyOne(place, known.get(name) ?? [], universe));
  for (const { sides, measured } of await onSidesWithValues(read, universe.sides, known)) {
    const among = { ...universe, sides };
    findings.push(
      ...measured.flatMap((one) => (one.kind === 'tasks' ? differencesOf(one, among) : effectOf(one, among))),
    );
    const models = universe.sides.filter((side) => !sides.includes(side)).map(({ model }) => model);
    if (models.length === 0) continue;
    findings.push(...measured.flatMap((one) => (one.kind === 'tasks' ? unknownOf(one, models, universe) : [])));
    left.push(...measured.map(({ metric, dimension, workflow }) => ({ metric, dimension, workflow, models })));
  }
  return { findings, left };
}

/** All other models, where a single one has values. */
function onlyOne(place: Omit<Place, 'unit'>, own: readonly number[], { sides }: InUniverse): LeftOut[] {
  const [only, ...more] = own.flatMap((index) => sides[index]?.model ?? []);
  if (only === undefined || more.length > 0) return [];
  return [{ ...place, models: sides.map(({ model }) => model).filter((model) => model !== only), only }];
}

function subjectOf({ study }: InUniverse, { metric, dimension, workflow }: Measured): Omit<Subject, 'model' | 'other'> {
  return { study: study.name, benchmark: study.benchmark, metric, dimension, workflow };
}

/** A model's mean over all of its own tasks with a judged answer. */
function modelValue(measured: MeasuredTasks, { model }: Side, universe: InUniverse): Finding {
  const { range, unit, direction, isSigned, tasks } = measured;
  const { options, isOwn } = universe;
  const values = ownValues(tasks, 0);
  return {
    subject: { ...subjectOf(universe, measured), model, other: null },
    ...{ options, isOwn, unit, direction, isSigned },
    estimate: values.length === 0 ? null : withoutRounding(mean(values) as number, values),
    interval: values.length === 0 ? null : modelInterval(tasks, 0, range, defaultLevel),
    tasks: values.length,
    notAsked: universe.notAsked(model),
    simulated: universe.isSimulated(model),
  };
}

/** Of every two models, on the tasks that all models share. */
function differencesOf(measured: MeasuredTasks, universe: InUniverse): Finding[] {
  const { sides } = universe;
  return sides.flatMap((side, first) =>
    sides
      .slice(first + 1)
      .map((other, next) => differenceOf(measured, [first, first + 1 + next], [side, other], universe)),
  );
}

function differenceOf(
  measured: MeasuredTasks,
  [first, second]: readonly [number, number],
  [{ model }, { model: other }]: readonly [Side, Side],
  universe: InUniverse,
): Finding {
  const { range, unit, direction, tasks } = measured;
  const { options, isOwn } = universe;
  const others = tasks.values[second] ?? [];
  const changes = (tasks.values[first] ?? []).map((value, task) => difference(value, others[task] as number));
  const open =
    'extremes' in tasks
      ? openChanges(tasks.extremes, { ...tasks, own: tasks.judged })({ first, second, changes })
      : null;
  const isKnown = changes.length > 0 && hasValue(tasks, first) && hasValue(tasks, second);
  return {
    ...betweenModels(measured, model, other, universe),
    ...{ options, isOwn, unit, direction, isSigned: true },
    estimate: isKnown ? withoutRounding(changeEstimate(changes, open), [...changes, ...others]) : null,
    interval: isKnown ? changeInterval(changes, open, range, defaultLevel) : null,
    tasks: open?.judged.length ?? changes.length,
  };
}

const ownValues = (tasks: MeasuredTasks['tasks'], model: number): readonly number[] =>
  'judged' in tasks ? judgedValues(tasks.judged[model] ?? []) : (tasks.values[model] ?? []);

/** Whether a model has a value of any shared task: what stands for its missing ones is then a mean of its own. */
const hasValue = (tasks: MeasuredTasks['tasks'], model: number): boolean =>
  !('judged' in tasks) || ownValues(tasks, model).length > 0;

/** A sum of differences that cancel out may be 1e-17: 0 has no sign. @param terms of the size that the values have */
const withoutRounding = (estimate: number, terms: readonly number[]): number =>
  difference(estimate, 0, greatest(terms));

/** Differences from a model without a value: this universe has none, where others may. */
function unknownOf(measured: MeasuredTasks, left: readonly string[], universe: InUniverse): Finding[] {
  const { unit, direction } = measured;
  const { options, isOwn, sides } = universe;
  return sides.flatMap(({ model }, first) =>
    sides
      .slice(first + 1)
      .filter(({ model: other }) => left.includes(model) || left.includes(other))
      .map(({ model: other }) => ({
        ...betweenModels(measured, model, other, universe),
        ...{ options, isOwn, unit, direction, isSigned: true, estimate: null, interval: null, tasks: 0 },
      })),
  );
}

const betweenModels = (measured: MeasuredTasks, model: string, other: string, universe: InUniverse) => ({
  subject: { ...subjectOf(universe, measured), model, other },
  notAsked: universe.notAsked(model) + universe.notAsked(other),
  simulated: universe.isSimulated(model) || universe.isSimulated(other),
});

function effectOf(effect: MeasuredEffect, universe: InUniverse): Finding {
  const { unit, group, other, value, interval, tasks } = effect;
  const { options, isOwn, sides } = universe;
  const models = sides.map(({ model }) => model);
  return {
    subject: { ...subjectOf(universe, effect), model: group, other },
    ...{ options, isOwn, unit, direction: null, isSigned: true },
    ...{ estimate: value, interval, tasks },
    notAsked: models.reduce((sum, model) => sum + universe.notAsked(model), 0),
    simulated: models.some(universe.isSimulated),
  };
}
