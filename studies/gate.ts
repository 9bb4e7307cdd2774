/** A gate over runs: selects the models and studies to compare, and applies a policy. */
import { counted } from '../domain/counted.ts';
import {
  applications,
  appliesTo,
  evaluateGate,
  type GateOutcome,
  type GateResult,
  type GateSubject,
  withoutIdleRules,
  worstOf,
} from '../domain/gate/evaluate.ts';
import { needsRuns } from '../domain/gate/metrics.ts';
import type { GateEstimate, GateQuestion } from '../domain/gate/estimate.ts';
import type { TitledResult } from '../domain/gate/junit.ts';
import type { GatePolicy } from '../domain/gate/policy.ts';
import { InputError } from '../domain/errors.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import { changedTaskIds, tasksChanged } from './across/changed-tasks.ts';
import { extractionNotes, leftOutNotes, suiteNotes } from './across/run-notes.ts';
import { repeatedTasks } from './across/repeated-tasks.ts';
import { areJudgedApart, sandboxNotes } from './across/other-sandboxes.ts';
import { idleRules, mayApply } from './across/idle-rules.ts';
import { oneRunModels } from './across/one-run-models.ts';
import { oneRunStudies } from './across/one-run-studies.ts';
import { isTimedApart, timedApartText } from './across/times-of-runs.ts';
import { withoutResults, withoutTasks } from './across/without-results.ts';
import { gateCutNotes } from './across/gate-cut-notes.ts';
import { type GateSides, settingNotes, simulatedNotes } from './across/gate-notes.ts';
import { isAllSame, sameAnswers, sameAnswersNotes, type SidePair } from './across/same-answers.ts';
import { studyOf } from './index.ts';
import { studyModels } from './plan.ts';
import { resultsOfKind } from './results.ts';
import type { RunDatabase } from '../analysis/database.ts';
import { changedPromptsNotes } from '../analysis/gate/changed-prompts.ts';
import type { Compared, Side } from '../analysis/gate/compared.ts';

/** The user's choice of the two sides. */
export interface GateRequest {
  readonly run: string;
  /** Run of the old side. Default: the same run. */
  readonly against?: string;
  readonly old?: string;
  readonly now?: string;
  readonly study?: string;
}

export interface GateReport {
  readonly outcome: GateOutcome;
  readonly comparisons: readonly TitledResult[];
  /** Remarks that do not affect the verdict, such as different settings or changed tasks. */
  readonly notes: readonly string[];
}

/** @throws InputError if there is nothing to compare, or a name is unknown */
export async function gateOver(database: RunDatabase, request: GateRequest, policy: GatePolicy): Promise<GateReport> {
  refuseItself(request);
  const comparisons = comparisonsOf(database.manifests, request);
  if (comparisons.length === 0) throw new InputError(nothingToCompare(request));
  const results: TitledResult[] = [];
  const notes: string[] = [];
  const measured: MeasuredComparison[] = [];
  for (const comparison of comparisons) measured.push(await measuredIn(database, comparison, policy));
  const times = applications(
    policy,
    measured.flatMap(({ subjects }) => subjects),
  );
  for (const { comparison, cut, ...found } of measured) {
    const { study, old, now } = comparison;
    const manifests = [old.manifest, now.manifest];
    const doubts = { isSame: isAllSame(await sameAnswers(database, found.pair)), isApart: areJudgedApart(manifests) };
    results.push({
      title: titleOf(comparison),
      result: resultOf(found, policy, times, { ...doubts, sides: [old, now] }),
    });
    if (found.compared.some(({ subject }) => needsRuns(subject.metric))) notes.push(...sandboxNotes(manifests));
    notes.push(...cut.map((note) => `${titleOf(comparison)}: ${note}`), ...settingNotes(comparison));
    notes.push(...leftOutNotes(study, [old, now], { all: resultsOfKind(study.kind).neededSettings ?? [] }));
    notes.push(...(await changedPromptsNotes(database, [old, now], resultsOfKind(study.kind).comparedPrompts)));
    notes.push(...extractionNotes(study, [old, now]));
  }
  const lacking = await withoutResults(database, comparisons);
  notes.push(
    ...lacking.notes,
    ...idleRules(policy, results, lacking.waiting),
    ...ungated(database.manifests, request),
    ...(await changedTasks(database, request)),
    ...(await sameAnswersNotes(
      database,
      measured.map(({ pair }) => pair),
    )),
    ...(await repeatedTasks(
      database,
      comparisons.map(({ study }) => study.benchmark),
    )),
    ...(await simulatedNotes(database, comparisons)),
  );
  const { own, idle } = withoutIdleRules(
    results.map(({ result }) => result),
    (rule, index) => mayApply(rule, comparisons[index]?.study),
    (index) => lacking.waiting.some((one) => one === comparisons[index]),
  );
  const concerned = own.flatMap((result, index) => {
    const { title = '' } = results[index] ?? {};
    if (result.rules.length > 0) return [{ title, result }];
    notes.push(`${title}: no rule applies`);
    return [];
  });
  if (idle !== null) concerned.push({ title: 'rules that apply to nothing', result: idle });
  return {
    outcome: worstOf(concerned.map(({ result }) => result)),
    comparisons: concerned,
    notes: [...new Set(notes)],
  };
}

