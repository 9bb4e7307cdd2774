/** What separates a run from a spec that is given again: additions extend the run, anything else is another run. */
import { canonicalJson } from '../domain/ids.ts';
import { earlierExtraction } from '../domain/extraction/rules/index.ts';
import type { Spec, SpecModel } from '../schemas/spec.ts';
import type { Task } from '../schemas/task.ts';
import { rulesOf } from '../studies/index.ts';
import type { Depth } from '../studies/rules.ts';

type TasksByBenchmark = ReadonlyMap<string, readonly Task[]>;

/**
 * Lines that name every difference which is no addition; empty when the spec fits the run.
 * @param unanswered models that have answered nothing in the run: how they are asked may change, since a refused parameter has to
 */
export function specDifferences(
  old: Spec,
  oldTasks: TasksByBenchmark,
  now: Spec,
  nowTasks: TasksByBenchmark,
  unanswered: ReadonlySet<string> = new Set(),
): string[] {
  const compared = (model: SpecModel | undefined): unknown =>
    model && (unanswered.has(model.id) ? withoutRequest(model) : withoutSharing(model));
  return [
    ...(old.seed === now.seed ? [] : [`seed: ${old.seed} in the run, ${now.seed} in the spec`]),
    ...old.models.flatMap((model) => changed(`model ${model.id}`, compared(model), compared(now.models.find(({ id }) => id === model.id)))),
    ...Object.entries(old.providers).flatMap(([name, account]) =>
      changed(`provider ${name}`, endpoint(account), endpoint(now.providers[name])),
    ),
    ...old.studies.flatMap((study) =>
      studyDifferences(
        study,
        now.studies.find(({ name }) => name === study.name),
      ),
    ),
    ...[...oldTasks].flatMap(([name, tasks]) => taskDifferences(name, tasks, nowTasks.get(name))),
  ];
}

const withoutRequest = ({ model: _model, parameters: _parameters, strictVersion: _strict, price: _price, ...rest }: SpecModel): unknown =>
  withoutSharing(rest);

/** An answer stays the same answer however many came with it. */
const withoutSharing = <M extends Partial<SpecModel>>({ samplesPerRequest: _samples, ...rest }: M): unknown => rest;

function changed(what: string, old: unknown, now: unknown): string[] {
  if (now === undefined) return [`${what} is in the run and not in the spec`];
  if (canonicalJson(old) === canonicalJson(now)) return [];
  return [`${what}: ${canonicalJson(old)} in the run, ${canonicalJson(now)} in the spec`];
}

/** Limits and patience may change between two sittings; where the answers come from may not. */
const endpoint = (account: Spec['providers'][string] | undefined): unknown => account && { kind: account.kind, baseUrl: account.baseUrl };

type Study = Spec['studies'][number];

/** More models, repetitions, attacks, draws of them, settings, loops and samples are additions. */
function studyDifferences(old: Study, now: Study | undefined): string[] {
  if (!now) return [`study ${old.name} is in the run and not in the spec`];
  const fewer =
    now.repetitions < old.repetitions
      ? [`study ${old.name}: ${old.repetitions} repetitions in the run, ${now.repetitions} in the spec`]
      : [];
  const missing = (old.models ?? []).filter((model) => now.models && !now.models.includes(model));
  return [
    ...fewer,
    ...missing.map((model) => `study ${old.name}: model ${model} is no longer listed`),
    ...lostCells(old, now),
    ...lessDeep(old, now),
    ...otherExtraction(old, now),
    ...changed(`study ${old.name}`, fixed(old), fixed(now)),
  ];
}

/** Studies that ask more of the cells that the run has: more loops, more samples. */
export function deeperStudies(old: Spec, now: Spec): Set<string> {
  const depths = new Map(old.studies.map((study) => [study.name, depthOf(study)?.value]));
  return new Set(now.studies.flatMap((study) => ((depthOf(study)?.value ?? 0) > (depths.get(study.name) ?? Infinity) ? [study.name] : [])));
}

const depthOf = (study: Study): Depth | null => rulesOf(study).depth?.(study) ?? null;

function lessDeep(old: Study, now: Study): string[] {
  const [before, after] = [depthOf(old), depthOf(now)];
  if (before === null || after === null || after.value >= before.value) return [];
  return [`study ${old.name}: ${before.setting} ${before.value} in the run, ${after.value} in the spec`];
}

/** What has to stay as it is. */
function fixed(study: Study): unknown {
  const { models: _models, repetitions: _repetitions, extraction: _extraction, ...rest } = study;
  const { additive = [] } = rulesOf(study);
  const settings = Object.entries(rest.settings).filter(([setting]) => !additive.includes(setting));
  return { ...rest, settings: Object.fromEntries(settings) };
}

function otherExtraction(old: Study, now: Study): string[] {
  const [before, after] = [old.extraction ?? earlierExtraction, now.extraction ?? earlierExtraction];
  if (before === after) return [];
  return [
    `study ${old.name}: extraction ${before} in the run, ${after} in the spec; evenkeel rescore RUN --extraction ${after} judges the replies again`,
  ];
}

/** What the run has asked for and the spec asks no more. */
const lostCells = (old: Study, now: Study): string[] =>
  old.kind === now.kind ? (rulesOf(old).lost?.(old, now) ?? []).map((phrase) => `study ${old.name}: ${phrase}`) : [];

function taskDifferences(benchmark: string, old: readonly Task[], now: readonly Task[] | undefined): string[] {
  if (!now) return [`benchmark ${benchmark} is in the run and not in the spec`];
  const records = new Map(now.map((task) => [task.taskId, task.recordSha256]));
  const missing = old.filter(({ taskId }) => !records.has(taskId)).length;
  const altered = old.filter(({ taskId, recordSha256 }) => (records.get(taskId) ?? recordSha256) !== recordSha256).length;
  return [
    ...(missing === 0 ? [] : [`benchmark ${benchmark}: ${missing} task(s) of the run are not in the spec's selection`]),
    ...(altered === 0 ? [] : [`benchmark ${benchmark}: ${altered} task(s) have other records (file, suites or driver changed)`]),
  ];
}
