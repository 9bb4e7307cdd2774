/** Converts survival results to rows of their tables and back. */
import { numberOf, numberOrNull, textOf } from '../../../../domain/metrics/row-order.ts';
import { boundedMeanMethod } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import { geometricMethod } from '../../../../domain/statistics/geometric-mean.ts';
import { defaultLevel, type Interval } from '../../../../domain/statistics/intervals/interval.ts';
import type { SurvivalStep } from '../../../../domain/statistics/survival-steps.ts';
import { type TestResult, undefinedTest } from '../../../../domain/statistics/tests/test-result.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { type Estimate, estimateOf } from '../../../../analysis/estimate.ts';
import type { LoopSurvival } from './loop-survival.ts';
import { studyName } from '../ranks/rank-rows.ts';

export interface SurvivalTables {
  readonly loop_survival: readonly Row[];
  readonly loop_tests: readonly Row[];
  readonly loop_breaks: readonly Row[];
  readonly loop_lengths: readonly Row[];
  readonly loop_fixpoints: readonly Row[];
}

export const survivalTables = (all: readonly LoopSurvival[]): SurvivalTables => ({
  loop_survival: all.flatMap(survivalRows),
  loop_tests: all.flatMap(testRows),
  loop_breaks: all.flatMap(breakRows),
  loop_lengths: all.flatMap(lengthRows),
  loop_fixpoints: all.flatMap(fixpointRows),
});

const survivalRows = ({ run, study, curves }: LoopSurvival): Row[] =>
  curves.flatMap(({ model, steps }) => steps.map((step) => ({ run, study, model, ...stepRow(step) })));

const testRows = ({ run, study, tests }: LoopSurvival): Row[] =>
  tests.map(({ models: [model, other], test, adjusted, tasks }) => ({
    run,
    study,
    model,
    other_model: other,
    chi_square: test.statistic,
    p: test.p,
    p_adjusted: adjusted,
    n: test.n,
    n_tasks: tasks,
    method: 'log-rank scores, the two models swapped within whole tasks',
    reason: test.reason,
  }));

const breakRows = ({ run, study, breaks }: LoopSurvival): Row[] =>
  breaks.map((row) => ({
    run,
    study,
    model: row.model,
    loop: row.loop,
    n_format: row.format,
    n_signature: row.signature,
    n_semantics: row.semantics,
    n_collapsed: row.collapsed,
    n_drifted: row.drifted,
    n_unscored: row.unscored,
    similarity: row.similarity?.value ?? null,
    ...ends('similarity', row.similarity),
    n_scored: row.collapsed + row.drifted,
    level: defaultLevel,
    confidence: defaultLevel,
    method: boundedMeanMethod,
  }));

const lengthRows = ({ run, study, drifts }: LoopSurvival): Row[] =>
  drifts.map(({ model, loop, cells, tasks, code, summary, codeFactor, summaryFactor }) => ({
    run,
    study,
    model,
    loop,
    n_cells: cells,
    code_ratio: code,
    summary_ratio: summary,
    code_factor: codeFactor?.value ?? null,
    ...ends('code_factor', codeFactor),
    summary_factor: summaryFactor?.value ?? null,
    ...ends('summary_factor', summaryFactor),
    n_tasks: tasks,
    level: defaultLevel,
    confidence: defaultLevel,
    method: geometricMethod,
  }));

const fixpointRows = ({ run, study, fixpoints }: LoopSurvival): Row[] =>
  fixpoints.map(({ model, cells, fixed, share, from }) => ({
    run,
    study,
    model,
    n_cells: cells,
    n_fixed: fixed,
    fixed_share: share?.value ?? null,
    ...ends('fixed_share', share),
    from_loop: from?.value ?? null,
    ...ends('from_loop', from),
    level: defaultLevel,
    confidence: defaultLevel,
    method: boundedMeanMethod,
  }));

const ends = (name: string, estimate: Estimate | null): Row => ({
  [`${name}_lo`]: estimate?.interval?.lo ?? null,
  [`${name}_hi`]: estimate?.interval?.hi ?? null,
});

