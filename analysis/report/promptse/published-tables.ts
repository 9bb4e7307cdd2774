/** What the paper's text prints, beside the same numbers of a study. Nothing is read off its figures. */
import published from '../../../data/published/promptse.json' with { type: 'json' };
import type { Interval } from '../../../domain/statistics/interval.ts';
import type { PromptseBoardRow } from '../../promptse-board.ts';
import type { StudyQuestions } from '../../promptse-questions.ts';
import type { DataCell, DataTable } from '../data-table.ts';
import { missing } from '../format.ts';
import { explained, number, probability } from './cells.ts';

export function publishedTables(questions: readonly StudyQuestions[], board: readonly PromptseBoardRow[]): DataTable[] {
  return [
    ...questions.map((study) => besideTable(study, board)),
    {
      title: 'Models of which the paper prints numbers',
      note: `${published.source}. ${published.benchmark}. ${drops} Where a model of this report has the same name, its own numbers follow.`,
      words: 2,
      heads: ['Model', 'Family', 'Size, B', 'pass@1', 'AUC-E', 'E(d), about', 'ECE', 'pass@1, ours', 'AUC-E, ours', 'ECE, ours'],
      rows: published.models.map((row) => {
        const own = board.find(({ model, method }) => method === 'full' && plain(model) === plain(row.model));
        const elasticity = published.elasticity.models.find(({ model }) => model === row.model);
        return [
          ...[row.model, row.family],
          ...[number(row.size_b, 1), number(row.pass_at_1), number(row.auc_e)],
          elasticity === undefined ? number(null) : pair([elasticity.e_from, elasticity.e_to], 2),
          number(row.ece),
          ...[number(own?.passAt1?.value), number(own?.aucE?.value), number(own && errorOf(questions, own))],
        ];
      }),
    },
  ];
}

const drops = published.elasticity.drops
  .map(({ model, from, to, percent }) => `${model}’s E(d) falls by about ${percent} % from ${from} to ${to}.`)
  .join(' ');

/** Names as people write them: Qwen2.5-Coder-7B and qwen2.5_coder_7b are one. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9.]/g, '');

const variantsError = (affect: StudyQuestions['affect'][number]): number | null =>
  affect.groups.find(({ by }) => by === 'variants')?.calibration?.value ?? null;

const errorOf = (questions: readonly StudyQuestions[], { run, study, model }: PromptseBoardRow): number | null => {
  const own = questions.find((one) => one.run === run && one.study === study)?.affect.find((one) => one.model === model);
  return own === undefined ? null : variantsError(own);
};

const pair = ([first, second]: readonly number[], digits = 3): DataCell => ({
  text: `${first?.toFixed(digits)} – ${second?.toFixed(digits)}`,
});

/** A range, or an interval; a dash where there is none. */
const span = (values: readonly number[]): DataCell =>
  values.length === 0 ? { text: missing, value: null } : pair([Math.min(...values), Math.max(...values)]);
const interval = (one: Interval | null): DataCell => (one === null ? { text: missing, value: null } : pair([one.lo, one.hi]));
const words = (text: string): DataCell => ({ text });

function besideTable({ run, study, structure, deltas, light, affect }: StudyQuestions, board: readonly PromptseBoardRow[]): DataTable {
  const rows = board.filter((row) => row.run === run && row.study === study && row.method === 'full' && row.aucE !== null);
  const full = structure.full;
  const closeness = light.strata.find(({ by }) => by === 'all')?.overModels;
  const at = (distance: number) => deltas.distances.find((spread) => spread.distance === distance)?.meanAbsolute;
  const { rq1, rq2, rq3, rq4, ranges, setup } = published;
  const families = familyDeltas(board, { run, study }, affect);
  return {
    title: `Study ${study} beside the paper`,
    note: `The paper has ${setup.models} models on HumanEval with other variants, so its numbers are a comparison and no target. Its |Δ pass| under RQ2 and under RQ4 are two quantities: the first stands beside the mean over models, tasks and distances, the second beside the mean over prompts by emotion. ${rq2.note}.`,
    words: 1,
    heads: ['Quantity', 'Paper', 'This study'],
    rows: [
      ['Models with AUC-E', number(setup.models, 0), number(rows.length, 0)],
      ['pass@1, least and greatest', pair(ranges.pass_at_1), span(rows.flatMap(({ passAt1 }) => passAt1?.value ?? []))],
      ['AUC-E, least and greatest', pair(ranges.auc_e), span(rows.flatMap(({ aucE }) => aucE?.value ?? []))],
      [
        'E(d) of most models (paper), of all (here)',
        pair(published.elasticity.most_models, 2),
        span(rows.flatMap(({ elasticity }) => elasticity.flatMap((one) => one?.value ?? []))),
      ],
      ['RQ1: Spearman of pass@1 and AUC-E', number(rq1.spearman), number(full.spearman.statistic)],
      ['RQ1: its p', number(rq1.p), probability(full.spearman.p)],
      ['RQ1: its 95 % interval', pair(rq1.ci95), interval(full.interval)],
      ['RQ1: quadrants', words(rq1.quadrants.join(', ')), words(full.quadrants.join(', '))],
      ...Object.entries(rq2.mean_abs_delta_pass).map(([distance, value]) => [
        `RQ2: mean |Δ pass| at ${distance}`,
        number(value),
        number(at(Number(distance))),
      ]),
      ['RQ2: Kruskal–Wallis H by size', number(rq2.kruskal_wallis_h), number(deltas.size?.kruskalWallis.statistic)],
      ['RQ3: Pearson', number(rq3.pearson), number(closeness?.pearson.statistic)],
      ['RQ3: Spearman', number(rq3.spearman), number(closeness?.spearman.statistic)],
      ['RQ3: Kendall', number(rq3.kendall), number(closeness?.kendall.statistic)],
      ['RQ3: MAE', number(rq3.mae), number(closeness?.errors?.mae)],
      ['RQ3: RMSE', number(rq3.rmse), number(closeness?.errors?.rmse)],
      ['RQ3: R²', number(rq3.r2), explained(closeness?.errors?.r2, null)],
      ...Object.entries(rq4.mean_abs_delta_pass_by_family).map(([family, value]) => [
        `RQ4: mean |Δ pass| under emotions, ${family}`,
        number(value),
        number(families.get(plain(family))),
      ]),
      ['RQ4: ECE, least and greatest', pair(ranges.ece), span(affect.flatMap((one) => variantsError(one) ?? []))],
    ],
  };
}

/** Mean over a family's models of their mean |delta pass| over prompts. */
function familyDeltas(
  board: readonly PromptseBoardRow[],
  of: { run: string; study: string },
  affect: StudyQuestions['affect'],
): Map<string, number> {
  const rows = board.filter((row) => row.run === of.run && row.study === of.study && row.method === 'light');
  const values = rows.flatMap(({ model, family }) => {
    const one = affect.find((own) => own.model === model)?.groups.find(({ by }) => by === 'variants')?.meanAbsoluteDelta;
    return family === null || one == null ? [] : [{ family: plain(family), value: one.value }];
  });
  return new Map(
    [...Map.groupBy(values, ({ family }) => family)].map(([family, own]) => [
      family,
      own.reduce((sum, { value }) => sum + value, 0) / own.length,
    ]),
  );
}
