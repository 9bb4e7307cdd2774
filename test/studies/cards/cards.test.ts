/** Cards over all kinds of study: counted by hand, and equal to what each study's own tables say. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreementTable } from '../../../analysis/card/agreement-table.ts';
import { cardSection } from '../../../analysis/card/card-section.ts';
import type { Cards } from '../../../analysis/card/card-source.ts';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { renderReport } from '../../../analysis/report/html/page.ts';
import { renderJson } from '../../../analysis/report/json.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';
import { renderMarkdown } from '../../../analysis/report/text/report-markdown.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { tables } from '../../../schemas/tables.ts';
import { cardMetrics, cardsOf, cardTables } from '../../../studies/cards.ts';
import { compareOver } from '../../../studies/compare.ts';
import { collectReport } from '../../../studies/report.ts';
import { studyKinds } from '../../../studies/index.ts';
import { allResults, resultsOfKind } from '../../../studies/results.ts';
import { lost, models, writeHandCards } from './hand-cards.ts';

let folder = '';
let database: RunDatabase;
let cards: Cards;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-cards-'));
  database = await openRun(await writeHandCards(folder));
  cards = await cardsOf(database);
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const rowsOf = (wanted: Row): Row[] =>
  cards.cards.filter((row) => Object.entries(wanted).every(([column, value]) => row[column] === value));

function rowOf(wanted: Row): Row {
  const [row, ...others] = rowsOf(wanted);
  if (row === undefined || others.length > 0) throw new Error(`${1 + others.length} rows of ${JSON.stringify(wanted)}`);
  return row;
}

const estimates = (wanted: Row): unknown[] => models.map((model) => rowOf({ ...wanted, model })['estimate']);
const close = (values: readonly number[]): unknown[] => values.map((value) => expect.closeTo(value, 9));

describe('by hand', () => {
  const rates = models.map((model) => (40 - lost(model)) / 40);

  test.each(['loops', 'bare', 'chain', 'words', 'detail', 'nfr', 'two', 'plain'])(
    'study %s: pass@1 of 40, 36, ..., 20 of 40 tasks',
    (study) => {
      expect(estimates({ study, metric: 'pass_at_1' })).toEqual(close(rates.map((rate) => 100 * rate)));
    },
  );

  test('pass@1: Clopper and Pearson’s interval, ranks, groups, and the models that are better and worse', () => {
    // scipy.stats.beta.ppf(0.025, 28, 13) and beta.ppf(0.975, 29, 12) for 28 of 40.
    const row = rowOf({ study: 'plain', metric: 'pass_at_1', model: 'm3' });
    expect([row['estimate_lo'], row['estimate_hi']]).toEqual(close([53.46837147458767, 83.43727956067644]));
    expect(row).toMatchObject({ rank: 4, n_models: 6, n_tasks: 40, n_own_tasks: 40, unit: '%', direction: 'higher' });
    // A model that fails k tasks more than another fails them all and mends none: p = 2 / 2^k, and 15 pairs.
    // k = 4 and 8: 0.125 and 0.0078, not shown; 12: 0.00049 of at least 6 pairs left, shown.
    expect(
      rowsOf({ study: 'plain', metric: 'pass_at_1' }).map((one) => [one['letters'], one['n_better'], one['n_worse']]),
    ).toEqual([
      ['a', 0, 3],
      ['ab', 0, 2],
      ['a-c', 0, 1],
      ['b-d', 1, 0],
      ['cd', 2, 0],
      ['d', 3, 0],
    ]);
  });

  test('ASL: two loops of two give 2 points, one with Sim 0.5 gives 1/4', () => {
    const twos = models.map((model) => 39 - lost(model));
    expect(estimates({ study: 'loops', metric: 'asl' })).toEqual(close(twos.map((two) => (2 * two + 0.25) / 40)));
    expect(estimates({ study: 'bare', metric: 'asl_unweighted' })).toEqual(
      close(twos.map((two) => (2 * two + 0.5) / 40)),
    );
    expect(rowsOf({ study: 'bare', metric: 'asl' })).toEqual([]);
  });

  test('a chain’s score, AUC-E above its floor, and the least sufficient detail', () => {
    expect(estimates({ metric: 'chain_score' })).toEqual(close(rates.map((rate) => 2 * rate)));
    for (const condition of ['full', 'light'])
      expect(estimates({ metric: 'auc_e_excess', condition })).toEqual(
        close(rates.map((rate) => (-2 / 3) * (1 - rate))),
      );
    // Only m0 passes with 50 words as with the whole text.
    expect(models.map((model) => rowOf({ metric: 'sufficient_detail', model })['named'])).toEqual([
      ...['50', 'maximal', 'maximal', 'maximal', 'maximal', 'maximal'],
    ]);
  });

  test('STDEV over two phrasings that differ by two of 40 tasks, and the change from m0 to m2', () => {
    expect(estimates({ study: 'nfr', metric: 'phrasing_spread' })).toEqual(close(models.map(() => 5 / Math.SQRT2)));
    expect(rowOf({ metric: 'version_change' })).toMatchObject({
      ...{ study: 'update', condition: 'base, against m0', model: 'm2', n_tasks: 40 },
      estimate: expect.closeTo(-20, 9),
    });
  });

  test('cost per solved task and time of a typical one, and why some have none', () => {
    expect(estimates({ study: 'plain', metric: 'usd_per_solved_task' })).toEqual([
      ...[null, null, expect.closeTo(0.4 / 32, 9), expect.closeTo(0.4 / 28, 9), null, expect.closeTo(1.2 / 20, 9)],
    ]);
    expect(estimates({ study: 'plain', metric: 'seconds_per_task' })).toEqual([null, null, ...close([2, 2, 2, 2])]);
    const reasons = models.map((model) => rowOf({ study: 'plain', metric: 'usd_per_solved_task', model })['reason']);
    const free = 'no call was paid for: simulated or replayed';
    expect(reasons).toEqual([free, free, null, null, 'the price of a call is unknown', null]);
  });

  test('all rankings are the same, so every rho is 1; a spread that is equal for all has none', () => {
    // Five models tie in the least sufficient level, so its rankings are not the same.
    const strict = cards.card_agreement.filter((row) =>
      ['metric', 'other_metric'].every((name) => !['sufficient_detail', 'phrasing_spread'].includes(String(row[name]))),
    );
    // 6 models but in study update, which has two of them.
    const told = strict.filter((row) => row['n_models'] === 6);
    expect(told.length).toBeGreaterThan(50);
    for (const { rho } of told) expect(rho).toBeCloseTo(1, 12);
    for (const row of strict.filter((one) => one['n_models'] === 2))
      expect(row).toMatchObject({ rho: null, reason: 'cannot be told from 2 models: 5 are needed' });
    const spread = cards.card_agreement.filter(
      (row) => row['other_metric'] === 'phrasing_spread' && row['metric'] === 'asl',
    );
    expect(spread[0]).toMatchObject({ rho: null, n_models: 6, reason: 'all models are equal on one side' });
    expect(new Set(cards.card_agreement.map(({ relation }) => relation))).toEqual(
      new Set(['same_trait', 'same_study', 'different', 'same_trait_and_study']),
    );
  });
});

describe('as the studies’ own tables say', () => {
  const own = async (
    kind: (typeof studyKinds)[number],
    table: keyof typeof tables,
    wanted: Row,
  ): Promise<Map<unknown, Row>> => {
    const [manifest] = database.manifests;
    if (manifest === undefined) throw new Error('no run');
    const derived = await resultsOfKind(kind).derive(database, manifest);
    const rows = (derived[table] ?? []).filter((row) =>
      Object.entries(wanted).every(([name, value]) => row[name] === value),
    );
    return new Map(rows.map((row) => [row['model'], row]));
  };
  const same = (card: Row, found: Row | undefined, column: string): void => {
    const ends = ['', '_lo', '_hi'].map((end) => Number(found?.[`${column}${end}`]));
    expect([card['estimate'], card['estimate_lo'], card['estimate_hi']]).toEqual(close(ends));
  };

  test.each([
    ['asl', 'evaloop', 'asl', { study: 'loops' }, 'asl'],
    ['asl_unweighted', 'evaloop', 'asl', { study: 'bare' }, 'asl_unweighted'],
    ['chain_score', 'evaloop-translation', 'chain_scores', { study: 'chain' }, 'score'],
    ['auc_e_excess', 'promptse', 'auc_e', { study: 'words', method: 'light' }, 'auc_e_excess'],
    [
      'phrasing_spread',
      'robunfr-prompts',
      'nfr_summary',
      { study: 'nfr', metric: 'pass_at_1', dimension: 'reliability' },
      'stdev',
    ],
    [
      'pass_at_1',
      'robunfr-prompts',
      'nfr_summary',
      { study: 'nfr', metric: 'pass_at_1', dimension: 'function-only' },
      'mean',
    ],
    [
      'version_change',
      'robunfr-regression',
      'regression',
      { study: 'update', metric: 'pass_at_1', dimension: 'function-only' },
      'difference',
    ],
  ] as const)('%s of %s', async (metric, kind, table, wanted, column) => {
    const found = await own(kind, table, wanted);
    const condition = metric === 'auc_e_excess' ? { condition: 'light' } : {};
    const rows = rowsOf({ study: wanted.study, metric, ...condition });
    expect(rows.length).toBe(metric === 'version_change' ? 1 : 6);
    for (const row of rows) same(row, found.get(row['model']), column);
  });

  test('the least sufficient level', async () => {
    const found = await own('specificity', 'specificity_summary', { study: 'detail', augmentation: 'summary' });
    for (const row of rowsOf({ metric: 'sufficient_detail' }))
      expect(['named', 'named_lo', 'named_hi'].map((name) => row[name])).toEqual(
        ['', '_lo', '_hi'].map((end) => found.get(row['model'])?.[`sufficient${end}`]),
      );
  });

  test('value, interval, rank and letters of compare', async () => {
    const { comparisons } = await compareOver(database, { byVariant: false, margin: 0, alpha: 0.05 });
    for (const [study, metric] of [
      ['loops', 'asl'],
      ['words', 'auc_e_excess'],
      ['plain', 'pass_at_1'],
    ] as const) {
      const found = comparisons.find((one) => one.study === study && one.subject.metric === metric);
      const condition = found?.subject.suite ?? found?.subject.dimension ?? '';
      for (const { model, value, rank, letters } of found?.standings ?? []) {
        const card = rowsOf({ study, metric, model: models[model] ?? '' }).find(
          (row) => row['condition'] === condition || row['condition'] === 'all',
        );
        expect(card).toMatchObject({ estimate: expect.closeTo(value, 9), rank, letters });
      }
    }
  });
});

test('models that share fewer tasks are ranked on these; a model that is not wanted does not count', async () => {
  const two = await cardTables(database, { models: ['m0', 'm5'], study: 'plain' });
  const rows = two.cards.filter((row) => row['metric'] === 'pass_at_1');
  expect(rows.map((row) => [row['model'], row['letters'], row['n_models']])).toEqual([
    ['m0', 'a', 2],
    ['m5', 'b', 2],
  ]);
});

test('each study says of which prompts its pass@1 is, and of how many answers', () => {
  const said = cards.answers?.map(({ study, prompts, perModel }) => [study, prompts, perModel]);
  // By hand: one answer to the unchanged prompt of each of 40 tasks.
  expect(said).toEqual([
    ...['loops', 'bare', 'chain', 'words'].map((study) => [study, null, 40]),
    ['detail', 'with the unchanged prompt', 40],
    ...['nfr', 'two', 'update'].map((study) => [study, 'without a requirement', 40]),
    ['plain', null, 40],
  ]);
});

test('one sentence per model, and simulated ones say so', () => {
  const said = new Map(cards.sentences.map(({ model, sentence }) => [model, sentence]));
  expect(said.size).toBe(6);
  expect(said.get('m0')).toMatch(
    /^m0 \(simulated\) passes 100\.0 % \(91\.2 – 100\.0\) of 40 tasks in study "loops", ahead of 3 of 5 others and/,
  );
  expect(said.get('m5')).toContain('changes with the wording more than by chance (AUC-E above its floor: -0.333,');
  // Eight of 40 tasks broken and none mended.
  expect(said.get('m2')).toMatch(
    /; is shown to be worse than m0 in pass@1 base without a requirement \(-20\.00 points, /,
  );
  expect(said.get('m2')).toContain(', while pass@1 without a requirement changed by -20.0 points (');
});

describe('the section of a page', () => {
  const context = (_run: string, id: string) => ({ text: id });

  test('has a line per model, the best first, with interval, group and rank interval', () => {
    const text = partsMarkdown([cardSection(cards, context)]);
    expect(text).toContain('## All models');
    expect(text).toMatch(/\| m0 \| 100\.0 \(91\.2 – 100\.0; a · 1 – 3\)/);
    expect(text.indexOf('| m0 |')).toBeLessThan(text.indexOf('| m5 |'));
    expect(text).toContain("Spearman's rho over 6 models");
  });

  test('has a matrix of rankings: by trait, below the diagonal, one line of each study and metric', () => {
    const told = cards.card_agreement.filter(({ rho }) => rho !== null);
    const { heads, rows } = agreementTable(told);
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ...['bare', 'chain', 'detail', 'loops', 'nfr', 'plain', 'two', 'words'].map((study, place) => [
        ...['passing', `${place + 1}. ${study}: pass_at_1, base`],
      ]),
      ['robustness to wording', '9. words: auc_e_excess, full'],
      ['loops', '10. bare: asl_unweighted'],
      ['loops', '11. chain: chain_score'],
      ['loops', '12. loops: asl'],
      ['least sufficient detail', '13. detail: sufficient_detail, summary'],
    ]);
    expect(heads).toHaveLength(2 + 12);
    expect(rows[11]?.[10]).not.toHaveProperty('shade');
    expect(rows[11]?.[11]).toMatchObject({ text: '1.00', shade: 3 });
    expect(rows[11]?.[13]).toMatchObject({ text: '' });
  });

  test('of few models says that rankings cannot be compared; of one model has its sentence', async () => {
    const two = await cardsOf(database, { models: ['m0', 'm5'] });
    expect(partsMarkdown([cardSection(two, context)])).toContain('cannot be told from 2 models: 5 are needed');
    const one = await cardsOf(database, { models: ['m0'], study: 'plain' });
    expect(partsMarkdown([cardSection(one, context)])).toContain('m0 (simulated) passes 100.0 %');
  });

  test('is in every format of the report, and the rows in its JSON', async () => {
    const report = await collectReport(database);
    expect(renderMarkdown(report).indexOf('## All models')).toBeLessThan(renderMarkdown(report).indexOf('## Study'));
    const run = database.manifests[0]?.runId ?? '';
    const marked = renderMarkdown({ ...report, excluded: [{ run, model: 'm1', count: 12, of: 164, byReference: 0 }] });
    expect(marked).toMatch(/\n\| m1 (\(simulated\) )?\(12 verdicts excluded\) \| 90\.0 \(/);
    const page = await renderReport(report, { examples: [], drawn: 0, of: 0 } as never);
    expect(page).toContain('<section id="cards"><h2>All models</h2>');
    const document = JSON.parse(await renderJson(report)) as Record<string, readonly unknown[]>;
    expect([document['cards']?.length, document['sentences']?.length]).toEqual([cards.cards.length, 6]);
  });
});

test('every kind of study has metrics on the card; names are unique; each is documented', () => {
  for (const kind of studyKinds) expect(resultsOfKind(kind).card.length).toBeGreaterThan(0);
  const names = cardMetrics.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(cards.cards.map((row) => row['metric']))).toEqual(new Set(names));
  const page = readFileSync(join(import.meta.dirname, '../../../docs/cards.md'), 'utf8');
  for (const name of names) expect(page).toContain(`\`${name}\``);
  expect(
    allResults.every(({ card }) => card.every(({ metrics }) => metrics.every((one) => cardMetrics.includes(one)))),
  ).toBe(true);
});

test('a spread over phrasings counts the tasks of which an answer was judged, by model', async () => {
  const other = await mkdtemp(join(tmpdir(), 'evenkeel-cards-'));
  const open = await openRun(await writeHandCards(other, true));
  try {
    const { cards: found } = await cardTables(open, { study: 'nfr' });
    const rows = found.filter((row) => row['metric'] === 'phrasing_spread');
    expect(rows.map((row) => [row['model'], row['n_tasks'], row['n_own_tasks']])).toEqual(
      models.map((model) => (model === 'm1' ? [model, 30, 30] : [model, 40, 40])),
    );
  } finally {
    open.close();
    await rm(other, { recursive: true });
  }
});
