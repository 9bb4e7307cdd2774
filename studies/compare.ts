/** A comparison over runs: every two models of each study, on the tasks that all of them share. */
import type { Cards } from '../analysis/card/card-source.ts';
import type { RunDatabase } from '../analysis/database.ts';
import type { Compared, Sides } from '../analysis/gate/compared.ts';
import { compareModels, type Comparison, type ModelValues } from '../domain/compare/comparison.ts';
import { counted } from '../domain/counted.ts';
import { InputError } from '../domain/errors.ts';
import type { GateSubject } from '../domain/gate/evaluate.ts';
import { gateMetric, type GateMetricName, gateMetricNames, needsRuns } from '../domain/gate/metrics.ts';
import { nameList } from '../domain/name-list.ts';
import { knownHint } from '../domain/nearest.ts';
import type { ChangedTasks } from './across/changed-tasks.ts';
import { conditionsText } from './across/conditions-text.ts';
import { extractionNotes, leftOutNotes, suiteNotes } from './across/run-notes.ts';
import { costNotes } from './across/cost-note.ts';
import { noneJudged, wholeComparison } from './across/whole-comparison.ts';
import { cutNotes } from './across/cut-notes.ts';
import { sandboxNotes } from './across/other-sandboxes.ts';
import { repeatedTasks } from './across/repeated-tasks.ts';
import { isAnyTakenOver, sameAnswersNotes, type SidePair } from './across/same-answers.ts';
import { cardsOf } from './cards.ts';
import {
  changedTasks,
  comparedModels,
  type ModelsWanted,
  noCommonModel,
  type StudySides,
  wantedSides,
  withAnswers,
} from './compared-models.ts';
import { resultsOfKind } from './results.ts';

export interface CompareRequest extends ModelsWanted {
  readonly metric?: GateMetricName;
  /** Whether each variant of a prompt is compared separately. */
  readonly byVariant: boolean;
  /** Differences up to this size do not matter, in the metric's unit. */
  readonly margin: number;
  /** Highest probability of any wrong claim among the pairs of one metric. */
  readonly alpha: number;
}

export interface CompareReport {
  /** A study's own metrics come before those that all kinds share. */
  readonly comparisons: readonly Comparison[];
  readonly notes: readonly string[];
}

/** The cards of the compared models; null if only one metric, or each variant, is asked for. */
export const comparedCards = (database: RunDatabase, request: CompareRequest): Promise<Cards> | null =>
  request.metric === undefined && !request.byVariant ? cardsOf(database, request) : null;

/** Throws InputError if there is nothing to compare, or a name is unknown. */
export async function compareOver(database: RunDatabase, request: CompareRequest): Promise<CompareReport> {
  const notes: string[] = [];
  const comparisons: Comparison[] = [];
  for (const { study, sides } of wantedSides(database, request)) {
    const [first, ...others] = await withAnswers(database, sides);
    const without = sides.filter((side) => side !== first && !others.includes(side)).map(({ model }) => model);
    if (without.length > 0) notes.push(`study ${study.name}: ${nameList(without)} excluded, without a finished task`);
    if (first === undefined || others.length === 0) continue;
    const found = await studyComparisons(database, [first, ...others], request);
    comparisons.push(...found.comparisons);
    notes.push(...found.notes);
  }
  notes.push(...(await sameAnswersNotes(database, await sameModels(database, request))));
  const benchmarks = wantedSides(database, request).map(({ study }) => study.benchmark);
  notes.push(...(await repeatedTasks(database, benchmarks)));
  refuseOneModel(wantedSides(database, request), request);
  const noneInCommon = noCommonModel(database, comparisons);
  if (comparisons.length === 0) throw new InputError(nothingToCompare(request, [...noneInCommon, ...notes]));
  return { comparisons, notes: [...new Set([...noneInCommon, ...notes, ...simulatedNotes(comparisons)])] };
}

/** One model of one run, named by the user. */
function refuseOneModel(studies: readonly StudySides[], { models = [] }: CompareRequest): void {
  const named = [...new Set(models)];
  if (named.length !== 1 || studies.some(({ sides }) => sides.length > 1)) return;
  throw new InputError(
    `names one model, ${named.join()}: name at least two, or further runs that have this model, too`,
    { field: '--models' },
  );
}

