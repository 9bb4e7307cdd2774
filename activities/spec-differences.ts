/** What separates a run from a spec that is given again: additions extend the run, anything else is another run. */
import { canonicalJson } from '../domain/ids.ts';
import { earlierExtraction } from '../domain/extraction/rules/index.ts';
import type { Spec, SpecModel } from '../schemas/spec.ts';
import type { Task } from '../schemas/task.ts';
import { attackVariantNames } from '../studies/evaloop/attacks/variants.ts';
import { attackSettings } from '../studies/evaloop/cells.ts';
import type { EvaloopStudy } from '../studies/evaloop/study.ts';

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

/** How much is asked of a cell, where more of it keeps what there is. */
function depthOf(study: Study): { readonly setting: string; readonly value: number } | null {
  if (study.kind === 'evaloop') return { setting: 'maxLoops', value: study.settings.maxLoops };
  return study.kind === 'promptse' ? { setting: 'samples', value: study.settings.samples } : null;
}

function lessDeep(old: Study, now: Study): string[] {
  const [before, after] = [depthOf(old), depthOf(now)];
  if (before === null || after === null || after.value >= before.value) return [];
  return [`study ${old.name}: ${before.setting} ${before.value} in the run, ${after.value} in the spec`];
}

/** What has to stay as it is. */
function fixed({ models: _models, repetitions: _repetitions, extraction: _extraction, ...rest }: Study): unknown {
  if (rest.kind === 'promptse') {
    const { samples: _samples, ...settings } = rest.settings;
    return { ...rest, settings };
  }
  if (rest.kind !== 'evaloop') return rest;
  const { attacks: _attacks, attackDraws: _draws, summaryPrompts: _prompts, temperatures: _temperatures, ...settings } = rest.settings;
  const { sampledRuns: _runs, maxLoops: _loops, ...alike } = settings;
  return { ...rest, settings: alike };
}

function otherExtraction(old: Study, now: Study): string[] {
  const [before, after] = [old.extraction ?? earlierExtraction, now.extraction ?? earlierExtraction];
  if (before === after) return [];
  return [
    `study ${old.name}: extraction ${before} in the run, ${after} in the spec; evenkeel rescore RUN --extraction ${after} judges the replies again`,
  ];
}

/** Attacks and settings that the run has asked for and the spec asks no more. */
function lostCells(old: Study, now: Study): string[] {
  if (old.kind !== 'evaloop' || now.kind !== 'evaloop') return [];
  const [before, after] = [namesOf(old), new Set(namesOf(now))];
  const fewerRuns = now.settings.sampledRuns < old.settings.sampledRuns;
  return [
    ...before.filter((name) => !after.has(name)).map((name) => `study ${old.name}: ${name} is no longer asked for`),
    ...(fewerRuns
      ? [`study ${old.name}: ${old.settings.sampledRuns} sampled runs in the run, ${now.settings.sampledRuns} in the spec`]
      : []),
  ];
}

const namesOf = ({ settings }: EvaloopStudy): string[] => [
  ...attackVariantNames(attackSettings(settings)).map((name) => `attack ${name}`),
  ...settings.summaryPrompts.map((name) => `summary prompt ${name}`),
  ...settings.temperatures.map((temperature) => `temperature ${temperature}`),
];

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