/** It would pass, whatever the model does. */
function refuseItself({ run, against = run, old, now }: GateRequest): void {
  if (old === undefined || old !== now || against !== run) return;
  throw new InputError(
    `--old and --new both name "${old}" of run ${run}, which would be compared with itself: name two models, or ` +
      'another run with --against',
  );
}

function nothingToCompare({ run, against, old, now }: GateRequest): string {
  if (old !== undefined)
    return (
      `no study has both models, "${old}" in ${against ?? run} and "${now}" in ${run}: ` +
      'see --old and --new, and the runs’ models'
    );
  if (against === undefined)
    return (
      `run ${run} has no regression study: name two of its models with --old and --new, ` +
      'or another run with --against'
    );
  if (against === run)
    return `--against names run ${run} itself: name another run, or two models of this one with --old and --new`;
  return (
    `runs ${against} and ${run} have no study of the same name with a model in common: name the models with ` +
    '--old and --new'
  );
}

function comparisonsOf(manifests: readonly Manifest[], request: GateRequest): GateSides[] {
  const now = manifestOf(manifests, request.run);
  const old = request.against === undefined ? now : manifestOf(manifests, request.against);
  const studies = now.spec.studies.filter(({ name }) => request.study === undefined || request.study === name);
  if (studies.length === 0)
    throw new InputError(`run ${request.run} has no study "${request.study}"`, { field: '--study' });
  return studies.flatMap((study) =>
    pairsOf(study, old, now, request).map(([before, after]) => ({
      study,
      old: { manifest: old, study: studyIn(old, study), model: before },
      now: { manifest: now, study, model: after },
    })),
  );
}

function manifestOf(manifests: readonly Manifest[], run: string): Manifest {
  const found = manifests.find(({ runId }) => runId === run);
  if (found === undefined) throw new Error(`run ${run} is not open`);
  return found;
}

const hasStudy = ({ spec }: Manifest, { name, kind }: SpecStudy): boolean =>
  spec.studies.some((study) => study.name === name && study.kind === kind);
const studyIn = ({ spec }: Manifest, { name, kind }: SpecStudy): SpecStudy =>
  spec.studies.find((study) => study.name === name && study.kind === kind) as SpecStudy;

/** Pairs of model ids, old and new: as requested, else the study's own pairs, else the models that two runs share. */
function pairsOf(
  study: SpecStudy,
  old: Manifest,
  now: Manifest,
  request: GateRequest,
): readonly (readonly [string, string])[] {
  if (!hasStudy(old, study)) return [];
  const earlier = studyIn(old, study);
  const [before, after] = [studyModels(old.spec, earlier), studyModels(now.spec, study)];
  if (request.old !== undefined && request.now !== undefined)
    return before.includes(request.old) && after.includes(request.now) ? [[request.old, request.now]] : [];
  if (old !== now) return after.filter((model) => before.includes(model)).map((model) => [model, model]);
  return studyOf(study).pairs?.(study) ?? [];
}

function titleOf({ study, old, now }: GateSides): string {
  const [before, after] = old.manifest === now.manifest ? [old.model, now.model] : [sideName(old), sideName(now)];
  return `${study.name}: ${before} to ${after}`;
}
const sideName = ({ manifest, model }: Side): string => `${model} (${manifest.runId})`;

interface MeasuredComparison {
  readonly comparison: GateSides;
  /** All that could be compared. */
  readonly subjects: readonly GateSubject[];
  /** What a rule applies to: the values of all else need not stay in memory. */
  readonly compared: readonly Compared[];
  readonly cut: readonly string[];
  readonly pair: SidePair;
}