/** Every two sides that are the same model of a study in two runs, the run that is named first as the old one. */
async function sameModels(database: RunDatabase, request: CompareRequest): Promise<SidePair[]> {
  const pairs: SidePair[] = [];
  if (!isAnyTakenOver(database)) return pairs;
  for (const { sides } of wantedSides(database, request)) {
    const [first, ...others] = sides;
    if (first === undefined) continue;
    const { changedRecords: changed } = await changedTasks(database, [first, ...others]);
    for (const [place, now] of sides.entries())
      for (const old of sides.slice(0, place))
        if (old.model === now.model && old.manifest !== now.manifest) pairs.push({ old, now, changed });
  }
  return pairs;
}

const nothingToCompare = ({ metric }: CompareRequest, notes: readonly string[]): string =>
  [
    `nothing to compare: no study has two models that share a task${metric === undefined ? '' : ` with ${metric}`}`,
    ...notes,
  ].join('; ');

/** Of models in one study. */
export async function studyComparisons(
  database: RunDatabase,
  sides: Sides['sides'],
  request: CompareRequest,
): Promise<CompareReport> {
  const [{ study, manifest }] = sides;
  const changed = await changedTasks(database, sides);
  const models = await comparedModels(database, sides);
  const notes = await taskNotes(database, sides, changed);
  const comparisons: Comparison[] = [];
  const unknowns: Unknown[] = [];
  const subjects: GateSubject[] = [];
  for (const source of resultsOfKind(study.kind).gate.toReversed())
    for (const { subject, variant = null, tasks, together, withoutSuite = [] } of await source(database, {
      ...{ sides, ...changed },
      byVariant: request.byVariant,
    })) {
      if (!isWanted(subject.metric, request)) continue;
      const place = { study: study.name, subject, variant, models };
      const options = { margin: request.margin, alpha: request.alpha, seed: manifest.spec.seed };
      if (tasks !== null && tasks.taskIds.length > 0) {
        const { own: ownTasks, ...values } = tasks;
        const { known, unknown } = withoutUnknown({ ...place, ownTasks, ...values });
        if (known.models.length > 1) comparisons.push(compareModels(known, options));
        subjects.push(subject);
        const unasked = new Set(withoutSuite.map((side) => models[side]?.name));
        const names = unknown.filter((name) => !unasked.has(name));
        if (names.length < unknown.length)
          notes.push(
            otherSuiteNote(
              study.name,
              subject,
              unknown.filter((name) => unasked.has(name)),
            ),
          );
        if (names.length > 0) unknowns.push({ subject, text: noneJudged(names) });
      }
      if (together !== undefined && together.taskIds.length > 0) {
        const { comparison, left } = wholeComparison(place, together, options);
        comparisons.push(...comparison);
        unknowns.push(...left.map((text) => ({ subject, text })));
        subjects.push(subject);
      }
    }
  const left = [...cutNotes(comparisons), ...unjudgedNotes(comparisons)];
  return {
    comparisons,
    notes: [
      ...notes,
      ...unknownNotes(study.name, unknowns, subjects),
      ...settingNotes(sides),
      ...(request.metric === undefined ? costNotes(sides) : []),
      ...leftOutNotes(study, sides, { all: resultsOfKind(study.kind).neededSettings ?? [], metric: request.metric }),
      ...extractionNotes(study, sides),
      ...(subjects.some(({ metric }) => needsRuns(metric)) ? sandboxNotes(sides.map((side) => side.manifest)) : []),
      ...left,
    ],
  };
}

const otherSuiteNote = (study: string, { metric, suite }: GateSubject, models: readonly string[]): string =>
  `study ${study}, ${metric}: suite ${suite} did not judge ${nameList(models)}: left out`;

/** Models that a comparison leaves out, with the reason. */
interface Unknown {
  readonly subject: GateSubject;
  readonly text: string;
}

/** @param compared all that the study compares */
function unknownNotes(study: string, unknowns: readonly Unknown[], compared: readonly GateSubject[]): string[] {
  const alike = Map.groupBy(unknowns, ({ subject, text }) => `${subject.metric}: ${text}`);
  return [...alike].map(([text, own]) => {
    const ofMetric = compared.filter(({ metric }) => metric === own[0]?.subject.metric);
    const subjects = own.map(({ subject }) => subject);
    return `study ${study}${conditionsText(subjects, ofMetric)}, ${text}: left out`;
  });
}

/** Which tasks are not the same in all runs. */
async function taskNotes(
  database: RunDatabase,
  sides: Sides['sides'],
  { changedRecords }: ChangedTasks,
): Promise<string[]> {
  const [{ study }] = sides;
  const manifests = sides.map(({ manifest }) => manifest);
  const suites = await suiteNotes(database, manifests, study.benchmark, changedRecords);
  const { size } = changedRecords;
  return [
    ...(size === 0 ? [] : [`study ${study.name}: ${counted(size, 'new or changed task')} excluded`]),
    ...suites.map((text) => `study ${study.name}: ${text}`),
  ];
}

