/** Translation chains in a report: how many steps each model's chains pass, and why translations failed. */
import { type ChainTables, currentChains } from '../results/tables.ts';
import { withMeanings } from '../../../analysis/report/meanings/glossary.ts';
import { chainMeanings } from './meanings.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext, StudyReport } from '../../../analysis/report/study-report.ts';
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
        title: boardTitle(rows[0] ?? {}),
      })),
  };
}

const boardTitle = (row: Row): string =>
  `EVALOOP · study ${textOf(row, 'study')} · translation chain ${textOf(row, 'languages')} · scoring ` +
  `${textOf(row, 'scoring')}`;

const failuresOf = ([first]: readonly Row[], { chain_failures: failures }: ChainTables): Row[] =>
  failures.filter((row) => row['run'] === first?.['run'] && row['study'] === first?.['study']);

function studySection(rows: readonly Row[], chains: ChainTables, context: ReportContext): Section {
  const first = rows[0] ?? {};
  const failures = failuresOf(rows, chains);
  const about =
    `${textOf(first, 'languages')}; ${scoringText(textOf(first, 'scoring'))} Columns of languages: share of the ` +
    'counted chains whose code passed in that language. Drop: first of these shares minus the last. No start: tasks ' +
    `whose reference fails its own tests. Intervals: ${textOf(first, 'method')}.`;
  return section(`Study ${textOf(first, 'study')}: translation chain`, [
    note(about),
    scoreTable(rows, failures, context),
    section('Failed translations by reason', failureTables(failures)),
  ]);
}
