/** Numbers from the paper's text next to the same numbers of a study. No value is read off the paper's figures. */
import published from '../../../data/published/promptse.json' with { type: 'json' };
import type { Interval } from '../../../domain/statistics/intervals/interval.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import type { PromptseBoardRow } from '../results/board.ts';
import type { StudyQuestions } from '../results/questions/study-questions.ts';
import type { DataCell, DataRow, DataTable } from '../../../analysis/report/part.ts';
import { missing } from '../../../analysis/report/format.ts';
import { explained, number, probability } from '../../../analysis/report/cells.ts';

export function publishedTables(questions: readonly StudyQuestions[], board: readonly PromptseBoardRow[]): DataTable[] {
  return [
    ...questions.map((study) => besideTable(study, board)),
    {
      title: 'Models with published numbers',
      note:
        `${published.source}. ${published.benchmark}. ${drops} “Here”: ` +
        'this report’s numbers for a model of the same name.',
      words: 2,
      heads: [
        'Model',
        'Family',
        'Size, B',
        'pass@1',
        'AUC-E',
        'E(d), about',
        'ECE',
        'pass@1, here',
        'AUC-E, here',
        'ECE, here',
      ],
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

/** Normalises a name, so that Qwen2.5-Coder-7B and qwen2.5_coder_7b are equal. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9.]/g, '');

const variantsError = (affect: StudyQuestions['affect'][number]): number | null =>
  affect.groups.find(({ by }) => by === 'variants')?.calibration?.value ?? null;

const errorOf = (questions: readonly StudyQuestions[], { run, study, model }: PromptseBoardRow): number | null => {
  const own = questions
    .find((one) => one.run === run && one.study === study)
    ?.affect.find((one) => one.model === model);
  return own === undefined ? null : variantsError(own);
};

const pair = ([first, second]: readonly number[], digits = 3): DataCell => ({
  text: `${first?.toFixed(digits)} – ${second?.toFixed(digits)}`,
});

/** The range of some values, or an interval; a dash if there is none. */
const span = (values: readonly number[]): DataCell =>
  values.length === 0 ? { text: missing, value: null } : pair([Math.min(...values), Math.max(...values)]);
const interval = (one: Interval | null): DataCell =>
  one === null ? { text: missing, value: null } : pair([one.lo, one.hi]);

function besideTable(questions: StudyQuestions, board: readonly PromptseBoardRow[]): DataTable {
  const own = board.filter(({ run, study }) => run === questions.run && study === questions.study);
  return {
    title: `Study ${questions.study} compared with the paper`,
    note:
      `The paper has ${published.setup.models} models on HumanEval with different variants, so its numbers are for ` +
      'comparison, not a target. |Δ pass| means two quantities: under RQ2 the mean over models, tasks and ' +
      `distances, under RQ4 the mean over prompts by emotion. ${published.rq2.note}.`,
    n: 'n is that of the table of the same question; the paper has 164 tasks',
    words: 1,
    heads: ['Quantity', 'Paper', 'This study'],
    rows: [
      ...rangeRows(own.filter(({ method, aucE }) => method === 'full' && aucE !== null)),
      ...structureRows(questions),
      ...deltaRows(questions),
      ...lightRows(questions),
      ...affectRows(questions, own),
    ],
  };
}

function rangeRows(rows: readonly PromptseBoardRow[]): DataRow[] {
  const { setup, ranges, elasticity } = published;
  return [
    ['Models with AUC-E', number(setup.models, 0), number(rows.length, 0)],
    ['pass@1, lowest and highest', pair(ranges.pass_at_1), span(rows.flatMap(({ passAt1 }) => passAt1?.value ?? []))],
    ['AUC-E, lowest and highest', pair(ranges.auc_e), span(rows.flatMap(({ aucE }) => aucE?.value ?? []))],
    [
      'E(d), range of most models (paper) or all models (here)',
      pair(elasticity.most_models, 2),
      span(rows.flatMap((row) => row.elasticity.flatMap((one) => one?.value ?? []))),
    ],
  ];
}

function structureRows({ structure: { full } }: StudyQuestions): DataRow[] {
  const { rq1 } = published;
  return [
    ['RQ1: Spearman correlation of pass@1 and AUC-E', number(rq1.spearman), number(full.spearman.statistic)],
    ['RQ1: p of this correlation', number(rq1.p), probability(full.spearman.p)],
    ['RQ1: 95 % interval of this correlation', pair(rq1.ci95), interval(full.interval)],
    ['RQ1: models in the four quadrants', { text: rq1.quadrants.join(', ') }, { text: full.quadrants.join(', ') }],
  ];
}

function deltaRows({ deltas }: StudyQuestions): DataRow[] {
  const { rq2 } = published;
  const at = (distance: number) => deltas.distances.find((spread) => spread.distance === distance)?.meanAbsolute;
  return [
    ...Object.entries(rq2.mean_abs_delta_pass).map(
      ([distance, value]): DataRow => [
        `RQ2: mean |Δ pass| at ${distance}`,
        number(value),
        number(at(Number(distance))),
      ],
    ),
    ['RQ2: Kruskal–Wallis H by size', number(rq2.kruskal_wallis_h), number(deltas.size?.kruskalWallis.statistic)],
  ];
}

function lightRows({ light }: StudyQuestions): DataRow[] {
  const { rq3 } = published;
  const closeness = light.strata.find(({ by }) => by === 'all')?.overModels;
  return [
    ['RQ3: Pearson', number(rq3.pearson), number(closeness?.pearson.statistic)],
    ['RQ3: Spearman', number(rq3.spearman), number(closeness?.spearman.statistic)],
    ['RQ3: Kendall', number(rq3.kendall), number(closeness?.kendall.statistic)],
    ['RQ3: MAE', number(rq3.mae), number(closeness?.errors?.mae)],
    ['RQ3: RMSE', number(rq3.rmse), number(closeness?.errors?.rmse)],
    ['RQ3: R²', number(rq3.r2), explained(closeness?.errors?.r2, null)],
  ];
}

/** @param own board rows of the study */
function affectRows({ affect }: StudyQuestions, own: readonly PromptseBoardRow[]): DataRow[] {
  const families = familyDeltas(own, affect);
  return [
    ...Object.entries(published.rq4.mean_abs_delta_pass_by_family).map(
      ([family, value]): DataRow => [
        `RQ4: mean |Δ pass| under emotions, ${family}`,
        number(value),
        number(families.get(plain(family))),
      ],
    ),
    [
      'RQ4: ECE, lowest and highest',
      pair(published.ranges.ece),
      span(affect.flatMap((one) => variantsError(one) ?? [])),
    ],
  ];
}

/** Mean over a family's models of their mean |delta pass| over prompts. */
function familyDeltas(own: readonly PromptseBoardRow[], affect: StudyQuestions['affect']): Map<string, number | null> {
  const rows = own.filter(({ method }) => method === 'light');
  const values = rows.flatMap(({ model, family }) => {
    const one = affect
      .find((other) => other.model === model)
      ?.groups.find(({ by }) => by === 'variants')?.meanAbsoluteDelta;
    return family === null || one == null ? [] : [{ family: plain(family), value: one.value }];
  });
  const families = [...Map.groupBy(values, ({ family }) => family)];
  return new Map(families.map(([family, members]) => [family, mean(members.map(({ value }) => value))]));
}