/** Of models without any judged answer nothing is known. */
function withoutUnknown(found: ModelValues): { readonly known: ModelValues; readonly unknown: readonly string[] } {
  const { models, judged, byPrompt, extremes } = found;
  const isKnown = models.map((_, model) => judged?.[model]?.some((value) => value !== null) !== false);
  if (isKnown.every(Boolean)) return { known: found, unknown: [] };
  const kept = <T>(all: readonly T[]): T[] => all.filter((_, model) => isKnown[model]);
  const known = {
    ...found,
    ...{ models: kept(models), values: kept(found.values), ownTasks: kept(found.ownTasks) },
    samples: found.samples && kept(found.samples),
    ...(found.shown && { shown: kept(found.shown) }),
    ...(judged && { judged: kept(judged) }),
    ...(byPrompt && { byPrompt: kept(byPrompt) }),
    ...(extremes && { extremes: { least: kept(extremes.least), most: kept(extremes.most) } }),
    ...(found.unjudged && { unjudged: kept(found.unjudged) }),
  };
  return { known, unknown: models.filter((_, model) => !isKnown[model]).map(({ name }) => name) };
}

/** Mean times are compared only by name: one slow task can dominate them, and their ratios are compared anyway. */
const isWanted = (metric: Compared['subject']['metric'], wanted: CompareRequest): boolean =>
  wanted.metric === undefined ? gateMetric(metric).unit !== 'ms' : wanted.metric === metric;

function settingNotes(sides: Sides['sides']): string[] {
  const [{ study }] = sides;
  return sides.every((side) => JSON.stringify(side.study.settings) === JSON.stringify(study.settings))
    ? []
    : [`study ${study.name} has different settings in these runs; only what all have is compared`];
}

/** Which models have answers that could not be judged, and under which conditions, if their numbers differ. */
export function unjudgedNotes(
  comparisons: readonly Pick<Comparison, 'study' | 'subject' | 'models' | 'unjudged'>[],
): string[] {
  const found = comparisons.flatMap(({ subject, models, unjudged = [] }) => {
    const names = models.flatMap(({ name }, model) => (unjudged[model] ? [`${name} ${unjudged[model]}`] : []));
    return names.length === 0 ? [] : [{ subject, names: nameList(names) }];
  });
  const study = comparisons[0]?.study;
  const groups = [...Map.groupBy(found, ({ names }) => names)];
  const all = comparisons.map(({ subject }) => subject);
  const texts =
    groups.length > mostUnjudgedNotes
      ? [['', unjudgedRanges(comparisons)] as const]
      : groups.map(([names, own]) => {
          const subjects = own.map(({ subject }) => subject);
          return [conditionsText(subjects, all), names] as const;
        });
  return texts.map(
    ([conditions, names]) =>
      `study ${study}${conditions}: answers that could not be judged are in no mean (${names}); a model is only ` +
      'called better if it is with its own at their worst and the other’s at their best, and intervals have all that ' +
      'they allow',
  );
}

/** If more conditions than these have numbers of their own, one note has the least and the most of each model. */
const mostUnjudgedNotes = 4;

function unjudgedRanges(comparisons: readonly Pick<Comparison, 'models' | 'unjudged'>[]): string {
  const counts = comparisons.flatMap(({ models, unjudged = [] }) =>
    models.map(({ name }, model) => ({ name, count: unjudged[model] ?? 0 })),
  );
  const ranges = [...Map.groupBy(counts, ({ name }) => name)].flatMap(([name, own]) => {
    const [least, most] = [Math.min(...own.map(({ count }) => count)), Math.max(...own.map(({ count }) => count))];
    return most === 0 ? [] : [`${name} ${least === most ? most : `${least} to ${most}`} by condition`];
  });
  return nameList(ranges);
}

function simulatedNotes(comparisons: readonly Comparison[]): string[] {
  const simulated = comparisons.flatMap(({ models }) => models.filter((model) => model.simulated));
  const names = [...new Set(simulated.map(({ model }) => model))].toSorted();
  return names.length === 0
    ? []
    : [`simulated: ${nameList(names)}; such a comparison says nothing about any real model`];
}

/** Throws InputError for a name that no metric has. */
export function metricNamed(text: string): GateMetricName {
  const found = gateMetricNames.find((name) => name === text);
  if (found !== undefined) return found;
  throw new InputError(`no metric "${text}"; ${knownHint(text, gateMetricNames)}`, { field: '--metric' });
}
