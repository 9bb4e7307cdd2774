/** A comparison over runs: every two models of each study, on the tasks that all of them share. */
import type { Cards } from '../analysis/card/card-source.ts';
import type { RunDatabase } from '../analysis/database.ts';
import { changedPromptsNotes } from '../analysis/gate/changed-prompts.ts';
import type { Compared, Sides } from '../analysis/gate/compared.ts';
import { unlessMissing } from '../domain/missing-tables/unless-missing.ts';
import type { ComparedModel, Comparison } from '../domain/compare/comparison.ts';
import { firstLineOf } from '../domain/missing-tables/computing-fault.ts';
import { wideMarginNote } from '../domain/compare/wide-margin.ts';
import { counted } from '../domain/counted.ts';
import { InputError } from '../domain/errors.ts';
import { gateMetric, type GateMetricName, gateMetricNames, needsRuns } from '../domain/gate/metrics.ts';
import { nameList } from '../domain/name-list.ts';
import { knownHint } from '../domain/nearest.ts';
import type { ChangedTasks } from './across/changed-tasks.ts';
import { conditionsText, type NotedSubject } from './across/conditions-text.ts';
import { extractionNotes, leftOutNotes, suiteNotes } from './across/run-notes.ts';
import { costNotes } from './across/cost-note.ts';
import { cutNotes } from './across/cut-notes.ts';
import { onKnownSides } from './across/known-sides.ts';
import {
  isUneven,
  type MissingCondition,
  missingConditions,
  missingNotes,
  onSidesWith,
} from './across/missing-conditions.ts';
import { type Remark, type SubjectReport, subjectReport } from './across/subject-report.ts';
import { isTimedApart, timeNotes } from './across/times-of-runs.ts';
import { unlistedNotes, withoutTasks } from './across/without-results.ts';
import { unjudgedNotes } from './across/unjudged-notes.ts';
import { sandboxNotes } from './across/other-sandboxes.ts';
import { repeatedTasks } from './across/repeated-tasks.ts';
import { pairsOfAnswers, sameAnswersNotes, type SidePair } from './across/same-answers.ts';
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

interface StudyReport extends CompareReport {
  /** Whether models have values of a metric, but of no task that all of them share. */
  readonly isApart: boolean;
  /** Times, which are not compared between runs. */
  readonly leftTimes: readonly GateMetricName[];
}

/** Throws InputError if there is nothing to compare, or a name is unknown. */
export async function compareOver(database: RunDatabase, request: CompareRequest): Promise<CompareReport> {
  const notes: string[] = [];
  const comparisons: Comparison[] = [];
  let isApart = false;
  let areTimesLeft = false;
  for (const { study, sides } of wantedSides(database, request)) {
    const [first, ...others] = await withAnswers(database, sides);
    const without = sides.filter((side) => side !== first && !others.includes(side)).map(({ model }) => model);
    if (without.length > 0) notes.push(`study ${study.name}: ${nameList(without)} excluded, without a finished task`);
    if (first === undefined || others.length === 0) continue;
    const compared = () => studyComparisons(database, [first, ...others], request);
    const found = await unlessMissing(database, compared, (fault) => notCompared(study.name, fault));
    comparisons.push(...found.comparisons);
    notes.push(...found.notes);
    isApart ||= found.isApart;
    areTimesLeft ||= found.leftTimes.length > 0;
  }
  notes.push(...(await sameAnswersNotes(database, await sameModels(database, request))));
  const benchmarks = wantedSides(database, request).map(({ study }) => study.benchmark);
  notes.push(...(await repeatedTasks(database, benchmarks)));
  refuseOneModel(wantedSides(database, request), request);
  const unlisted = unlistedNotes(withoutTasks(database.manifests), 'compare');
  const noneInCommon = [...unlisted, ...noCommonModel(database, comparisons)];
  if (comparisons.length === 0) {
    const isSaid = areTimesLeft || unlisted.length > 0;
    throw new InputError(nothingToCompare(request, { isApart, isSaid }, [...noneInCommon, ...notes]));
  }
  notes.push(...wideMarginNote(comparisons), ...simulatedNotes(comparisons));
  return { comparisons, notes: [...new Set([...noneInCommon, ...notes])] };
}

const notCompared = (study: string, fault: Error): StudyReport => ({
  comparisons: [],
  notes: [`study ${study}: not compared, since this could not be computed: ${firstLineOf(fault)}`],
  isApart: false,
  leftTimes: [],
});

/** One model of one run, named by the user. */
function refuseOneModel(studies: readonly StudySides[], { models = [] }: CompareRequest): void {
  const named = [...new Set(models)];
  if (named.length !== 1 || studies.some(({ sides }) => sides.length > 1)) return;
  throw new InputError(
    `names one model, ${named.join()}: name at least two, or further runs that have this model, too`,
    { field: '--models' },
  );
}

/** Pairs of sides that may have the same answers. */
async function sameModels(database: RunDatabase, request: CompareRequest): Promise<SidePair[]> {
  const pairs: SidePair[] = [];
  for (const { sides } of wantedSides(database, request)) {
    const [first, ...others] = sides;
    const found = pairsOfAnswers(database, sides);
    if (first === undefined || found.length === 0) continue;
    const { changedRecords: changed } = await changedTasks(database, [first, ...others]);
    pairs.push(...found.map((pair) => ({ ...pair, changed })));
  }
  return pairs;
}

