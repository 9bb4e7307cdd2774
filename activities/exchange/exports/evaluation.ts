/** One model's answers to one benchmark in one study: what most tools call an evaluation. */
import { InputError } from '../../../domain/errors.ts';
import { programVersion } from '../../runs/version.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';
import type { ExportSource } from './export-format.ts';
import { type JudgedAnswer, judgedAnswers } from './judged-answers.ts';

export interface Evaluation {
  readonly run: string;
  readonly uuid: string;
  readonly study: string;
  readonly kind: string;
  readonly model: string;
  readonly requestedModel: string;
  readonly provider: string;
  readonly simulated: boolean;
  readonly benchmark: string;
  readonly benchmarkFormat: string;
  readonly benchmarkSha256: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly programVersion: string;
}

interface Found {
  readonly study: string;
  readonly model: string;
  readonly benchmark: string;
}

/** Throws `InputError` with the choices unless study and model name exactly one evaluation. */
async function oneEvaluation(source: ExportSource): Promise<Evaluation> {
  const { study, model, database } = source;
  const sql = 'SELECT DISTINCT study, model, benchmark FROM answers WHERE outcome IS NOT NULL ORDER BY ALL';
  const all = (await records(database, sql)) as unknown as readonly Found[];
  const wanted = all.filter((one) => (study ?? one.study) === one.study && (model ?? one.model) === one.model);
  const [found, ...others] = wanted;
  if (found === undefined) throw new InputError('the run has no judged answers yet, or none of this study and model');
  if (others.length > 0) throw severalFound(wanted);
  return evaluationOf(source, found);
}

function severalFound(found: readonly Found[]): InputError {
  const [studies, models, benchmarks] = (['study', 'model', 'benchmark'] as const).map((name) => [
    ...new Set(found.map((one) => one[name])),
  ]) as [string[], string[], string[]];
  if (studies.length > 1) return new InputError(`is required: one of ${studies.join(', ')}`, { field: '--study' });
  if (models.length > 1) return new InputError(`is required: one of ${models.join(', ')}`, { field: '--model' });
  return new InputError(`this format holds one benchmark; the study has ${benchmarks.join(', ')}: use csv or parquet`, {
    field: '--format',
  });
}

interface ModelRow {
  readonly requested_model: string | null;
  readonly provider: string | null;
  readonly simulated: boolean;
}

async function evaluationOf({ database }: ExportSource, found: Found): Promise<Evaluation> {
  const [manifest] = database.manifests;
  if (manifest === undefined) throw new Error('no run is open');
  const sql = `SELECT requested_model, provider, simulated FROM models WHERE model = ${quoteText(found.model)}`;
  const [model] = (await records(database, sql)) as unknown as readonly ModelRow[];
  const benchmark = manifest.benchmarks[found.benchmark];
  return {
    ...found,
    run: manifest.runId,
    uuid: manifest.uuid,
    kind: manifest.spec.studies.find(({ name }) => name === found.study)?.kind ?? '',
    requestedModel: model?.requested_model ?? found.model,
    provider: model?.provider ?? '',
    simulated: model?.simulated === true,
    benchmarkFormat: benchmark?.format ?? '',
    benchmarkSha256: benchmark?.sourceSha256 ?? '',
    startedAt: manifest.createdAt,
    finishedAt: manifest.finishedAt ?? manifest.updatedAt,
    programVersion,
  };
}

/** An answer with its number among those of its task, from 1. */
export interface NumberedAnswer extends JudgedAnswer {
  readonly epoch: number;
}

export async function* numberedAnswers(answers: AsyncIterable<JudgedAnswer>): AsyncGenerator<NumberedAnswer> {
  let [task, epoch] = ['', 0];
  for await (const answer of answers) {
    epoch = answer.task_id === task ? epoch + 1 : 1;
    task = answer.task_id;
    yield { ...answer, epoch };
  }
}

/** The one evaluation that study and model name, and its answers. */
export async function evaluated(
  source: ExportSource,
): Promise<{ readonly evaluation: Evaluation; readonly answers: AsyncIterable<NumberedAnswer> }> {
  const evaluation = await oneEvaluation(source);
  const { study, model } = evaluation;
  return { evaluation, answers: numberedAnswers(judgedAnswers({ ...source, study, model })) };
}
