/** A gate over runs: which models are compared on which studies, and what a policy says of it. */
import { evaluateGate, type GateOutcome, type GateSubject, withoutIdleRules, worstOf } from '../domain/gate/evaluate.ts';
import type { TitledResult } from '../domain/gate/junit.ts';
import type { GatePolicy } from '../domain/gate/policy.ts';
import { InputError } from '../domain/errors.ts';
import { textOf } from '../domain/metrics/row-order.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import { studyModels } from '../studies/plan.ts';
import type { RunDatabase } from './database.ts';
import type { Compared, Side } from './gate/compared.ts';
import { sourcesOf } from './gate/sources.ts';
import { records } from './records.ts';

/** What the user said of the two sides. */
export interface GateRequest {
  readonly run: string;
  /** Run of the old side; the same run when left out. */
  readonly against?: string;
  readonly old?: string;
  readonly now?: string;
  readonly study?: string;
}

export interface GateReport {
  readonly outcome: GateOutcome;
  readonly comparisons: readonly TitledResult[];
  /** What the verdict does not rest on: other settings, changed tasks. */
  readonly notes: readonly string[];
}

interface Comparison {
  readonly study: SpecStudy;
  readonly old: Side;
  readonly now: Side;
}

/** @throws InputError where there is nothing to compare, or a name is unknown */
export async function gateOver(database: RunDatabase, request: GateRequest, policy: GatePolicy): Promise<GateReport> {
  const comparisons = comparisonsOf(database.manifests, request);
  if (comparisons.length === 0) throw new InputError(nothingToCompare(request));
  const results: TitledResult[] = [];
  const notes: string[] = [];
  for (const comparison of comparisons) {
    results.push({ title: titleOf(comparison), result: await resultOf(database, comparison, policy) });
    notes.push(...settingNotes(comparison), ...extractionNotes(comparison));
  }
  notes.push(...idleRules(policy, results), ...(await changedTasks(database, request)), ...(await simulatedNotes(database, comparisons)));
  const concerned = withoutIdleRules(results.map(({ result }) => result)).flatMap((result, index) => {
    const { title = '' } = results[index] ?? {};
    if (result.rules.length > 0) return [{ title, result }];
    notes.push(`${title}: no rule applies to it`);
    return [];
  });
  return { outcome: worstOf(concerned.map(({ result }) => result)), comparisons: concerned, notes: [...new Set(notes)] };
}

/** A rule that applies to nothing is most likely misspelled. */
function idleRules({ rules }: GatePolicy, comparisons: readonly TitledResult[]): string[] {
  const subjects = comparisons.flatMap(({ result }) => result.subjects);
  return rules.flatMap((rule, index) => {
    if (comparisons.some(({ result }) => (result.rules[index]?.checks.length ?? 0) > 0)) return [];
    const wrong = (['suite', 'benchmark', 'dimension', 'workflow'] as const).flatMap((field) => {
      const known = [...new Set(subjects.filter(({ metric }) => metric === rule.metric).flatMap((subject) => subject[field] ?? []))];
      const wanted = rule[field];
      return wanted === undefined || known.length === 0 || known.includes(wanted)
        ? []
        : [`no ${field} "${wanted}", there is ${known.join(', ')}`];
    });
    const metrics = [...new Set(subjects.map(({ metric }) => metric))];
    if (!metrics.includes(rule.metric)) wrong.unshift(`what is compared has ${metrics.join(', ') || 'no metric'}`);
    return [`rule ${index + 1} (${rule.metric}) applies to nothing${wrong.length === 0 ? '' : `: ${wrong.join('; ')}`}`];
  });
}

const nothingToCompare = ({ run, against, old, now }: GateRequest): string =>
  old !== undefined
    ? `no study has both models, "${old}" in ${against ?? run} and "${now}" in ${run}: see --old and --new, and the runs’ models`
    : against === undefined
      ? `run ${run} has no regression study: name two of its models with --old and --new, or another run with --against`
      : `runs ${against} and ${run} have no study of the same name with a model in common: name the models with --old and --new`;

