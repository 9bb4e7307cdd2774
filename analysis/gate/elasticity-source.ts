/**
 * PromptSE in a gate: each task's area under its elasticity curve, normalised, and its excess over the noise floor;
 * by both methods.
 */
import { elasticityRows, methods } from '../../domain/metrics/elasticity-rows.ts';
import { elasticityValues } from '../../domain/metrics/elasticity-values.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { comparedTasks, type GateSource, ownRows, pairedTasks, plainSubject, type Side } from './compared.ts';

type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;

/** The published area is at most 2/3, and so is its distance from its floor. */
const mostArea = 2 / 3;

export const elasticitySource: GateSource<PromptseStudy> = async (database, { old, now, changed }) => {
  const [before, after] = await Promise.all([rowsOf(database, old), rowsOf(database, now)]);
  return methods.flatMap((method) => {
    const [left, right] = [before, after].map((rows) => elasticityValues(rows.filter((row) => row['method'] === method)));
    if (left === undefined || right === undefined) return [];
    const of = (metric: 'auc_e_normalized' | 'auc_e_excess') => plainSubject(metric, now.study.benchmark, method);
    return [
      comparedTasks(of('auc_e_normalized'), pairedTasks(left.normalized, right.normalized, changed), { kind: 'bounded', lo: 0, hi: 1 }),
      comparedTasks(of('auc_e_excess'), pairedTasks(left.excess, right.excess, changed), { kind: 'bounded', lo: -mostArea, hi: mostArea }),
    ];
  });
};

/** From the prompts' scores, which are there while the run goes on too. */
const rowsOf = async (database: RunDatabase, side: Side<PromptseStudy>): Promise<Row[]> =>
  elasticityRows(await records(database, `from prompt_scores where ${ownRows(side)}`), side.study.settings.variants);
