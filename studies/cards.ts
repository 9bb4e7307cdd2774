/** Cards of models: the metrics that studies put on them, and how far rankings by them agree. */
import { excludedList } from '../analysis/excluded-list.ts';
import { agreementRows, cardRows } from '../analysis/card/card-rows.ts';
import type { Cards, CardSource, KnownStudies, WorseVersion } from '../analysis/card/card-source.ts';
import { cardSentences } from '../analysis/card/sentences.ts';
import { passMetric } from '../analysis/card/first-passes.ts';
import { modelKey } from '../analysis/card/main-entries.ts';
import { withoutRepeatedRanks } from '../analysis/card/repeated-prompts.ts';
import { solvedCostsOf, timeMethod } from '../analysis/card/solved-costs.ts';
import type { RunDatabase } from '../analysis/database.ts';
import { records } from '../analysis/records.ts';
import { quoteText } from '../analysis/views.ts';
import { cardEntries, earlierRankMethod } from '../domain/card/card-entry.ts';
import { openMethod } from '../domain/statistics/intervals/bounded-mean.ts';
import type { CardMetric } from '../domain/card/card-metric.ts';
import { costPerSolvedMethod } from '../domain/metrics/cost-per-solved.ts';
import { compareByColumns, textOf } from '../domain/metrics/row-order.ts';
import { defaultLevel } from '../domain/statistics/intervals/interval.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { type Row, tables } from '../schemas/tables.ts';
import {
  changedTasks,
  comparedModels,
  type ModelsWanted,
  type StudySides,
  wantedSides,
  withAnswers,
} from './compared-models.ts';
import { allResults, resultsOf, resultsOfKind } from './results.ts';
import { costNote } from './across/cost-note.ts';
import { repeatedInStudies } from './across/repeated-tasks.ts';
import { answersOfStudies } from './across/study-answers.ts';

type CardTables = Pick<Cards, 'cards' | 'card_agreement'>;
type KnownCards = CardTables & Required<KnownStudies>;

interface CardsWanted extends ModelsWanted {
  /** Highest probability that any difference claimed in a metric is wrong. Default: 0.05. */
  readonly alpha?: number;
}

/** Every metric of every kind of study, each once. */
export const cardMetrics: readonly CardMetric[] = [
  ...new Set(
    [...allResults.flatMap(({ card }) => card), solvedCostsOf({ isCostRanked: true })].flatMap(
      ({ metrics }) => metrics,
    ),
  ),
];

/** The cards of the models of all runs, ranked among each other. Throws InputError for an unknown name. */
export async function cardTables(database: RunDatabase, wanted: CardsWanted = {}): Promise<CardTables> {
  const { cards, card_agreement } = await knownCards(database, wanted);
  return { cards, card_agreement };
}

async function knownCards(database: RunDatabase, wanted: CardsWanted = {}): Promise<KnownCards> {
  const repeated = await repeatedInStudies(database);
  const answers = await answersOfStudies(database);
  const cards: Row[] = [];
  for (const found of wantedSides(database, wanted)) cards.push(...(await studyCards(database, found, wanted)));
  const sorted = withoutRepeatedRanks(cards, repeated).toSorted(compareByColumns(tables.cards.key));
  return { cards: sorted, card_agreement: agreementRows(sorted, runsName(database)), repeated, answers };
}

const runsName = ({ manifests }: RunDatabase): string => manifests.map(({ runId }) => runId).join(', ');

/** With a sentence for each model. */
export async function cardsOf(database: RunDatabase, wanted: CardsWanted = {}): Promise<Cards> {
  return withSentences(await knownCards(database, wanted), await worseVersions(database));
}

async function worseVersions(database: RunDatabase): Promise<WorseVersion[]> {
  const found = await Promise.all(allResults.map(async (results) => (await results.worse?.(database)) ?? []));
  return found.flat();
}

function withSentences(found: KnownCards, all: readonly WorseVersion[]): Cards {
  const own = new Set(found.cards.map(modelKey));
  const worse = all.filter(({ run, model }) => own.has(modelKey({ run, model })));
  return {
    ...found,
    sentences: cardSentences(found.cards, cardMetrics, worse, found),
    worse,
    metrics: cardMetrics,
  };
}

