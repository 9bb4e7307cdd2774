/** The quantities of one study in one universe: each model's values, and the difference of every two models. */
import type { RunDatabase } from '../../analysis/database.ts';
import type { Side } from '../../analysis/gate/compared.ts';
import {
  type ChosenSource,
  type Measured,
  type MeasuredEffect,
  type MeasuredTasks,
  withoutOwnChoices,
} from '../../analysis/multiverse/measured.ts';
import { changeEstimate, changeInterval, openChanges } from '../../domain/compare/open-changes.ts';
import { modelInterval } from '../../domain/compare/standings.ts';
import { judgedValues } from '../../domain/metrics/sides/filled.ts';
import type { Finding, Subject } from '../../domain/multiverse/finding.ts';
import { type Choice, combinationsOf, type Options } from '../../domain/multiverse/universe.ts';
import { defaultLevel } from '../../domain/statistics/intervals/interval.ts';
import { difference } from '../../domain/statistics/rounding.ts';
import { mean } from '../../domain/statistics/spread.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { resultsOfKind } from '../results.ts';

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

export async function findingsIn(universe: InUniverse): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const source of sourcesOf(universe.study))
    for (const [index, own] of combinationsOf(choicesOf(source, universe.study)).entries()) {
      const options = { ...universe.options, ...own };
      findings.push(...(await sourceFindings(source, { ...universe, options, isOwn: universe.isOwn && index === 0 })));
    }
  return findings;
}

const choicesOf = ({ choices }: ChosenSource, study: SpecStudy): Choice[] =>
  choices.map((choice) => ({ name: choice.name, options: choice.options(study) }));

async function sourceFindings(source: ChosenSource, universe: InUniverse): Promise<Finding[]> {
  const { database, sides, options, metric } = universe;
  const wanted = (measured: readonly Measured[]): Measured[] =>
    measured.filter((one) => metric === undefined || one.metric === metric);
  const findings: Finding[] = [];
  for (const side of sides)
    for (const one of wanted(await source.read(database, [side], options)))
      if (one.kind === 'tasks') findings.push(modelValue(one, side, universe));
  if (sides.length === 1) return findings;
  for (const one of wanted(await source.read(database, sides, options)))
    findings.push(...(one.kind === 'tasks' ? differencesOf(one, universe) : [effectOf(one, universe)]));
  return findings;
}

function subjectOf({ study }: InUniverse, { metric, dimension, workflow }: Measured): Omit<Subject, 'model' | 'other'> {
  return { study: study.name, benchmark: study.benchmark, metric, dimension, workflow };
}

/** A model's mean over all of its own tasks with a judged answer. */
function modelValue(measured: MeasuredTasks, { model }: Side, universe: InUniverse): Finding {
  const { range, unit, direction, isSigned, tasks } = measured;
  const { options, isOwn } = universe;
  const values = 'judged' in tasks ? judgedValues(tasks.judged[0] ?? []) : (tasks.values[0] ?? []);
  return {
    subject: { ...subjectOf(universe, measured), model, other: null },
    ...{ options, isOwn, unit, direction, isSigned },
    estimate: mean(values),
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
  return {
    subject: { ...subjectOf(universe, measured), model, other },
    ...{ options, isOwn, unit, direction, isSigned: true },
    estimate: changes.length === 0 ? null : changeEstimate(changes, open),
    interval: changes.length === 0 ? null : changeInterval(changes, open, range, defaultLevel),
    tasks: open?.judged.length ?? changes.length,
    notAsked: universe.notAsked(model) + universe.notAsked(other),
    simulated: universe.isSimulated(model) || universe.isSimulated(other),
  };
}

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