const stepRow = (step: SurvivalStep): Row => ({
  loop: step.time,
  at_risk: step.atRisk,
  ended: step.ended,
  hazard: step.hazard,
  hazard_lo: step.hazardInterval.lo,
  hazard_hi: step.hazardInterval.hi,
  survival: step.survival,
  survival_lo: step.interval?.lo ?? null,
  survival_hi: step.interval?.hi ?? null,
  level: defaultLevel,
  confidence: defaultLevel,
  method: boundedMeanMethod,
});

const stepFrom = (row: Row): SurvivalStep => ({
  time: numberOf(row, 'loop'),
  atRisk: numberOf(row, 'at_risk'),
  ended: numberOf(row, 'ended'),
  hazard: numberOf(row, 'hazard'),
  hazardInterval: estimateOf(row, 'hazard')?.interval as Interval,
  survival: numberOf(row, 'survival'),
  interval: estimateOf(row, 'survival')?.interval ?? null,
});

const byModelAndLoop = (a: Row, b: Row): number =>
  a['model'] === b['model']
    ? numberOf(a, 'loop') - numberOf(b, 'loop')
    : textOf(a, 'model') < textOf(b, 'model')
      ? -1
      : 1;

export function survivalsFrom(tables: SurvivalTables): LoopSurvival[] {
  return [...Map.groupBy(tables.loop_survival, studyName)].map(([name, rows]) => {
    const own = (table: keyof SurvivalTables): Row[] => tables[table].filter((row) => studyName(row) === name);
    const first = rows[0] as Row;
    return {
      run: textOf(first, 'run'),
      study: textOf(first, 'study'),
      curves: [...Map.groupBy(rows.toSorted(byModelAndLoop), (row) => textOf(row, 'model'))].map(([model, steps]) => ({
        model,
        steps: steps.map(stepFrom),
      })),
      tests: own('loop_tests').map(testFrom),
      breaks: own('loop_breaks').toSorted(byModelAndLoop).map(breaksFrom),
      drifts: own('loop_lengths').toSorted(byModelAndLoop).map(driftFrom),
      fixpoints: own('loop_fixpoints').map((row) => ({
        model: textOf(row, 'model'),
        cells: numberOf(row, 'n_cells'),
        fixed: numberOf(row, 'n_fixed'),
        share: estimateOf(row, 'fixed_share'),
        from: estimateOf(row, 'from_loop'),
      })),
    };
  });
}

const testFrom = (row: Row): LoopSurvival['tests'][number] => ({
  models: [textOf(row, 'model'), textOf(row, 'other_model')],
  test: resultFrom(row),
  adjusted: numberOrNull(row, 'p_adjusted'),
  tasks: numberOrNull(row, 'n_tasks') ?? 0,
});

const resultFrom = (row: Row): TestResult =>
  row['reason'] === null
    ? { statistic: numberOf(row, 'chi_square'), p: numberOf(row, 'p'), n: numberOf(row, 'n'), reason: null }
    : undefinedTest(numberOf(row, 'n'), textOf(row, 'reason'));

const breaksFrom = (row: Row): LoopSurvival['breaks'][number] => ({
  model: textOf(row, 'model'),
  loop: numberOf(row, 'loop'),
  format: numberOf(row, 'n_format'),
  signature: numberOf(row, 'n_signature'),
  semantics: numberOf(row, 'n_semantics'),
  collapsed: numberOf(row, 'n_collapsed'),
  drifted: numberOf(row, 'n_drifted'),
  unscored: numberOf(row, 'n_unscored'),
  similarity: estimateOf(row, 'similarity'),
});

const driftFrom = (row: Row): LoopSurvival['drifts'][number] => ({
  model: textOf(row, 'model'),
  loop: numberOf(row, 'loop'),
  cells: numberOf(row, 'n_cells'),
  code: numberOrNull(row, 'code_ratio'),
  summary: numberOrNull(row, 'summary_ratio'),
  tasks: numberOrNull(row, 'n_tasks') ?? 0,
  codeFactor: estimateOf(row, 'code_factor'),
  summaryFactor: estimateOf(row, 'summary_factor'),
});
