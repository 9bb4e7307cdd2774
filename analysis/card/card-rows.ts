/** Rows of the tables `cards` and `card_agreement`. */
import { type Ranking, rankingAgreements } from '../../domain/card/agreement.ts';
import type { CardEntry } from '../../domain/card/card-entry.ts';
import type { CardMeasure } from '../../domain/card/card-measure.ts';
import { type CardTrait, cardTraits } from '../../domain/card/card-metric.ts';
import type { ComparedModel } from '../../domain/compare/comparison.ts';
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import { defaultLevel } from '../../domain/statistics/intervals/interval.ts';
import type { Row } from '../../schemas/tables.ts';

export const cardRows = (
  study: string,
  models: readonly ComparedModel[],
  measure: CardMeasure,
  entries: readonly CardEntry[],
  confidence: number,
): Row[] =>
  entries.map(({ model, value, interval, method, tasks, ownTasks, sharedTasks, rank, reason }) => {
    const { run, model: id, simulated } = models[model] as ComparedModel;
    const { metric, condition } = measure;
    const nameOf = (place: number | null | undefined): string | null =>
      'names' in measure && place != null ? (measure.names?.[place] ?? null) : null;
    const shown = value === null ? null : interval;
    return {
      ...{ run, study, metric: metric.name, condition, trait: metric.trait, model: id },
      ...{ estimate: value, estimate_lo: shown?.lo ?? null, estimate_hi: shown?.hi ?? null },
      ...{ named: nameOf(value), named_lo: nameOf(shown?.lo), named_hi: nameOf(shown?.hi) },
      ...{ unit: metric.unit, direction: metric.direction },
      ...{ rank: rank?.rank ?? null, rank_lo: rank?.interval.lo ?? null, rank_hi: rank?.interval.hi ?? null },
      ...{ letters: rank?.letters ?? null, n_better: rank?.better ?? null, n_worse: rank?.worse ?? null },
      ...{ n_models: rank?.models ?? null, n_tasks: tasks, n_own_tasks: ownTasks, n_shared_tasks: sharedTasks },
      ...{ confidence, method, rank_method: rank?.method ?? null, reason, simulated },
    };
  });

/** Every two metrics, except those of cost. @param run of all of them */
export function agreementRows(cards: readonly Row[], run: string): Row[] {
  const simulated = cards.some((row) => row['simulated'] === true);
  return rankingAgreements(rankingsOf(cards)).map(
    ({ first, second, rho, interval, relation, method, models, reason }) => ({
      run,
      ...{ study: first.study, metric: first.metric, condition: first.condition, trait: first.trait },
      ...{ other_study: second.study, other_metric: second.metric, other_condition: second.condition },
      ...{ other_trait: second.trait, relation },
      ...{ rho, rho_lo: interval?.lo ?? null, rho_hi: interval?.hi ?? null },
      ...{ n_models: models, confidence: defaultLevel, method, reason, simulated },
    }),
  );
}

/** The rankings that rows of `cards` hold, in their order; changes of versions and costs rank nothing. */
function rankingsOf(cards: readonly Row[]): Ranking[] {
  const ranked = cards.filter((row) => row['trait'] !== 'cost' && row['trait'] !== 'versions');
  const groups = Map.groupBy(ranked, (row) =>
    JSON.stringify(['study', 'metric', 'condition'].map((name) => row[name])),
  );
  return [...groups.values()].map((rows) => {
    const first = rows[0] as Row;
    return {
      ...{ study: textOf(first, 'study'), metric: textOf(first, 'metric'), condition: textOf(first, 'condition') },
      trait: cardTraits.find((trait) => trait === first['trait']) as CardTrait,
      direction: first['direction'] === 'lower' ? 'lower' : 'higher',
      values: new Map(
        rows.flatMap((row) =>
          numberOrNull(row, 'estimate') === null ? [] : [[modelName(row), numberOf(row, 'estimate')] as const],
        ),
      ),
    };
  });
}

const modelName = (row: Row): string => JSON.stringify([row['run'], row['model']]);
