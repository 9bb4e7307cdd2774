/** Compares a run with a changed spec: additions extend the run, any other change needs another run. */
import { counted } from '../../domain/counted.ts';
import { canonicalJson } from '../../domain/ids.ts';
import { earlierExtraction } from '../../studies/extraction.ts';
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import { rulesOf } from '../../studies/index.ts';
import { studyModels } from '../../studies/plan.ts';
import type { Depth } from '../../studies/rules.ts';

type TasksByBenchmark = ReadonlyMap<string, readonly Task[]>;

/**
 * One line per difference that is not an addition; empty if the run can be extended to the spec.
 * @param unanswered models without an answer in the run: their requests, and the address of an account that has no
 *   others, may change, to correct what was refused
 */
export function specDifferences(
  old: Spec,
  oldTasks: TasksByBenchmark,
  now: Spec,
  nowTasks: TasksByBenchmark,
  unanswered: ReadonlySet<string> = new Set(),
): string[] {
  const compared = (model: SpecModel | undefined): unknown =>
    model && (unanswered.has(model.id) ? withoutRequest(model) : withoutPrice(model));
  return [
    ...(old.seed === now.seed ? [] : [`seed: ${old.seed} in the run, ${now.seed} in the spec`]),
    ...old.models.flatMap((model) => {
      const newer = now.models.find(({ id }) => id === model.id);
      return [
        ...changed(`model ${model.id}`, compared(model), compared(newer)),
        ...(newer === undefined || unanswered.has(model.id) ? [] : otherPrice(model, newer)),
      ];
    }),
    ...Object.entries(old.providers).flatMap(([name, account]) => {
      const hasAnswered = old.models.some(({ id, provider }) => provider === name && !unanswered.has(id));
      const compare = hasAnswered ? endpoint : kindOnly;
      return changed(`provider ${name}`, compare(account), compare(now.providers[name]));
    }),
    ...old.studies.flatMap((study) =>
      studyDifferences(
        study,
        now.studies.find(({ name }) => name === study.name),
        [old, now],
      ),
    ),
    ...[...oldTasks].flatMap(([name, tasks]) => taskDifferences(name, tasks, nowTasks.get(name))),
  ];
}

/** Whether the spec has tasks that the run lacks, also of a benchmark that no study uses. */
export const hasMoreTasks = (old: TasksByBenchmark, now: TasksByBenchmark): boolean =>
  [...now].some(([benchmark, tasks]) => tasks.length > (old.get(benchmark)?.length ?? 0));

/** Whether the table of models differs: there is another one, or other facts of one without an answer. */
export const hasOtherModels = (old: Spec, now: Spec): boolean => modelFacts(old) !== modelFacts(now);

const modelFacts = ({ models }: Spec): string =>
  canonicalJson(Object.fromEntries(models.map((model) => [model.id, withoutPrice(model)])));

const withoutRequest = ({
  model: _model,
  parameters: _parameters,
  strictVersion: _strict,
  price: _price,
  ...rest
}: SpecModel): unknown => withoutSharing(rest);

/** In words of its own. */
const withoutPrice = ({ price: _price, ...rest }: SpecModel): unknown => withoutSharing(rest);

/** One price for all calls of a run: its sums, and its cost per solved task, would mix two. */
function otherPrice({ id, price: old }: SpecModel, { price: now }: SpecModel): string[] {
  const parts = priceParts.filter(([field]) => old?.[field] !== now?.[field]);
  if (parts.length === 0) return [];
  const texts = parts.map(
    ([field, what]) => `${what} ${priceText(old?.[field])} in the run, ${priceText(now?.[field])} in the spec`,
  );
  return [
    `model ${id}: another price: ${texts.join('; ')}. A run keeps the price that its calls were charged at: write ` +
      'the old one to go on with this run',
  ];
}

const priceParts = [
  ['inputUsdPerMillion', 'input tokens'],
  ['outputUsdPerMillion', 'output tokens'],
] as const;
const priceText = (usd: number | undefined): string =>
  usd === undefined ? 'at the price list' : `$${usd} per million`;

/** How many answers share a request, and whether requests share a batch, does not change the answers. */
const withoutSharing = <M extends Partial<SpecModel>>({
  samplesPerRequest: _samples,
  mode: _mode,
  batchPriceShare: _share,
  ...rest
}: M): unknown => rest;

function changed(what: string, old: unknown, now: unknown): string[] {
  if (now === undefined) return [`${what} is in the run and not in the spec`];
  if (canonicalJson(old) === canonicalJson(now)) return [];
  return [`${what}: ${canonicalJson(old)} in the run, ${canonicalJson(now)} in the spec`];
}