function comparisonsOf(manifests: readonly Manifest[], request: GateRequest): Comparison[] {
  const now = manifestOf(manifests, request.run);
  const old = request.against === undefined ? now : manifestOf(manifests, request.against);
  const studies = now.spec.studies.filter(({ name }) => request.study === undefined || request.study === name);
  if (studies.length === 0) throw new InputError(`run ${request.run} has no study "${request.study}"`, { field: '--study' });
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

/** [old, new] by the ids of models: as asked for, else the study's own pairs, else the models that two runs share. */
function pairsOf(study: SpecStudy, old: Manifest, now: Manifest, request: GateRequest): (readonly [string, string])[] {
  if (!hasStudy(old, study)) return [];
  const earlier = studyIn(old, study);
  const [before, after] = [studyModels(old.spec, earlier), studyModels(now.spec, study)];
  if (request.old !== undefined && request.now !== undefined)
    return before.includes(request.old) && after.includes(request.now) ? [[request.old, request.now]] : [];
  if (old !== now) return after.filter((model) => before.includes(model)).map((model) => [model, model]);
  return study.kind === 'robunfr-regression' ? study.settings.pairs : [];
}

function titleOf({ study, old, now }: Comparison): string {
  const [before, after] = old.manifest === now.manifest ? [old.model, now.model] : [sideName(old), sideName(now)];
  return `${study.name}: ${before} to ${after}`;
}
const sideName = ({ manifest, model }: Side): string => `${model} (${manifest.runId})`;

async function resultOf(database: RunDatabase, { study, old, now }: Comparison, policy: GatePolicy) {
  const changed = await changedTaskIds(database, old.manifest, now.manifest, study.benchmark);
  const compared: Compared[] = [];
  for (const source of sourcesOf(study.kind)) compared.push(...(await source(database, { old, now, changed })));
  const bySubject = new Map(compared.map((one) => [subjectName(one.subject), one]));
  return evaluateGate(
    policy,
    compared.map(({ subject }) => subject),
    (subject, _level, question) => bySubject.get(subjectName(subject))?.estimate(question) ?? { old: null, now: null, interval: null },
  );
}

const subjectName = ({ metric, suite, dimension, workflow }: GateSubject): string => JSON.stringify([metric, suite, dimension, workflow]);

function settingNotes({ study, old, now }: Comparison): string[] {
  if (old.manifest === now.manifest || JSON.stringify(old.study.settings) === JSON.stringify(study.settings)) return [];
  return [
    `study ${study.name} has other settings in run ${old.manifest.runId} than in ${now.manifest.runId}; only what both ask is compared`,
  ];
}

/** Verdicts of other rules differ on the same replies. */
function extractionNotes({ study, old, now }: Comparison): string[] {
  const [before, after] = [old, now].map(({ manifest }) => manifest.versions.extraction?.[study.name] ?? "an older program's");
  if (before === after) return [];
  return [
    `study ${study.name} takes code from its replies by another rule in run ${old.manifest.runId} (${before}) than in ${now.manifest.runId} (${after}); ` +
      `\`rescore\` judges the old replies by the new rule`,
  ];
}

async function simulatedNotes(database: RunDatabase, comparisons: readonly Comparison[]): Promise<string[]> {
  const rows = await records(database, 'SELECT DISTINCT run, model FROM models WHERE simulated');
  const sides = new Set(
    comparisons.flatMap(({ old, now }) => [old, now].map(({ manifest, model }) => JSON.stringify([manifest.runId, model]))),
  );
  const simulated = rows.filter((row) => sides.has(JSON.stringify([row['run'], row['model']]))).map((row) => textOf(row, 'model'));
  return simulated.length === 0
    ? []
    : [`simulated: ${[...new Set(simulated)].toSorted().join(', ')}; the verdict says nothing about any real model`];
}

/** Tasks of the same id whose record is another: prompt or tests have changed. */
async function changedTaskIds(database: RunDatabase, old: Manifest, now: Manifest, benchmark: string): Promise<Set<string>> {
  if (old === now) return new Set();
  const rows = await records(database, 'select run, benchmark, task_id, record_sha256 from tasks');
  const hashes = ({ runId }: Manifest): Map<string, string> =>
    new Map(
      rows
        .filter((row) => row['run'] === runId && row['benchmark'] === benchmark)
        .map((row) => [textOf(row, 'task_id'), textOf(row, 'record_sha256')]),
    );
  const [before, after] = [hashes(old), hashes(now)];
  return new Set([...after].flatMap(([task, hash]) => (before.get(task) === hash ? [] : [task])));
}

async function changedTasks(database: RunDatabase, { run, against }: GateRequest): Promise<string[]> {
  if (against === undefined) return [];
  const [old, now] = [manifestOf(database.manifests, against), manifestOf(database.manifests, run)];
  const notes = Object.keys(now.spec.benchmarks).map(async (benchmark) => {
    const changed = await changedTaskIds(database, old, now, benchmark);
    return changed.size === 0 ? [] : [`${changed.size} task(s) of ${benchmark} are new or changed since run ${against} and left out`];
  });
  return (await Promise.all(notes)).flat();
}
