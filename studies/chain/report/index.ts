/** Translation chains in a report: how many steps each model's chains pass, and why translations failed. */
import { type ChainTables, currentChains } from '../results/tables.ts';
import { withMeanings } from '../../../analysis/report/meanings/glossary.ts';
import { chainMeanings } from './meanings.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext, StudyReport } from '../../../analysis/report/study-report.ts';
import { openMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import { failureTables } from './failures.ts';
import { stepCounts, tasksSection } from './task-grids.ts';
import { scoreTable, scoringText } from './scores.ts';

export async function chainReport(database: RunDatabase): Promise<StudyReport> {
  const chains = await currentChains(database);
  const counts = await stepCounts(database);
  const models = chains.chain_scores.map((row) => textOf(row, 'model'));
  const studies = [...Map.groupBy(chains.chain_scores, (row) => JSON.stringify([row['run'], row['study']])).values()];
  return {
    page: { name: 'chains', title: 'Chains', over: 'Translation chains' },
    document: () => Promise.resolve({ chains }),
    outcome: { chains: chains.chain_scores },
    models,
    sections: (context) =>
      withMeanings(
        [
          section(
            undefined,
            [...studies.map((rows) => studySection(rows, chains, context)), tasksSection(counts, models, context)],
            { id: 'chains' },
          ),
        ],
        chainMeanings,
      ),
    boards: (context) =>
      studies.map((rows) => ({
        ...scoreTable(rows, failuresOf(rows, chains), context),
        title: boardTitle(rows),
      })),
  };
}

const boardTitle = (rows: readonly Row[]): string => {
  const [row = {}] = rows;
  return (
    `EVALOOP · study ${textOf(row, 'study')} · translation chain ${languagesOf(rows)} · scoring ` +
    `${textOf(row, 'scoring')}`
  );
};

/** Of the model that got furthest. */
const languagesOf = (rows: readonly Row[]): string =>
  rows
    .map((row) => textOf(row, 'languages'))
    .reduce((most, own) => (own.split(' > ').length > most.split(' > ').length ? own : most), '');

const failuresOf = ([first]: readonly Row[], { chain_failures: failures }: ChainTables): Row[] =>
  failures.filter((row) => row['run'] === first?.['run'] && row['study'] === first?.['study']);

/** With what could not be judged, if that is so of any model. */
const methodOf = (rows: readonly Row[]): string =>
  rows.some((row) => row['method'] === openMethod) ? openMethod : textOf(rows[0] ?? {}, 'method');

function studySection(rows: readonly Row[], chains: ChainTables, context: ReportContext): Section {
  const first = rows[0] ?? {};
  const failures = failuresOf(rows, chains);
  const about =
    `${languagesOf(rows)}; ${scoringText(textOf(first, 'scoring'))} Columns of languages: share of ` +
    'chains whose code passed in that language, of those known. Drop: the first step minus the last, of chains known ' +
    `in both. No start: tasks whose reference fails its own tests. Intervals: ${methodOf(rows)}.`;
  return section(`Study ${textOf(first, 'study')}: translation chain`, [
    note(about),
    scoreTable(rows, failures, context),
    section('Failed translations by reason', failureTables(failures)),
  ]);
}
