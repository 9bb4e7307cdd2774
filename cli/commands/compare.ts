/** `compare`: every two models of one or more runs, with intervals, tests, ranks and letters. */
import { extname, resolve } from 'node:path';
import type { Cards } from '../../analysis/card/card-source.ts';
import { refuseOtherFiles, writeSaved } from '../../activities/exchange/write-saved.ts';
import { compareParts, extentText, metricTables, overviewTable, titleOf } from '../../analysis/compare/parts.ts';
import { comparisonRows } from '../../analysis/compare/rows.ts';
import { openRun } from '../../analysis/database.ts';
import type { Section } from '../../analysis/report/part.ts';
import { partsPage } from '../../analysis/report/html/parts-page.ts';
import { partsCsv } from '../../analysis/report/text/csv.ts';
import { partsLatex } from '../../analysis/report/text/latex.ts';
import { partsMarkdown } from '../../analysis/report/text/markdown.ts';
import { tableLines } from '../../analysis/report/text/terminal.ts';
import { unlessMissing } from '../../domain/missing-tables/unless-missing.ts';
import { InputError } from '../../domain/errors.ts';
import { counted } from '../../domain/counted.ts';
import { missingTablesLines } from '../../domain/missing-tables/missing-text.ts';
import { nameList } from '../../domain/name-list.ts';
import {
  comparedCards,
  compareOver,
  type CompareReport,
  type CompareRequest,
  metricNamed,
} from '../../studies/compare.ts';
import { savedComparison } from '../../schemas/saved-tables.ts';
import { runCoverage } from '../../studies/coverage.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { oneScreen } from '../output/one-screen.ts';
import { writeOutput } from '../output/output-file.ts';
import { plain, type Terminal } from '../output/terminal.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';

export interface CompareOptions {
  readonly runsDir: string;
  readonly models?: string;
  readonly metric?: string;
  readonly study?: string;
  readonly by: string;
  readonly margin: string;
  readonly alpha: string;
  readonly out?: string;
  readonly markdown?: string;
  readonly save?: string;
  readonly all?: boolean;
}

export async function compare(
  ids: readonly string[],
  options: CompareOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const request = requestOf(options);
  const render = options.out === undefined ? null : rendererOf(options.out);
  if (options.save !== undefined) await refuseOtherFiles(savedComparison, resolve(options.save));
  const twice = ids.filter((id, place) => ids.indexOf(id) < place);
  if (twice.length > 0) terminal.note(`note: named twice, and compared once: ${nameList([...new Set(twice)])}`);
  const runs = [...new Set(ids)].map(async (id) => (await runCatalog(options.runsDir).find(id)).home.tables());
  const database = await openRun(await Promise.all(runs));
  try {
    const found = await compareOver(database, request);
    const missing = runCoverage(database).flatMap(({ run, missing: cells, planned }) =>
      cells > 0 ? [`run ${run}: ${cells} of ${planned} cells are not compared: their pages are not finished`] : [],
    );
    const cards = await unlessMissing(
      database,
      () => comparedCards(database, request),
      () => null,
    );
    const report = { ...found, notes: [...missing, ...missingTablesLines(database.manifests), ...found.notes], cards };
    const names = database.manifests.map(({ runId }) => runId);
    await writeFiles(report, names, render, options);
    show(report, options.all ?? false, terminal);
    terminal.document({ runs: names, ...documentOf(report) });
    return exitStatus.done;
  } finally {
    database.close();
  }
}

function requestOf({ models, metric, study, by, margin, alpha }: CompareOptions): CompareRequest {
  if (by !== 'task' && by !== 'variant')
    throw new InputError(`must be task or variant; got "${by}"`, { field: '--by' });
  return {
    ...(models === undefined ? {} : { models: models.split(',').map((name) => name.trim()) }),
    ...(metric === undefined ? {} : { metric: metricNamed(metric) }),
    ...(study === undefined ? {} : { study }),
    byVariant: by === 'variant',
    margin: numberBetween('--margin', margin, 0, Infinity),
    alpha: numberBetween('--alpha', alpha, 1e-6, 0.5),
  };
}