async function measuredIn(
  database: RunDatabase,
  comparison: GateSides,
  { rules }: GatePolicy,
): Promise<MeasuredComparison> {
  const { study, old, now } = comparison;
  // Both ways: tasks that only one run has are not unjudged in the other.
  const changed = await tasksChanged(database, [old.manifest, now.manifest], study.benchmark, true);
  const found: Compared[] = [];
  for (const source of resultsOfKind(study.kind).gate)
    found.push(...(await source(database, { sides: [old, now], ...changed })));
  const compared = found.filter(({ subject }) => rules.some((rule) => appliesTo(rule, subject)));
  const cut = compared.filter(({ subject: { metric } }) => !isTimedApart(metric, [old, now]));
  return {
    comparison,
    subjects: found.map(({ subject }) => subject),
    compared,
    cut: [...gateCutNotes(cut), ...compared.flatMap((one) => suiteNote(one, [old, now]))],
    pair: { old, now, changed: changed.changedRecords },
  };
}

interface Doubts {
  /** All answers are the old side's. */
  readonly isSame: boolean;
  /** Different sandboxes judged the sides. */
  readonly isApart: boolean;
  readonly sides: readonly Side[];
}

const noEstimate: GateEstimate = { old: null, now: null, interval: null };

/**
 * @param times how often each rule applies in all comparisons of the gate
 */
function resultOf(
  { subjects, compared }: Pick<MeasuredComparison, 'subjects' | 'compared'>,
  policy: GatePolicy,
  times: readonly number[],
  { isSame, isApart, sides }: Doubts,
): GateResult {
  const bySubject = new Map(compared.map((one) => [subjectName(one.subject), one]));
  // What a run has not asked yet says nothing against a version.
  const isPartial = sides.some(({ manifest }) => manifest.state !== 'complete');
  const estimateOf = (subject: GateSubject, question: GateQuestion): GateEstimate => {
    const found = bySubject.get(subjectName(subject))?.estimate(question) ?? noEstimate;
    const { unjudged } = found;
    return isPartial && unjudged !== undefined ? { ...found, unjudged: { ...unjudged, isPartial: true } } : found;
  };
  return evaluateGate(
    isPartial ? { ...policy, unjudged: 'inconclusive' } : policy,
    subjects,
    (subject, _level, question) => ({
      ...(isTimedApart(subject.metric, sides) ? { ...noEstimate, why: timedApartText } : estimateOf(subject, question)),
      ...(isSame && { sameAnswers: true as const }),
      ...(isApart && { judgedApart: true as const }),
      ...suiteGapOf(bySubject.get(subjectName(subject)), sides),
    }),
    times,
  );
}

function suiteGapOf(found: Compared | undefined, sides: readonly Side[]): Pick<GateEstimate, 'suiteGap'> {
  const { withoutSuite = [] } = found ?? {};
  const runs = sides.map(({ manifest }) => manifest.runId);
  const without = runs.find((_, side) => withoutSuite.includes(side));
  const having = runs.find((run) => run !== without);
  return without === undefined || having === undefined ? {} : { suiteGap: { without, having } };
}

/** A suite that only one of the runs judges. */
const suiteNote = ({ subject: { metric, suite }, withoutSuite = [] }: Compared, sides: readonly Side[]): string[] =>
  withoutSuite.map((side) => `${metric} (${suite}): this suite did not judge ${sideName(sides[side] as Side)}`);

const subjectName = ({ metric, suite, dimension, workflow }: GateSubject): string =>
  JSON.stringify([metric, suite, dimension, workflow]);

function ungated(manifests: readonly Manifest[], request: GateRequest): string[] {
  if (request.against === undefined) return [];
  const [old, now] = [manifestOf(manifests, request.against), manifestOf(manifests, request.run)];
  const models = request.old === undefined ? oneRunModels(old, now, request.study) : [];
  return [...oneRunStudies(old, now, request), ...models];
}

async function changedTasks(database: RunDatabase, { run, against }: GateRequest): Promise<string[]> {
  if (against === undefined) return [];
  const [old, now] = [manifestOf(database.manifests, against), manifestOf(database.manifests, run)];
  if (withoutTasks([old, now]).length > 0) return [];
  const notes = Object.keys(now.spec.benchmarks).map(async (benchmark) => {
    const changed = await changedTaskIds(database, old, now, benchmark);
    return [
      ...(changed.size === 0
        ? []
        : [`${counted(changed.size, 'task')} of ${benchmark}, new or changed since run ${against}: excluded`]),
      ...(await suiteNotes(database, [old, now], benchmark, changed)),
    ];
  });
  return (await Promise.all(notes)).flat();
}
