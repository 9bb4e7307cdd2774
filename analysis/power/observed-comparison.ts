/** What an earlier run says about the spread of answers that a comparison would meet. */
import { InputError } from '../../domain/errors.ts';
import { crossedAnswers } from '../../domain/metrics/variance/crossed-answers.ts';
import { leftOutTasks, leftOutText } from '../../domain/metrics/variance/left-out-tasks.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import { nameList } from '../../domain/name-list.ts';
import { type ObservedSpread, observedSpread } from '../../domain/statistics/power/observed-spread.ts';
import { taskSums } from '../../domain/statistics/variance/answer-groups.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { judgedAnswers } from '../judged-answers.ts';
import { quoteText } from '../views.ts';

export interface ComparisonWanted {
  /** Default: the run's first study with answers of two models. */
  readonly study?: string;
  /** Default: the first setting by name. */
  readonly setting?: string;
  /** Default: all models of the study. */
  readonly models?: readonly string[];
}

export interface ObservedComparison {
  readonly run: string;
  readonly study: SpecStudy;
  readonly setting: string;
  readonly models: readonly string[];
  /** Tasks with a judged answer of every model. */
  readonly tasks: number;
  readonly answers: number;
  readonly observed: ObservedSpread;
  /** Settings and tasks that were left out, and simulated models. */
  readonly notes: readonly string[];
}

/**
 * From the first answers to the unchanged prompts, as a gate compares them. Throws InputError if a name is unknown, one
 * model is named, or no study has two tasks with judged answers of all its models, two at least.
 */
export async function observedComparison(
  database: RunDatabase,
  manifest: Manifest,
  wanted: ComparisonWanted,
): Promise<ObservedComparison> {
  if (new Set(wanted.models).size === 1)
    throw new InputError(`must be two models or more, with commas between; got "${wanted.models?.[0]}"`, {
      field: '--models',
    });
  const studies = manifest.spec.studies.filter(({ name }) => wanted.study === undefined || wanted.study === name);
  if (studies.length === 0)
    throw new InputError(`run ${manifest.runId} has no study "${wanted.study}"`, { field: '--study' });
  const seen: Row[][] = [];
  for (const study of studies) {
    const where =
      `run = ${quoteText(manifest.runId)} AND study = ${quoteText(study.name)} AND variant = 'original' ` +
      "AND step = 'generate' AND loop = 1";
    const all = await judgedAnswers(database, where);
    seen.push(all.filter((row) => row['passed'] !== null));
    const found = inSetting(ofModels(all, wanted.models), manifest, study, wanted.setting);
    if (found !== null) return found;
  }
  throw new InputError(nothingFound(manifest, wanted, tooFew(seen)));
}

/** What no choice of models can mend: the answers that count in every study. Null if they are enough. */
function tooFew(studies: readonly (readonly Row[])[]): string | null {
  if (studies.every((rows) => rows.length === 0)) return 'no judged answers';
  for (const [column, noun] of [
    ['model', 'model'],
    ['task_id', 'task'],
  ] as const) {
    const names = studies.map((rows) => new Set(rows.map((row) => textOf(row, column))));
    if (names.every(({ size }) => size < 2))
      return `judged answers of one ${noun} only (${nameList([...new Set(names.flatMap((own) => [...own]))])})`;
  }
  return null;
}

const stated = 'or state the variances with --between, --within and --correlation';

function nothingFound({ runId }: Manifest, { study, models }: ComparisonWanted, few: string | null): string {
  const where = study === undefined ? `run ${runId}` : `study "${study}" of run ${runId}`;
  if (few !== null)
    return `${where} has ${few}, and a comparison needs two models and two tasks: name another run, ${stated}`;
  const [all, other] =
    models === undefined
      ? ['all its models, two at least, have', 'name some of them (`power --models`)']
      : [`all of the models ${nameList(models)} have`, `name other models${models.length > 2 ? ', or fewer' : ''}`];
  return (
    `run ${runId} has no study${study === undefined ? '' : ` "${study}"`} with two tasks that ${all} judged answers ` +
    `to: ${other}, ${stated}`
  );
}

function ofModels(rows: readonly Row[], models: readonly string[] | undefined): readonly Row[] {
  if (models === undefined) return rows;
  const known = new Set(rows.map((row) => textOf(row, 'model')));
  const unknown = models.find((model) => !known.has(model));
  if (unknown !== undefined && known.size > 0)
    throw new InputError(`no answers of model "${unknown}"; there are answers of ${nameList([...known])}`, {
      field: '--models',
    });
  return rows.filter((row) => models.includes(textOf(row, 'model')));
}

/** Null if there are not two tasks with judged answers of all models, two at least. */
function inSetting(
  rows: readonly Row[],
  { runId }: Manifest,
  study: SpecStudy,
  wanted: string | undefined,
): ObservedComparison | null {
  const settings = [...new Set(rows.map((row) => textOf(row, 'setting')))].toSorted();
  const setting = wanted ?? settings[0];
  if (setting === undefined) return null;
  if (!settings.includes(setting))
    throw new InputError(`study ${study.name} has no setting "${setting}"; it has ${nameList(settings)}`, {
      field: '--setting',
    });
  const own = rows.filter((row) => row['setting'] === setting);
  const { models, tasks } = crossedAnswers(own);
  const sums = tasks.map(taskSums);
  const observed = observedSpread(sums, models.length);
  if (observed === null) return null;
  const leftOut = leftOutTasks(own, models);
  const simulated = [...new Set(own.filter((row) => row['simulated'] === true).map((row) => textOf(row, 'model')))];
  return {
    ...{ run: runId, study, setting, models, tasks: tasks.length, observed },
    answers: sums.reduce((sum, { answers }) => sum + answers, 0),
    notes: [
      ...(wanted === undefined && settings.length > 1
        ? [`setting ${setting}, the first of ${nameList(settings)}; --setting names another`]
        : []),
      ...(leftOut === null ? [] : [leftOutText(leftOut, models)]),
      ...(observed.between === null
        ? ['one answer a task: the run does not show how much answers to one task vary, so more are not planned']
        : []),
      ...(simulated.length === 0 ? [] : [`simulated: ${nameList(simulated)}; real models may vary otherwise`]),
    ],
  };
}