/**
 * Of one complete run as they were stored, unless an older program stored none, or some that may say otherwise.
 * @param worse versions that are shown to be worse, if they are known
 */
export async function currentCards(database: RunDatabase, worse?: readonly WorseVersion[]): Promise<Cards> {
  const found = (await storedCards(database)) ?? (await knownCards(database));
  return withSentences(found, worse ?? (await worseVersions(database)));
}

/** Null if they must be computed. */
async function storedCards(database: RunDatabase): Promise<KnownCards | null> {
  const [manifest, ...others] = database.manifests;
  if (manifest?.state !== 'complete' || others.length > 0) return null;
  const read = (table: keyof CardTables): Promise<Row[]> =>
    records(
      database,
      `FROM ${table} WHERE run = ${quoteText(manifest.runId)} ORDER BY ${tables[table].key.join(', ')}`,
    );
  const stored = { cards: await read('cards'), card_agreement: await read('card_agreement') };
  const isEarlier =
    stored.cards.some(isEarlierCost) ||
    (hasEarlierIntervals(stored.cards) && (await hasUnjudged(database))) ||
    (await hasEarlierValues(database, manifest));
  if (stored.cards.length === 0 || isEarlier) return null;
  // An older program ranked by any number of tasks with the same prompt.
  const repeated = await repeatedInStudies(database);
  return {
    ...stored,
    cards: withoutRepeatedRanks(stored.cards, repeated),
    repeated,
    answers: await answersOfStudies(database),
  };
}

async function hasEarlierValues(database: RunDatabase, manifest: Manifest): Promise<boolean> {
  for (const { mayHaveEarlierCards } of resultsOf(manifest.spec))
    if (await mayHaveEarlierCards?.(database, manifest)) return true;
  return false;
}

/** A cost or time of other tasks or other calls, or by which models had ranks that they have no more. */
const isEarlierCost = (row: Row): boolean =>
  row['metric'] === 'seconds_per_solved_task' ||
  (row['trait'] === 'cost' && row['estimate'] !== null && !methodsOfToday.some((own) => startsWith(row, own)));

const methodsOfToday = [costPerSolvedMethod, timeMethod];
/** A value that is partly an estimate has a longer method. */
const startsWith = (row: Row, method: string): boolean => textOf(row, 'method').startsWith(method);

/** If any answer could not be judged: ranks, intervals or numbers of tasks that do not allow for it. */
const hasEarlierIntervals = (cards: readonly Row[]): boolean =>
  cards.some((row) => row['rank_method'] === earlierRankMethod) ||
  !cards.some((row) => row['method'] === openMethod) ||
  cards.some((row) => row['method'] === openMethod && row['n_shared_tasks'] === null);

async function hasUnjudged(database: RunDatabase): Promise<boolean> {
  return (
    (await records(database, `SELECT 1 AS one FROM verdicts WHERE outcome IN (${excludedList}) LIMIT 1`)).length > 0
  );
}

async function studyCards(database: RunDatabase, { study, sides }: StudySides, wanted: CardsWanted): Promise<Row[]> {
  const [first, ...others] = await withAnswers(database, sides);
  if (first === undefined) return [];
  const present = [first, ...others] as const;
  const changed = await changedTasks(database, present);
  const models = await comparedModels(database, present);
  const alpha = wanted.alpha ?? 1 - defaultLevel;
  const rows: Row[] = [];
  const costs = solvedCostsOf({ isCostRanked: costNote(present) === null });
  const sources: readonly CardSource[] = [...resultsOfKind(study.kind).card, costs];
  for (const { read } of sources)
    for (const measure of await read(database, { sides: present, ...changed })) {
      // pass@1 is of one suite.
      const excluded = measure.metric === passMetric ? changed.changedRecords : changed.changed;
      const entries = cardEntries(measure, excluded, { alpha, seed: first.manifest.spec.seed });
      rows.push(...cardRows(study.name, models, measure, entries, 1 - alpha));
    }
  return rows;
}