function numberBetween(field: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least && value <= most) return value;
  const range = most === Infinity ? `at least ${least}` : `from ${least} to ${most}`;
  throw new InputError(`must be a number, ${range}; got "${text}"`, { field });
}

interface Compared extends CompareReport {
  readonly cards: Cards | null;
}

type Renderer = (title: string, report: Compared) => string | Promise<string>;

const renderers: Readonly<Record<string, Renderer>> = {
  '.html': (title, report) => partsPage('evenkeel comparison', title, partsOf(report)),
  '.md': (title, report) => markdown(title, report),
  '.csv': (_, report) => partsCsv(partsOf(report)),
  '.tex': (_, report) => partsLatex(partsOf(report)),
};

const partsOf = ({ comparisons, notes, cards }: Compared): Section[] => compareParts(comparisons, notes, cards);

const markdown = (title: string, report: Compared): string => `# ${title}\n\n${partsMarkdown(partsOf(report))}\n`;

function rendererOf(file: string): Renderer {
  const render = renderers[extname(file)];
  if (render !== undefined) return render;
  throw new InputError(`must end in ${Object.keys(renderers).join(', ')}; got "${file}"`, { field: '--out' });
}

async function writeFiles(
  report: Compared,
  runs: readonly string[],
  render: Renderer | null,
  { out, markdown: markdownFile, save }: CompareOptions,
): Promise<void> {
  const title = `Comparison of ${runs.join(', ')}`;
  if (out !== undefined && render !== null) await writeOutput(resolve(out), [await render(title, report)]);
  if (markdownFile !== undefined) await writeOutput(resolve(markdownFile), [markdown(title, report)]);
  if (save !== undefined)
    await writeSaved(
      savedComparison,
      resolve(save),
      runs,
      comparisonRows(report.comparisons, report.cards),
      new Date(),
    );
}

/** Lines for the tables of one metric, and around them; fewer only on a smaller terminal. */
const fewestLines = 32;
const linesAround = 9;
/** Models, pairs, and the tasks that flip between the most different models, both ways. */
const mostBoards = 4;

function show({ comparisons, notes, cards }: Compared, all: boolean, terminal: Terminal): void {
  const [first, ...others] = comparisons;
  if (first === undefined) return;
  const shown = all ? comparisons : [first];
  if (others.length > 0) terminal.out(`${tableLines(overviewTable(comparisons), plain)}\n`);
  for (const comparison of shown) {
    terminal.out(plain(`${titleOf(comparison)}\n${extentText(comparison)}\n`));
    const boards = metricTables(comparison).map((table) => tableLines(table, plain));
    const room = Math.max(fewestLines, (process.stdout.rows ?? 0) - linesAround - 2 * comparisons.length);
    if (all) {
      terminal.out(boards.join('\n\n'));
      continue;
    }
    const { lines, left } = oneScreen(boards.slice(0, mostBoards), room);
    terminal.out(lines.join('\n'));
    const hidden = left + boards.slice(mostBoards).flatMap((board) => board.split('\n')).length;
    if (hidden > 0) terminal.out(`and ${counted(hidden, 'more line')}: add --all, or write a file with --out`);
  }
  if (!all && others.length > 0) {
    const metrics = [...new Set(others.map(({ subject }) => subject.metric))];
    const titles = [...new Set(others.map(titleOf))].join('; ');
    terminal.out(`also compared: ${titles}. Add --all, or --metric NAME (${metrics.join(', ')})`);
  }
  if (all) for (const { sentence } of cards?.sentences ?? []) terminal.out(plain(sentence));
  for (const note of notes) terminal.note(plain(note));
}

/** The same tables as `--save` writes, without the values of tasks, and the sentences of the cards. */
function documentOf({ comparisons, notes, cards }: Compared) {
  const rows = comparisonRows(comparisons, cards);
  const { compared_models: models, compared_pairs: pairs, compared_cards, compared_agreement } = rows;
  return {
    ...{ models, pairs, cards: compared_cards, card_agreement: compared_agreement },
    ...{ sentences: cards?.sentences ?? [], notes },
  };
}
