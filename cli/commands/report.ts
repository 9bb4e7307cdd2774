/** `report`: one self-contained HTML page about one run or several, or its tables in another format. */
import { existsSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { isWritable } from '../../activities/storage/files/is-writable.ts';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { readRanking } from '../../analysis/external-ranking.ts';
import { contextOf } from '../../analysis/report/context.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { renderReport } from '../../analysis/report/html/page.ts';
import { renderJson } from '../../analysis/report/json.ts';
import type { Part } from '../../analysis/report/part.ts';
import type { Report } from '../../analysis/report/report.ts';
import { pageParts, reportPages } from '../../analysis/report/report-pages.ts';
import { partsCsv } from '../../analysis/report/text/csv.ts';
import { partsLatex } from '../../analysis/report/text/latex.ts';
import { renderMarkdown } from '../../analysis/report/text/report-markdown.ts';
import { InputError } from '../../domain/errors.ts';
import { missingTablesLines } from '../../domain/missing-tables/missing-text.ts';
import { collectReport } from '../../studies/report.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { tellWritten } from '../output/output-file.ts';
import { writeReport } from '../output/report-file.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import type { FoundRun } from '../../activities/storage/catalog/run-catalog.ts';
import { plain, type Terminal } from '../output/terminal.ts';

function partsOf(report: Report): Part[] {
  const { overview, studies, after } = reportPages(report, contextOf(report));
  return pageParts([overview, ...studies, ...after]);
}

const renderers = {
  html: async (report: Report, database: RunDatabase) => renderReport(report, await collectExamples(database)),
  md: renderMarkdown,
  json: renderJson,
  csv: (report: Report) => partsCsv(partsOf(report)),
  tex: (report: Report) => partsLatex(partsOf(report)),
};
type Format = keyof typeof renderers;

/** Throws InputError if a report cannot be written into this folder. */
function refusePlace(into: string, { folder, manifest: { archive } }: FoundRun): void {
  const elsewhere = 'name a file in another folder with --out FILE';
  if (existsSync(into) && !isWritable(into)) throw new InputError(`is read-only: ${elsewhere}`, { file: into });
  const without = archive?.without ?? [];
  if (without.length === 0 || into !== resolve(folder)) return;
  throw new InputError(`is an archive without ${without.join(', ')}, whose files have checksums: ${elsewhere}`, {
    file: into,
  });
}

/** Without the option that of the file's ending, if it is one of a format; else HTML. */
function formatOf({ out = '', format }: { readonly out?: string; readonly format?: string }): Format {
  const ending = extname(out).slice(1);
  const wanted = format ?? (Object.hasOwn(renderers, ending) ? ending : 'html');
  if (Object.hasOwn(renderers, wanted)) return wanted as Format;
  throw new InputError(`must be one of ${Object.keys(renderers).join(', ')}; got "${wanted}"`, { field: '--format' });
}

export async function report(
  ids: readonly string[],
  options: { runsDir: string; out?: string; format?: string; ranking?: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  const format = formatOf(options);
  const ranking = options.ranking === undefined ? null : await readRanking(resolve(options.ranking));
  const found = await Promise.all(ids.map((id) => runCatalog(options.runsDir).find(id)));
  const [first] = found as [FoundRun];
  const { home } = first;
  const out = resolve(options.out ?? join(home.folder, `report.${format}`));
  refusePlace(dirname(out), first);
  const database = await openRun(await Promise.all(found.map((one) => one.home.tables())));
  try {
    for (const line of missingTablesLines(database.manifests)) terminal.note(plain(line));
    const text = await renderers[format](await collectReport(database, ranking), database);
    await writeReport(home, out, text);
  } finally {
    database.close();
  }
  tellWritten(terminal, out, out);
  terminal.document({ report: out });
  return exitStatus.done;
}
