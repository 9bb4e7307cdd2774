/** The report as Markdown, for a pull request or a terminal: tables and explanations, no charts. */
import { contextOf } from '../context.ts';
import { coverageText, missingText } from '../notes/coverage-text.ts';
import { modelNotes } from '../notes/model-notes.ts';
import { studyRepeatsNotes } from '../notes/repeated-tasks.ts';
import { missing, timeText } from '../format.ts';
import { simulatedMeaning } from '../method.ts';
import { type DataTable, isEmpty } from '../part.ts';
import type { Report, ReportRun } from '../report.ts';
import { pageParts, reportPages } from '../report-pages.ts';
import { escapeMarkdown, partsMarkdown } from './markdown.ts';

export function renderMarkdown(report: Report): string {
  const { overview, studies, after } = reportPages(report, contextOf(report));
  const before = pageParts([overview, ...studies]);
  const sections = [
    ...report.runs.map(runText),
    ...doubts(report),
    before.every(isEmpty) ? 'No page is finished yet.' : partsMarkdown(before),
    partsMarkdown(pageParts(after)),
    ...report.runs.map(
      ({ run, provenance }) => `## Provenance of ${escapeMarkdown(run)}\n\n${partsMarkdown([factsTable(provenance)])}`,
    ),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

function runText(run: ReportRun): string {
  const finished =
    run.finishedAt === null ? `last stored ${timeText(run.updatedAt)}` : `finished ${timeText(run.finishedAt)}`;
  const why = escapeMarkdown(run.stateDetail ?? '');
  const nothing = `**No results yet:** no page of the run is finished. ${why}`.trim();
  const partial = `**Partial:** ${missingText(run)} ${why}`.trim();
  const simulated = `**Simulated:** ${simulatedMeaning} Here: ${run.simulatedModels.map(escapeMarkdown).join(', ')}.`;
  return [
    `# Run ${escapeMarkdown(run.run)}`,
    `${run.state}; started ${timeText(run.createdAt)}, ${finished}; ${coverageText(run)}.`,
    ...(run.missing === 0 ? [] : [run.missing === run.planned ? nothing : partial]),
    ...(run.missingTables === null ? [] : [`**Tables missing:** ${escapeMarkdown(run.missingTables)}`]),
    ...(run.simulatedModels.length === 0 ? [] : [simulated]),
  ].join('\n\n');
}

/** As HTML has them; the board marks the models' rows. */
const doubts = (report: Report): string[] =>
  [...studyRepeatsNotes(report.cards.repeated ?? []), ...modelNotes(report).map(({ text }) => text)].map(
    escapeMarkdown,
  );

const factsTable = (facts: ReportRun['provenance']): DataTable => ({
  words: 2,
  heads: ['name', 'value'],
  rows: facts.map(({ name, value }) => [name, value === '' ? missing : value]),
});