interface NothingFound {
  readonly isApart: boolean;
  /** The notes say why: times are not compared between runs, or a run has not ended. */
  readonly isSaid: boolean;
}

function nothingToCompare(
  { metric }: CompareRequest,
  { isApart, isSaid }: NothingFound,
  notes: readonly string[],
): string {
  if (isSaid) return `nothing to compare: ${[...new Set(notes)].join('; ')}`;
  const task = metric === undefined ? 'a task' : `a task with ${metric}`;
  const lacking = isApart ? `${task} that all its models have` : `two models that share ${task}`;
  return [`nothing to compare: no study has ${lacking}`, ...notes].join('; ');
}

/** Of models in one study. */
export async function studyComparisons(
  database: RunDatabase,
  sides: Sides['sides'],
  request: CompareRequest,
): Promise<StudyReport> {
  const [{ study }] = sides;
  const changed = await changedTasks(database, sides);
  const models = await comparedModels(database, sides);
  const notes = await taskNotes(database, sides, changed);
  const all = { sides, ...changed, byVariant: request.byVariant };
  const { found, missing, leftTimes } = await subjectReports(database, all, models, request);
  const comparisons = found.flatMap((one) => one.comparisons);
  const subjects = found.filter((one) => one.isShared).map((one) => one.subject);
  const left = found.flatMap((one) => one.left);
  return {
    comparisons,
    isApart: found.some((one) => one.apart.length > 0),
    leftTimes,
    notes: [
      ...[...notes, ...found.flatMap((one) => one.notes)],
      ...remarkNotes(study.name, left, subjects).map((text) => `${text}: left out`),
      ...remarkNotes(
        study.name,
        found.flatMap((one) => [...one.apart, ...one.lacking]),
        found.map((one) => one.subject),
      ),
      ...missingNotes(
        study.name,
        missing,
        models.map(({ name }) => name),
      ),
      ...settingNotes(sides),
      ...(request.metric === undefined ? costNotes(sides) : []),
      ...timeNotes(study, leftTimes),
      ...leftOutNotes(study, sides, { all: resultsOfKind(study.kind).neededSettings ?? [], metric: request.metric }),
      ...(await changedPromptsNotes(database, sides, resultsOfKind(study.kind).comparedPrompts)),
      ...extractionNotes(study, sides),
      ...(subjects.some(({ metric }) => needsRuns(metric)) ? sandboxNotes(sides.map((side) => side.manifest)) : []),
      ...[...cutNotes(comparisons), ...unjudgedNotes(comparisons)],
    ],
  };
}

interface Reports {
  readonly found: readonly SubjectReport[];
  readonly missing: readonly MissingCondition[];
  /** Times, which are not compared between runs. */
  readonly leftTimes: readonly GateMetricName[];
}

/** Each metric on the sides that have it. Each side is read by itself only where they have other prompts. */
async function subjectReports(
  database: RunDatabase,
  all: Sides,
  models: readonly ComparedModel[],
  request: CompareRequest,
): Promise<Reports> {
  const found: SubjectReport[] = [];
  const missing: MissingCondition[] = [];
  const leftTimes = new Set<GateMetricName>();
  const isAsked = ({ subject: { metric } }: Compared): boolean => {
    const wanted = isWanted(metric, request);
    if (!wanted || !isTimedApart(metric, all.sides)) return wanted;
    leftTimes.add(metric);
    return false;
  };
  const uneven = await isUneven(database, all);
  for (const source of resultsOfKind(all.sides[0].study.kind).gate.toReversed()) {
    const known = await onKnownSides(database, source, all, isAsked);
    const lacking = uneven ? await missingConditions(database, source, all, known, isAsked) : [];
    const some = await onSidesWith(database, source, all, lacking, isAsked);
    found.push(...[...known, ...some].map((one) => subjectReport(all.sides, models, one, request)));
    missing.push(...lacking);
  }
  return { found, missing, leftTimes: [...leftTimes] };
}

/**
 * One note for all metrics of which the same is said under the same conditions.
 * @param compared all that the study compares
 */
function remarkNotes(study: string, remarks: readonly Remark[], compared: readonly NotedSubject[]): string[] {
  const alike = Map.groupBy(remarks, ({ subject: { metric }, text }) => JSON.stringify([metric, text]));
  const said = [...alike.values()].flatMap((own) => {
    const subjects = own.map(({ subject }) => subject);
    return own.slice(0, 1).map(({ subject: { metric }, text }) => {
      const ofMetric = compared.filter((subject) => subject.metric === metric);
      return { metric, conditions: conditionsText(subjects, ofMetric), text };
    });
  });
  return [...Map.groupBy(said, ({ conditions, text }) => JSON.stringify([conditions, text])).values()].map((own) => {
    const { conditions = '', text = '' } = own[0] ?? {};
    return `study ${study}${conditions}, ${nameList(own.map(({ metric }) => metric))}: ${text}`;
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
    ...(size === 0 || withoutTasks(manifests).length > 0
      ? []
      : [`study ${study.name}: ${counted(size, 'new or changed task')} excluded`]),
    ...suites.map((text) => `study ${study.name}: ${text}`),
  ];
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
