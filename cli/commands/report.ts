/** `report`: one self-contained page, or Markdown or JSON, over one run or several. */
import { join, resolve } from 'node:path';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { type ExternalRanking, readRanking } from '../../analysis/external-ranking.ts';
import { collectReportData } from '../../analysis/report/data.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { renderJson } from '../../analysis/report/json.ts';
import { renderMarkdown } from '../../analysis/report/markdown.ts';
import { renderReport } from '../../analysis/report/render.ts';
import { InputError } from '../../domain/errors.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { writeReport } from '../report-file.ts';
import { findRun } from '../run-folders.ts';
import type { Terminal } from '../terminal.ts';

const renderers = {
  html: async (database: RunDatabase, ranking: ExternalRanking | null) =>
    renderReport(await collectReportData(database, ranking), await collectExamples(database)),
  md: async (database: RunDatabase, ranking: ExternalRanking | null) => renderMarkdown(await collectReportData(database, ranking)),
  json: async (database: RunDatabase, ranking: ExternalRanking | null) => renderJson(await collectReportData(database, ranking)),
};
type Format = keyof typeof renderers;

export async function report(
  ids: readonly string[],
  options: { runsDir: string; out?: string; format: string; ranking?: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  if (!(options.format in renderers))
    throw new InputError(`is one of ${Object.keys(renderers).join(', ')}; got "${options.format}"`, { field: '--format' });
  const ranking = options.ranking === undefined ? null : await readRanking(resolve(options.ranking));
  const folders = await Promise.all(ids.map(async (id) => (await findRun(options.runsDir, id)).folder));
  const out = resolve(options.out ?? join(folders[0] ?? '.', `report.${options.format}`));
  const database = await openRun(folders);
  try {
    const text = await renderers[options.format as Format](database, ranking);
    await writeReport(folders[0] ?? '', out, text);
  } finally {
    database.close();
  }
  terminal.out(out);
  terminal.document({ report: out });
  return exitStatus.done;
}