/** Limits and timeouts may change between commands; the source of the answers may not. */
const endpoint = (account: Spec['providers'][string] | undefined): unknown =>
  account && {
    ...{ kind: account.kind, baseUrl: account.baseUrl },
    ...(account.api === 'responses' && { api: account.api }),
  };

const kindOnly = (account: Spec['providers'][string] | undefined): unknown => account && { kind: account.kind };

type Study = Spec['studies'][number];

/** Additions are: more models, repetitions, attacks and their draws, settings, loops and samples. */
function studyDifferences(
  old: Study,
  now: Study | undefined,
  [oldSpec, spec]: readonly [old: Spec, now: Spec],
): string[] {
  if (!now) return [`study ${old.name} is in the run and not in the spec`];
  const fewer =
    now.repetitions < old.repetitions
      ? [`study ${old.name}: ${old.repetitions} repetitions in the run, ${now.repetitions} in the spec`]
      : [];
  // A model that the spec has no more, or no more under study, is a difference of its own.
  const stillStudied = new Set(spec.models.filter(({ study }) => study).map(({ id }) => id));
  const missing = new Set(studyModels(oldSpec, old)).difference(new Set(studyModels(spec, now)));
  return [
    ...fewer,
    ...[...missing.intersection(stillStudied)].map((model) => `study ${old.name}: model ${model} is no longer listed`),
    ...lostCells(old, now),
    ...lessDeep(old, now),
    ...otherExtraction(old, now),
    ...changed(`study ${old.name}`, fixed(old), fixed(now)),
  ];
}

/** Studies that ask more of the run's existing cells: more loops, more samples. */
export function deeperStudies(old: Spec, now: Spec): Set<string> {
  const depths = new Map(old.studies.map((study) => [study.name, depthOf(study)?.value]));
  return new Set(
    now.studies.flatMap((study) =>
      (depthOf(study)?.value ?? 0) > (depths.get(study.name) ?? Infinity) ? [study.name] : [],
    ),
  );
}

const depthOf = (study: Study): Depth | null => rulesOf(study).depth?.(study) ?? null;

function lessDeep(old: Study, now: Study): string[] {
  const [before, after] = [depthOf(old), depthOf(now)];
  if (before === null || after === null || after.value >= before.value) return [];
  return [`study ${old.name}: ${before.setting} ${before.value} in the run, ${after.value} in the spec`];
}

/** The parts of a study that must not change. */
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
    `study ${old.name}: extraction ${before} in the run, ${after} in the spec; evenkeel rescore RUN --extraction ` +
      `${after} judges the replies again`,
  ];
}

/** What the run asked for and the spec no longer does. */
const lostCells = (old: Study, now: Study): string[] =>
  old.kind === now.kind ? (rulesOf(old).lost?.(old, now) ?? []).map((phrase) => `study ${old.name}: ${phrase}`) : [];

function taskDifferences(benchmark: string, old: readonly Task[], now: readonly Task[] | undefined): string[] {
  if (!now) return [`benchmark ${benchmark} is in the run and not in the spec`];
  const byId = new Map(now.map((task) => [task.taskId, task]));
  const missing = old.filter(({ taskId }) => !byId.has(taskId)).length;
  const altered = old.filter(
    ({ taskId, recordSha256 }) => (byId.get(taskId)?.recordSha256 ?? recordSha256) !== recordSha256,
  ).length;
  return [
    ...otherSuites(benchmark, old, byId),
    ...(missing === 0
      ? []
      : [`benchmark ${benchmark}: the spec no longer selects ${counted(missing, 'task')} of the run`]),
    ...(altered === 0 ? [] : [`benchmark ${benchmark}: ${counted(altered, 'task')} changed (file, suites or driver)`]),
  ];
}

/** A task's hash covers its whole record, whichever of its suites are chosen; answers were judged by these alone. */
function otherSuites(benchmark: string, old: readonly Task[], now: ReadonlyMap<string, Task>): string[] {
  const namesOf = ({ suites }: Task): string => suites.map(({ name }) => name).join(', ');
  const others = old.flatMap((task) => {
    const newer = now.get(task.taskId);
    return newer === undefined || namesOf(newer) === namesOf(task) ? [] : [{ task, newer }];
  });
  const [first] = others;
  if (first === undefined) return [];
  const some = others.length < old.length ? ` (of ${counted(others.length, 'task')})` : '';
  return [
    `benchmark ${benchmark}: suites ${namesOf(first.task)} in the run, ${namesOf(first.newer)} in the spec${some}; ` +
      'evenkeel rescore RUN --suites NAMES judges the replies again',
  ];
}
